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

  let session: Session
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

  mutating func note(_ table: ClassTable, _ id: ObjectID?, _ problem: String) {
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
        try table.explaining(id) { try check(record, id, in: table, &entries) }
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
    try checkClassIndexes(of: table)
    if let keys = table.keys, try session.view.count(keys) != objects {
      note(table, nil, "the primary key's index has not one entry for each object")
    }
    try checkExtents(of: table)
    try checkNextObjectID(of: table)
  }

  private mutating func check(
    _ record: PageBytes, _ id: ObjectID, in table: ClassTable, _ entries: inout [Int: Int]
  ) throws {
    let layout = try table.layout(of: record, id)
    if let position = table.resolved.primaryKeyIndex {
      let key = try layout.value(position, of: record, table.extents(of: id))
      if try table.find(key) != id { note(table, id, "its primary key does not lead to it") }
    }
    for (position, index) in table.indexes {
      let property = table.resolved.properties[position]
      for entry in try table.resolved.indexEntries(
        position, of: record, layout, id, table.extents(of: id))
      {
        entries[position, default: 0] += 1
        guard let content = try session.view.value(index, entry.key) else {
          note(table, id, "the index of '\(property.name)' lacks it")
          continue
        }
        if property.type.holdsLinks, IndexEntry.count(content) != entry.count {
          note(table, id, "the index of '\(property.name)' counts its links wrongly")
        }
      }
    }
    for position in table.resolved.links + table.resolved.openLinks {
      let property = table.resolved.properties[position]
      let value = try layout.value(position, of: record, table.extents(of: id))
      for target in value.linkTargets where try !exists(target, property.type) {
        note(table, id, "its link '\(property.name)' leads to \(target), which is not there")
      }
    }
    if table.resolved.isEmbedded {
      let count = try table.linkCount(to: id)
      if count != 1 { note(table, id, "it is embedded, and \(count) links lead to it") }
    }
  }

  private func exists(_ target: LinkTarget, _ type: PropertyType) throws -> Bool {
    switch target {
    case .object(let id): try session.find(type.linkedClass ?? "")?.record(id) != nil
    case .reference(let reference):
      try session.classes.first { $0.resolved.id == reference.classID }?
        .record(reference.id) != nil
    }
  }

  /// Every extent belongs to a record that speaks of it, and every chunk and node is
  /// one that can be reached.
  private mutating func checkExtents(of table: ClassTable) throws {
    guard let extents = table.extentTable else { return }
    let cursor = try session.view.cursor(extents)
    var last: (id: ObjectID, property: PropertyID)?
    var isInside = try cursor.move(to: .first)
    while isInside {
      let key = cursor.key
      if key.count == 16 {
        let id = ObjectID(rawValue: key.loadBigEndian(at: 0))
        let property = PropertyID(rawValue: UInt32(key.loadBigEndian(at: 8) >> 32))
        if last?.id != id || last?.property != property {
          try checkExtents(of: property, id, in: table)
          last = (id, property)
        }
      } else {
        note(table, nil, "an extent has an impossible key")
      }
      isInside = try cursor.move(to: .next)
    }
  }

  private mutating func checkExtents(
    of property: PropertyID, _ id: ObjectID, in table: ClassTable
  ) throws {
    guard let record = try? table.record(id), let layout = try? table.layout(of: record, id),
      let field = layout.layout.fields.first(where: { $0.property == property }),
      field.type.isVariable, record.isExternal(at: field.offset)
    else { return note(table, id, "parts of it are stored that it does not speak of") }
    do {
      let found = try table.extents(of: id).numbers(of: property)
      let reachable = try table.extents(of: id).reachable(field, of: record)
      if Set(found) != Set(reachable) || reachable.count != found.count {
        note(table, id, "not all stored parts of property \(property.rawValue) can be reached")
      }
      if let element = field.type.elementType {
        let reader = try CollectionReader(record, field, element, table.extents(of: id))
        for problem in try reader.check() { note(table, id, problem) }
      }
    } catch let error as DamagedRecord {
      note(table, id, error.detail)
    } catch let error as DamagedCollection {
      note(table, id, "\(error)")
    }
  }

  /// IDs that are given out next must not be those of objects.
  private mutating func checkNextObjectID(of table: ClassTable) throws {
    // The number is stored when a write is committed, not before.
    guard !session.isWriting, !table.resolved.isClustered,
      let last = try table.objectID(at: .last), last.rawValue < .max,
      let stored = try session.view.value(.main, MainKey.nextObjectID(table.resolved.id))
    else { return }
    if stored.count != 8 || UInt64(littleEndian: stored.load(UInt64.self, at: 0)) <= last.rawValue {
      note(table, last, "its ID would be given out again")
    }
  }
}
