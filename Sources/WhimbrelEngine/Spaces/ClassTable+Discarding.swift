internal import WhimbrelLMDB

// A damaged object can be rewritten with the values that can still be read. Its record is not a
// reliable source of its index entries, so these are found by its object ID.
extension ClassTable {
  /// The error for a value that cannot be read and has neither nil nor a default to replace it.
  package struct UnreadableValue: Error {
    /// The position of the property in its class.
    package let position: Int
  }

  /// Returns whether an object exists and a part of it cannot be read.
  package func isDamaged(_ id: ObjectID) throws -> Bool {
    try session.requireOpen()
    guard let record = try session.view.value(objects, id.rawValue) else { return false }
    return damage(of: id, record) != nil
  }

  /// Rewrites a damaged object: with the given values, with values that can be read without the
  /// checksum, and otherwise with nil or the default. The object keeps its ID and primary key.
  ///
  /// - Parameter values: The new values, by the positions of their properties.
  /// - Returns: The positions of the properties whose values are lost.
  /// - Throws: ``UnreadableValue`` if a lost value can be replaced by neither nil nor a default,
  ///   and ``StoreError`` for a value that cannot be stored. The caller then rolls the write back.
  /// - Complexity: O(*n*) in the number of objects of the class.
  package func discardDamage(
    of id: ObjectID, giving values: [Int: PropertyValue]
  ) throws -> [Int] {
    let view = try session.requireWriting("change an object")
    guard let record = try view.reading.value(objects, id.rawValue)?.array else {
      throw resolved.deleted(id)
    }
    var discarded = try PageBytes.with(record) { try encode($0, id, values) }
    let new = try encoder.finish(id)
    let stale = try records.indexes.map { try entries(of: id, in: $0) }
    try removeAll(of: id, stale, in: view)
    let change = RecordChange(id, from: nil, to: new, encoder.pending.ifAny)
    let changes = try explaining(id) { try records.indexChanges(of: change, in: view) }
    if !ownedLinks.isEmpty { try requireNoOwners(changes) }
    if handles.hasUniqueIndex { try requireUnique(change, changes, view) }
    try explaining(id) { _ = try records.write(change, changes, in: view) }
    session.didWrite()
    // Delete the embedded objects that no value links to any more.
    try removeChildren(
      zip(records.indexes, stale).compactMap { index, before in
        let after = changes.first { $0.index.table == index.table }?.added ?? []
        return IndexChange(index, from: before, to: after)
      })
    // If the index contradicts a value, the value was lost, although something can be read.
    for (index, before) in zip(records.indexes, stale) {
      guard case .property(let position) = index.subject, values[position] == nil,
        !discarded.contains(position)
      else { continue }
      let after = changes.first { $0.index.table == index.table }?.added ?? []
      if Set(before.map(\.key)) != Set(after.map(\.key)) { discarded.append(position) }
    }
    return discarded
  }

  /// Encodes the new record, and returns the positions of the lost values.
  private func encode(
    _ record: PageBytes, _ id: ObjectID, _ values: [Int: PropertyValue]
  ) throws -> [Int] {
    var discarded: [Int] = []
    encoder.begin()
    for (position, property) in resolved.properties.enumerated() {
      if let value = values[position] {
        try encoder.set(position, value)
      } else if let value = readable(position, of: record, id) {
        try encoder.setStored(position, value)
      } else {
        // A nil or default key would belong to another object.
        guard !property.isPrimaryKey, let value = property.makeDefault(nil) else {
          throw UnreadableValue(position: position)
        }
        try encoder.set(position, value)
        discarded.append(position)
      }
    }
    return discarded
  }

  /// Returns a value that can be read and is valid for the property, or nil.
  private func readable(_ position: Int, of record: PageBytes, _ id: ObjectID) -> PropertyValue? {
    let property = resolved.properties[position]
    if property.isPrimaryKey, resolved.isClustered { return .int(id.clusteredKey) }
    let overflow = Overflow(session.view, overflowTable, id, seed: resolved.checksumSeed(id))
    guard let layout = resolved.layout(of: record),
      let value = try? layout.value(position, of: record, overflow)
    else { return nil }
    // Reading a string repairs it, so the bytes are compared.
    if case .string(let text) = value, let field = layout.fields[position], field.type == .string,
      let bytes = record.variable(at: field.slot), !text.utf8.elementsEqual(bytes.array)
    {
      return nil
    }
    if value.isNull, property.makeDefault(nil)?.isNull == true { return value }
    guard let checked = try? property.checked(value, in: name) else { return nil }
    if property.isPrimaryKey {
      guard let other = try? find(checked), other == id else { return nil }
    }
    return checked.linkTargets.allSatisfy { exists($0, property) } ? checked : nil
  }

  /// Returns whether the target of a link exists, damaged or not.
  private func exists(_ target: LinkTarget, _ property: CatalogProperty) -> Bool {
    let found: (table: ClassTable?, id: ObjectID) =
      switch target {
      case .object(let id): (property.type.linkedClass.flatMap { try? session.table($0) }, id)
      case .reference(let reference):
        (session.find(reference.classID), reference.id)
      }
    guard let table = found.table else { return false }
    return (try? session.view.value(table.objects, found.id.rawValue)) != nil
  }

  /// Returns the entries of an object in an index.
  ///
  /// - Complexity: O(*n*).
  private func entries(of id: ObjectID, in index: TableIndex) throws -> [IndexEntry] {
    var entries: [IndexEntry] = []
    let cursor = try session.view.cursor(index.table)
    var isInside = try cursor.move(to: .first)
    while isInside {
      if index.object(of: cursor.key, cursor.value) == id {
        entries.append(IndexEntry(key: cursor.key.array, content: cursor.value.array))
      }
      isInside = try cursor.move(to: .next)
    }
    return entries
  }

  /// Removes a record, its overflow and its index entries, but nothing that it links to.
  private func removeAll(
    of id: ObjectID, _ entries: [[IndexEntry]], in view: WriteView
  ) throws {
    for (index, entries) in zip(records.indexes, entries) {
      for entry in entries {
        try PageBytes.with(entry.key) { key throws(LMDBError) in
          _ = try view.remove(index.table, key)
        }
      }
    }
    try records.overflowWriter(of: id, in: view).removeAll()
    try view.remove(objects, id.rawValue)
    records.upperBound = nil
    records.endTransaction()
  }
}
