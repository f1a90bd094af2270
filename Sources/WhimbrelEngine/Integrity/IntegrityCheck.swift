internal import WhimbrelLMDB

/// Checks that what a store holds agrees with itself: the invariants of
/// ``ClassTable``, one after the other.
package struct IntegrityCheck {
  /// Something that does not agree.
  package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package let className: String
    package let object: ObjectID?
    package let problem: String

    package var description: String {
      let place = object.map { "object \($0) of class '\(className)'" } ?? "class '\(className)'"
      return "\(place): \(problem)"
    }
  }

  private let session: Session
  private var findings: [Finding] = []

  private init(_ session: Session) {
    self.session = session
  }

  /// Checks all classes of a session's snapshot.
  ///
  /// - Complexity: O(*n* log *n*).
  package static func run(_ session: Session) throws -> [Finding] {
    var check = IntegrityCheck(session)
    for table in session.classes { try check.check(table) }
    return check.findings
  }

  private mutating func note(_ table: ClassTable, _ id: ObjectID?, _ problem: String) {
    findings.append(Finding(className: table.name, object: id, problem: problem))
  }

  private mutating func check(_ table: ClassTable) throws {
    var objects = 0
    var entries: [Int: Int] = [:]
    let cursor = try session.view.cursor(table.objects)
    var isInside = try cursor.move(to: .first)
    while isInside {
      objects += 1
      let (id, record) = (ObjectID(rawValue: cursor.integerKey), cursor.value)
      do {
        try table.verify(record, id)
        try check(record, id, in: table, &entries)
      } catch let error as StoreError {
        note(table, id, error.message)
      }
      isInside = try cursor.move(to: .next)
    }
    for (position, index) in table.indexes {
      let found = try session.view.count(index)
      let expected = entries[position] ?? 0
      if found != expected {
        let name = table.resolved.properties[position].name
        note(table, nil, "the index of '\(name)' has \(found) entries instead of \(expected)")
      }
    }
    if let keys = table.keys, try session.view.count(keys) != objects {
      note(table, nil, "the primary key's index has not one entry for each object")
    }
    try checkNextObjectID(of: table)
  }

  private mutating func check(
    _ record: PageBytes, _ id: ObjectID, in table: ClassTable, _ entries: inout [Int: Int]
  ) throws {
    let layout = try table.layout(of: record, id)
    if let position = table.resolved.primaryKeyIndex {
      let key = layout.value(
        position, of: record, as: table.resolved.properties[position].type)
      if try table.find(key) != id { note(table, id, "its primary key does not lead to it") }
    }
    for (position, index) in table.indexes {
      var key: [UInt8] = []
      table.resolved.appendIndexKey(position, of: record, layout, id, to: &key)
      if key.isEmpty { continue }
      entries[position, default: 0] += 1
      if try session.view.value(index, key) == nil {
        note(table, id, "the index of '\(table.resolved.properties[position].name)' lacks it")
      }
    }
    for position in table.resolved.links {
      let property = table.resolved.properties[position]
      guard case .link(let target) = layout.value(position, of: record, as: property.type),
        let name = property.type.linkTarget
      else { continue }
      if try session.find(name)?.record(target) == nil {
        note(table, id, "its link '\(property.name)' leads to object \(target), which is not there")
      }
    }
  }

  /// IDs that are given out next must not be those of objects.
  private mutating func checkNextObjectID(of table: ClassTable) throws {
    guard !table.resolved.isClustered, let last = try table.objectID(at: .last),
      last.rawValue < .max,
      let stored = try session.view.value(.main, MainKey.nextObjectID(table.resolved.id))
    else { return }
    if stored.count != 8 || UInt64(littleEndian: stored.load(UInt64.self, at: 0)) <= last.rawValue {
      note(table, last, "its ID would be given out again")
    }
  }
}
