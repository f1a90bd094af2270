package import WhimbrelLMDB

/// An index of several properties, or a unique or full-text one, with its table.
package struct ClassIndex {
  package let index: ResolvedIndex
  package let table: Table
}

/// What a change of an object means to a ``ClassIndex``.
struct ClassIndexChange {
  let index: ClassIndex
  let removed: [[UInt8]]
  let added: [[UInt8]]

  func apply(_ view: WriteView) throws {
    for key in removed {
      try PageBytes.with(key) { key throws(LMDBError) in
        _ = try view.remove(index.table, key)
      }
    }
    for key in added { try view.put(index.table, key, []) }
  }
}

extension ClassTable {
  /// The full-text index of a property, or nil.
  package func fullTextIndex(_ position: Int) -> ClassIndex? {
    classIndexes.first { $0.index.kind == .fullText && $0.index.positions == [position] }
  }
}

// MARK: - Maintenance

extension ClassTable {
  /// The entries that a new object gets, whose record the encoder holds.
  ///
  /// - Throws: ``StoreError`` with `duplicateValues`, or `duplicatePrimaryKey` if the object
  ///   has that of another too.
  func newClassIndexEntries(_ record: PageBytes, _ id: ObjectID) throws -> [ClassIndexChange] {
    let extents = encoder.extents()
    return try classIndexes.map { index in
      do {
        try requireUnique(index, record, id, extents)
      } catch let error as StoreError
        where error.code == .duplicateValues && resolved.primaryKeyIndex != nil
      {
        let key = try encodedPrimaryKey()
        if try find(key) != nil { throw duplicate(key) }
        throw error
      }
      return ClassIndexChange(
        index: index, removed: [],
        added: try resolved.indexKeys(index.index, of: record, resolved.written, id, extents))
    }
  }

  /// What changes in the indexes when the object gets the record that the encoder holds.
  func classIndexChanges(
    from old: PageBytes, _ layout: ResolvedLayout, to record: PageBytes, _ id: ObjectID
  ) throws -> [ClassIndexChange] {
    let stored = extents(of: id)
    let new = encoder.extents(over: stored)
    return try classIndexes.compactMap { index in
      if index.index.positions.allSatisfy({ isSame($0, old, layout, record) }) { return nil }
      try requireUnique(index, record, id, new)
      let before = try resolved.indexKeys(index.index, of: old, layout, id, stored)
      let after = try resolved.indexKeys(index.index, of: record, resolved.written, id, new)
      if before == after { return nil }
      let (left, right) = (Set(before), Set(after))
      return ClassIndexChange(
        index: index, removed: before.filter { !right.contains($0) },
        added: after.filter { !left.contains($0) })
    }
  }

  /// Whether a property is known to be the same without a look at its value.
  private func isSame(
    _ position: Int, _ old: PageBytes, _ layout: ResolvedLayout, _ new: PageBytes
  ) -> Bool {
    guard layout === resolved.written, let field = layout.fields[position] else { return false }
    if let bit = field.presence, old.hasBit(bit) != new.hasBit(bit) { return false }
    let (start, size) = (field.offset, field.type.slotSize)
    guard field.type.isVariable else {
      guard let left = old.slice(at: start, count: size),
        let right = new.slice(at: start, count: size)
      else { return false }
      return left.isEqual(to: right)
    }
    if new.isExternal(at: start) {
      return old.isExternal(at: start) && encoder.pending[field.property] == nil
    }
    guard let left = old.variable(at: start), let right = new.variable(at: start) else {
      return false
    }
    return left.isEqual(to: right)
  }
}

// MARK: - Unique indexes

extension ClassTable {
  /// Throws when another object has the values, none of them nil, that the record of an
  /// object has in a unique index.
  func requireUnique(
    _ index: ClassIndex, _ record: PageBytes, _ id: ObjectID, _ extents: Extents
  ) throws {
    guard index.index.kind == .unique else { return }
    let values = try resolved.values(index.index, of: record, resolved.written, extents)
    guard let other = try object(with: values, in: index, except: id) else { return }
    var keys = primaryKeys([id, other])
    // A new object is not in the table yet.
    if keys[id] == nil, let position = resolved.primaryKeyIndex {
      keys[id] = try resolved.written.value(position, of: record, extents)
    }
    throw StoreError.duplicateValues(
      class: name, properties: index.index.positions.map { resolved.properties[$0].name },
      values: values, objectID: id, existing: other, keys: keys)
  }

  /// The object that has the values, none of them nil, of a unique index, or nil.
  private func object(
    with values: [PropertyValue], in index: ClassIndex, except id: ObjectID
  ) throws -> ObjectID? {
    if values.contains(where: \.isNull) { return nil }
    let prefix = index.index.prefix(values)
    let isTruncated = index.index.isTruncated(values)
    let cursor = try session.view.cursor(index.table)
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

  /// Whether an object has values of which a key does not hold all.
  private func has(
    _ values: [PropertyValue], _ id: ObjectID, of index: ClassIndex
  ) throws -> Bool {
    guard let record = try record(id) else { return false }
    for (position, value) in zip(index.index.positions, values) {
      // What is not cut is in the key, which is the same.
      guard case .string = value else { continue }
      if try self.value(position, of: record, id) != value { return false }
    }
    return true
  }
}
