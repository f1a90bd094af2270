internal import WhimbrelLMDB

/// Checks that what a store holds agrees with itself: the invariants of
/// ``ClassTable``, one after the other.
///
/// Records are read once, in their order. What the indexes should hold is compared with what
/// they hold by ``IndexTally``; only where that differs is the culprit looked for, entry by entry.
package struct IntegrityCheck {
  /// How much is checked.
  package enum Depth: Sendable {
    /// The checksums of all records and of what lies outside of them.
    case checksums
    /// Everything.
    case everything
  }

  /// Is told how many objects and index entries were looked at, of how many; what it throws ends
  /// the check.
  package typealias Progress = (_ completed: Int, _ total: Int) throws -> Void

  let classes: [ScannedClass]
  let view: ReadView
  /// The file, for snapshots of other cores; nil when one does it all.
  let environment: Environment?
  let depth: Depth
  /// Whether next object IDs are in the file already, which they are only after a commit.
  let checksNextObjectIDs: Bool
  var findings: Findings

  /// Checks all classes of a session's snapshot.
  ///
  /// - Complexity: that of ``FileCheck/run(path:depth:_:)`` without the pages.
  package static func run(_ session: Session) throws -> [Finding] {
    var check = try IntegrityCheck(
      classes: session.classes.map { ScannedClass($0) }, view: session.view,
      environment: session.isWriting ? nil : session.file.environment, depth: .everything,
      checksNextObjectIDs: !session.isWriting, findings: Findings(limit: 10_000))
    _ = try check.run { _, _ in }
    return check.findings.kept
  }

  /// Checks all classes, and returns how many objects each has, and how many bytes.
  mutating func run(_ progress: Progress) throws -> [RecordTally] {
    let results = try scan(progress)
    for (number, table) in classes.enumerated() {
      let result = results.records[number]
      findings.append(result.findings)
      guard table.objects != nil else { continue }
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

  /// IDs that are given out next must not be those of objects.
  private mutating func checkNextObjectID(of table: ScannedClass) throws {
    guard checksNextObjectIDs, !table.resolved.isClustered, let objects = table.objects else {
      return
    }
    let cursor = try view.cursor(objects)
    guard try cursor.move(to: .last), cursor.integerKey < .max else { return }
    let last = ObjectID(rawValue: cursor.integerKey)
    let stored = try view.value(.main, MainKey.nextObjectID(table.resolved.id))
    guard let stored, stored.count == 8,
      UInt64(littleEndian: stored.load(UInt64.self, at: 0)) > last.rawValue
    else {
      findings.add(.nextObjectID, table, last, "its ID would be given out again")
      return
    }
  }
}
