internal import WhimbrelLMDB

// The search for the entries that differ between an index and the records.
extension IntegrityCheck {
  /// Records a finding for each entry that an index lacks, and for each that it should not have.
  mutating func search(
    _ index: TableIndex, of table: ScannedClass, expected: RecordTally, found: IndexTally
  ) throws {
    guard let objects = table.objects else { return }
    let place = table.indexes.firstIndex { $0.table == index.table } ?? 0
    let expectedCount = expected.entries[place].count
    if found.count != expectedCount, expected.damaged.isEmpty {
      let problem =
        index.kind == .primaryKey
        ? "the primary key's index does not have one entry for each object"
        : "the \(index.name(in: table.resolved)) has \(found.count) entries instead of \(expectedCount)"
      findings.add(index.kind, table, nil, property: index.property(in: table.resolved), problem)
    }
    let cursor = try view.cursor(objects)
    var isInside = try cursor.move(to: .first)
    while isInside, !findings.isFull {
      let id = ObjectID(rawValue: cursor.integerKey)
      // The scan has already reported a damaged record.
      if !expected.damaged.contains(id) { try findLacking(index, cursor.value, id, table) }
      isInside = try cursor.move(to: .next)
    }
    try findSurplus(index, of: table, objects, expected.damaged)
  }

  private mutating func findLacking(
    _ index: TableIndex, _ record: PageBytes, _ id: ObjectID, _ table: ScannedClass
  ) throws {
    guard let entries = try entries(of: index, record, id, table) else { return }
    for entry in entries {
      let stored = try view.value(index.table.unchecked, entry.key)
      let content = PageBytes.with(entry.key) { key in
        stored.flatMap { index.table.value(in: $0, of: key) }
      }
      if let content, content.isEqual(to: entry.content) { continue }
      let problem =
        if case .key = index.subject {
          "a lookup by its primary key does not find it"
        } else if stored == nil {
          "the \(index.name(in: table.resolved)) does not contain it"
        } else if content == nil {
          "its entry in the \(index.name(in: table.resolved)) has a wrong checksum"
        } else {
          "the \(index.name(in: table.resolved)) has a wrong count of its links"
        }
      findings.add(index.kind, table, id, property: index.property(in: table.resolved), problem)
    }
  }

  private mutating func findSurplus(
    _ index: TableIndex, of table: ScannedClass, _ objects: Table, _ damaged: Set<ObjectID>
  ) throws {
    let cursor = try view.cursor(index.table.unchecked)
    var isInside = try cursor.move(to: .first)
    while isInside, !findings.isFull {
      let key = cursor.key
      let content = index.table.value(in: cursor.value, of: key)
      if let content, let id = index.object(of: key, content) {
        if !damaged.contains(id) {
          let record = try view.value(objects, id.rawValue)
          let isRight = try record.map { record in
            try entries(of: index, record, id, table)?.contains { key.isEqual(to: $0.key) } ?? true
          }
          if isRight != true {
            findings.add(
              index.kind, table, id, property: index.property(in: table.resolved),
              isRight == nil
                ? "the \(index.name(in: table.resolved)) contains it, but it does not exist"
                : "the \(index.name(in: table.resolved)) contains it under a wrong value"
            )
          }
        }
      } else {
        findings.add(
          index.kind, table, nil, property: index.property(in: table.resolved),
          content == nil
            ? "an entry of the \(index.name(in: table.resolved)) has a wrong checksum"
            : "an entry of the \(index.name(in: table.resolved)) is invalid")
      }
      isInside = try cursor.move(to: .next)
    }
  }

  /// Returns the index entries that a record should have, or nil for a damaged record, which has
  /// been reported already.
  private func entries(
    of index: TableIndex, _ record: PageBytes, _ id: ObjectID, _ table: ScannedClass
  ) throws -> [(key: [UInt8], content: [UInt8])]? {
    guard let layout = table.resolved.layout(of: record) else { return nil }
    var entries: [(key: [UInt8], content: [UInt8])] = []
    var scratch = KeyBuffer()
    do {
      try index.forEachEntry(
        of: record, layout, id, table.overflow(view, id), in: table.resolved, using: &scratch
      ) { entries.append(($0.array, $1.array)) }
      return entries
    } catch is DamagedRecord {
      return nil
    }
  }

  // MARK: - Unique indexes

  /// Checks that no two objects have the same values in a unique index, unless a value is nil.
  mutating func checkUniqueness(
    of values: ResolvedIndex, _ index: TableIndex, in table: ScannedClass
  ) throws {
    let cursor = try view.cursor(index.table.unchecked)
    var before: (prefix: [UInt8], id: ObjectID)?
    var isInside = try cursor.move(to: .first)
    while isInside, !findings.isFull {
      let key = cursor.key
      if key.count > 8, let prefix = key.slice(at: 0, count: key.count - 8) {
        let id = ObjectID(rawValue: key.loadBigEndian(at: key.count - 8))
        if let known = before, prefix.isEqual(to: known.prefix) {
          if try haveSameValues(known.id, id, values, table) {
            findings.add(
              .index, table, id,
              "it has the same values as "
                + "\(Sentence.object(known.id, table.resolved.key(of: known.id))) "
                + "in the \(index.name(in: table.resolved))")
          }
          before?.id = id
        } else {
          before = (prefix.array, id)
        }
      }
      isInside = try cursor.move(to: .next)
    }
  }

  /// Returns whether two objects with equal index keys also have equal values, none of which is
  /// nil.
  private func haveSameValues(
    _ first: ObjectID, _ second: ObjectID, _ index: ResolvedIndex, _ table: ScannedClass
  ) throws -> Bool {
    guard let left = try values(of: first, index, table),
      let right = try values(of: second, index, table), !left.contains(where: \.isNull)
    else { return false }
    // Index keys keep only the beginning of long strings. Keys of other types determine the value.
    return zip(left, right).allSatisfy { left, right in
      if case .string = left { left == right } else { true }
    }
  }

  private func values(
    of id: ObjectID, _ index: ResolvedIndex, _ table: ScannedClass
  ) throws -> [PropertyValue]? {
    guard let objects = table.objects, let record = try view.value(objects, id.rawValue),
      let layout = table.resolved.layout(of: record)
    else { return nil }
    return try? table.resolved.values(index, of: record, layout, table.overflow(view, id))
  }
}

extension TableIndex {
  /// The kind of a finding about the index.
  fileprivate var kind: IntegrityCheck.Finding.Kind {
    if case .key = subject { .primaryKey } else { .index }
  }

  /// Returns the name of the indexed property, or nil if the index holds several.
  fileprivate func property(in resolved: ResolvedClass) -> String? {
    switch subject {
    case .key(let position), .property(let position): resolved.properties[position].name
    case .values: nil
    }
  }
}
