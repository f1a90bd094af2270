internal import WhimbrelLMDB

/// A check that the contents of a store agree with each other, by the invariants of ``ClassTable``.
///
/// Each record is read once, in order. An ``IndexTally`` compares the expected entries of an index
/// with the actual ones. Only if they differ does the check search entry by entry.
package struct IntegrityCheck {
  /// The extent of a check.
  package enum Depth: Sendable {
    /// The checksums of all records and their overflow.
    case checksums
    case everything
  }

  /// A closure that receives the objects and index entries checked, and their total. An error that
  /// it throws ends the check.
  package typealias Progress = (_ completed: Int, _ total: Int) throws -> Void

  let classes: [ScannedClass]
  let view: ReadView
  /// The environment that gives other cores their snapshots, or nil to use a single core.
  let environment: Environment?
  let depth: Depth
  /// Whether to check next object IDs. They are in the file only after a commit.
  let checksNextObjectIDs: Bool
  var findings: Findings

  /// Checks all classes in a session's snapshot.
  ///
  /// - Complexity: As ``FileCheck/run(path:depth:_:)``, without the pages.
  package static func run(_ session: Session) throws -> [Finding] {
    var check = try IntegrityCheck(
      classes: session.classes.map { ScannedClass($0) }, view: session.view,
      environment: session.isWriting ? nil : session.file.environment, depth: .everything,
      checksNextObjectIDs: !session.isWriting, findings: Findings(limit: 10_000))
    _ = try check.run { _, _ in }
    return check.findings.kept
  }

  /// Checks all classes, and returns a tally for each.
  mutating func run(_ progress: Progress) throws -> [RecordTally] {
    let results = try scan(progress)
    for (number, table) in classes.enumerated() {
      let result = results.records[number]
      findings.append(result.findings)
      guard let objects = table.objects else { continue }
      try checkCount(of: objects, in: table)
      if depth == .everything {
        for (place, index) in table.indexes.enumerated() {
          let actual = results.indexes[number][place]
          if actual.tally != result.entries[place] {
            try search(index, of: table, expected: result, found: actual.tally)
          }
          if case .values(let values) = index.subject, actual.repeatsValues {
            try checkUniqueness(of: values, index, in: table)
          }
        }
      }
      try checkOverflowOwners(of: table, counted: result.overflow)
      try checkNextObjectID(of: table)
    }
    return results.records
  }

  /// Checks that the class has as many objects as are counted a second time.
  private mutating func checkCount(of objects: Table, in table: ScannedClass) throws {
    do throws(LMDBError) {
      _ = try view.count(objects)
    } catch  where error.damage != nil {
      findings.add(.table, table, nil, "its separately stored number of objects is wrong")
    }
  }

  /// Checks that the next object ID is above those of all objects.
  private mutating func checkNextObjectID(of table: ScannedClass) throws {
    guard checksNextObjectIDs, !table.resolved.isClustered, let objects = table.objects else {
      return
    }
    let cursor = try view.cursor(objects)
    guard try cursor.move(to: .last), cursor.integerKey < .max else { return }
    let last = ObjectID(rawValue: cursor.integerKey)
    if try view.nextObjectID(of: table.resolved.id) ?? 0 <= last.rawValue {
      findings.add(.nextObjectID, table, last, "its ID would be assigned again")
    }
  }
}
