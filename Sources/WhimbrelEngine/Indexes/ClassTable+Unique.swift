internal import WhimbrelLMDB

extension ClassTable {
  /// Checks that no other object has the values that a change gives to an object in a unique index.
  /// Values that include nil are never duplicates.
  ///
  /// - Parameter defers: Whether another object with the values is an error only if both still have
  ///   them when the write ends.
  /// - Throws: ``StoreError`` with `duplicateValues`, or with `duplicatePrimaryKey` if the object
  ///   is new and its primary key is taken too.
  func requireUnique(
    _ change: RecordChange, _ changes: [IndexChange], _ view: WriteView, defers: Bool = false
  ) throws {
    for entry in changes {
      guard let index = entry.index.values, index.kind == .unique else { continue }
      let values = try index.positions.map { try records.newValue($0, of: change, in: view) }
      guard let other = try object(with: values, in: index, entry.index.table, except: change.id)
      else { continue }
      if defers || session.checksUniqueAtEnd {
        contested.insert(change.id)
        continue
      }
      var key: PropertyValue?
      if change.old == nil, let position = resolved.primaryKeyIndex {
        // The new object is not in the table yet, so any object found is another one.
        let new = try records.newValue(position, of: change, in: view)
        if try find(new) != nil { throw records.duplicateKey(new) }
        key = new
      }
      throw duplicateValues(change.id, key, other, index)
    }
  }

  /// Checks that no other object has the unique values of the objects in ``contested``, and forgets
  /// these objects: a later change of unique values is noted anew.
  ///
  /// - Throws: ``StoreError`` with `duplicateValues`.
  func requireUniqueContested() throws {
    for id in contested.sorted() {
      guard let record = try record(id) else { continue }
      for entry in records.indexes {
        guard let index = entry.values, index.kind == .unique else { continue }
        let values = try index.positions.map { try value($0, of: record, id) }
        if let other = try object(with: values, in: index, entry.table, except: id) {
          throw duplicateValues(id, nil, other, index)
        }
      }
    }
    contested.removeAll()
  }

  /// - Parameter key: The primary key of the object if it is new.
  private func duplicateValues(
    _ id: ObjectID, _ key: PropertyValue?, _ other: ObjectID, _ index: ResolvedIndex
  ) -> StoreError {
    var keys = primaryKeys([id, other])
    if let key { keys[id] = key }
    return StoreError.duplicateValues(
      class: name, properties: index.positions.map { resolved.properties[$0].name },
      objectID: id, existing: other, keys: keys)
  }

  /// Returns another object that has the values in a unique index, or nil. Values that include nil
  /// do not have duplicates.
  private func object(
    with values: [PropertyValue], in index: ResolvedIndex, _ table: Table, except id: ObjectID
  ) throws -> ObjectID? {
    if values.contains(where: \.isNull) { return nil }
    let prefix = index.prefix(values)
    let isTruncated = index.isTruncated(values)
    let cursor = try session.objectView.cursor(table)
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix) {
      if cursor.key.count == prefix.count + 8 {
        let other = ObjectID(rawValue: cursor.key.loadBigEndian(at: prefix.count))
        if other != id, try !isTruncated || has(values, other, of: index) { return other }
      }
      isInside = try cursor.move(to: .next)
    }
    return nil
  }

  /// Returns whether an object has these values. The check is needed for texts of which a key has
  /// only the beginning.
  private func has(
    _ values: [PropertyValue], _ id: ObjectID, of index: ResolvedIndex
  ) throws -> Bool {
    guard let record = try record(id) else { return false }
    for (position, value) in zip(index.positions, values) {
      // The key is equal, and it contains all other values completely.
      guard case .string = value else { continue }
      if try self.value(position, of: record, id) != value { return false }
    }
    return true
  }
}
