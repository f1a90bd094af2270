package import WhimbrelLMDB

extension ClassTable {
  /// Returns the number of objects.
  ///
  /// - Complexity: O(1).
  package func count() throws -> Int {
    try session.requireOpen()
    return try session.view.count(objects)
  }

  /// Returns the layout of a record. The record is long enough for it.
  @inline(__always)
  package func layout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout {
    if let layout = resolved.layout(of: record) { return layout }
    throw damagedRecord(id, ResolvedClass.unknownLayout)
  }

  package var emptyRecord: PageBytes { emptyBuffer.bytes }

  package func damagedRecord(_ id: ObjectID, _ detail: String) -> StoreError {
    StoreError.damaged(
      path: session.file.path,
      detail: Sentence.unreadable(id, resolved.key(of: id), of: name, detail))
  }

  /// Returns the known primary keys of objects, for messages.
  func primaryKeys(_ ids: [ObjectID]) -> [ObjectID: PropertyValue] {
    var keys: [ObjectID: PropertyValue] = [:]
    for id in ids { keys[id] = primaryKey(of: id) }
    return keys
  }

  /// Returns the IDs of all objects, in order.
  ///
  /// - Complexity: O(*n*).
  package func objectIDs() throws -> [ObjectID] {
    try firstObjectIDs(.max)
  }

  /// Returns the IDs of the first objects.
  package func firstObjectIDs(_ limit: Int) throws -> [ObjectID] {
    try session.requireOpen()
    var ids: [ObjectID] = []
    ids.reserveCapacity(min(limit, try count()))
    let cursor = try session.view.cursor(objects)
    var isInside = try cursor.move(to: .first)
    while isInside, ids.count < limit {
      ids.append(ObjectID(rawValue: cursor.integerKey))
      isInside = try cursor.move(to: .next)
    }
    return ids
  }

  /// Returns the ID of the first or last object, or nil.
  package func objectID(at step: Cursor.Step) throws -> ObjectID? {
    try session.requireOpen()
    let cursor = try session.view.cursor(objects)
    return try cursor.move(to: step) ? ObjectID(rawValue: cursor.integerKey) : nil
  }

  /// Checks the checksums of a record and of its overflow.
  package func verify(_ record: PageBytes, _ id: ObjectID) throws {
    try explaining(id) {
      // A record that was converted in memory has no checksum, so the stored record is checked.
      let record = converts ? try session.objectView.value(objects, id.rawValue) ?? record : record
      // The overflow is read without checks, because `verify` checks it.
      try resolved.verify(record, id, Overflow(session.objectView, overflowTable, id, seed: nil))
    }
  }

  /// Calls `body`, and names the object in errors about its record.
  @inline(__always)
  package func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw explained(error, id) }
  }

  /// Returns an error about a record with the object's name.
  package func explained(_ error: any Error, _ id: ObjectID) -> any Error {
    (error as? DamagedRecord).map { damagedRecord(id, $0.detail) } ?? error
  }

  /// Returns the value of a property of a record.
  package func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue
  {
    let layout = try layout(of: record, id)
    return try explaining(id) { try layout.value(position, of: record, overflow(of: id)) }
  }

  /// Throws unless the type of a value is valid for the primary key.
  ///
  /// - Throws: ``StoreError`` with `noPrimaryKey` or `wrongType`.
  package func requireKey(_ key: PropertyValue) throws { try resolved.requireKey(key) }

  /// Returns the first objects whose indexed property has a value, in the order of their IDs.
  package func find(
    _ position: Int, equalTo value: PropertyValue, upTo most: Int = .max
  ) throws -> [ObjectID] {
    guard let index = indexes[position], most > 0 else { return [] }
    return try find(position, equalTo: value, in: index, upTo: most)
  }

  func find(
    _ position: Int, equalTo value: PropertyValue, in index: Table, upTo most: Int = .max
  ) throws -> [ObjectID] {
    let isTruncated = KeyEncoding.isTruncated(value)
    var prefix: [UInt8] = []
    prefix.reserveCapacity(64)
    KeyEncoding.append(value, isOptional: true, to: &prefix)
    let cursor = try session.view.cursor(index)
    var found: [ObjectID] = []
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix) {
      if cursor.key.count == prefix.count + 8 {
        found.append(ObjectID(rawValue: cursor.key.loadBigEndian(at: prefix.count)))
      }
      if !isTruncated, found.count >= most { break }
      isInside = try cursor.move(to: .next)
    }
    guard isTruncated else { return found }
    let equal = try found.filter { id in
      guard let record = try record(id) else { return false }
      return try self.value(position, of: record, id) == value
    }
    return Array(equal.prefix(most))
  }

  /// Returns the first object whose indexed property has a value, or nil.
  func findFirst(
    _ position: Int, equalTo value: PropertyValue, in index: Table
  ) throws -> ObjectID? {
    // Long strings may share a key, so the records are compared.
    if KeyEncoding.isTruncated(value) {
      return try find(position, equalTo: value, in: index, upTo: 1).first
    }
    var key = lookup.key
    key.removeAll()
    KeyEncoding.append(value, isOptional: true, to: &key)
    let prefix = key.bytes
    let cursor = try lookup.cursor(index, of: session)
    guard try cursor.seek(atLeast: prefix, isLookup: true) else { return nil }
    let found = cursor.key
    guard found.count == prefix.count + 8, found.hasEqualStart(prefix, count: prefix.count) else {
      return nil
    }
    return ObjectID(rawValue: found.loadBigEndian(at: prefix.count))
  }
}

extension ResolvedClass {
  /// Throws unless the type of a value is valid for the primary key.
  ///
  /// - Throws: ``StoreError`` with `noPrimaryKey` or `wrongType`.
  func requireKey(_ key: PropertyValue) throws {
    guard let position = primaryKeyIndex else { throw StoreError.noPrimaryKey(class: name) }
    let property = properties[position]
    guard key.mayBeKey(as: property.type) else {
      throw StoreError.wrongKeyType(
        class: name, property: property.name, expected: property.type, got: key.kind)
    }
  }
}

extension PropertyValue {
  /// Returns whether this value is valid for a primary key of a type.
  func mayBeKey(as type: PropertyType) -> Bool {
    if case .int = self { type.isInteger } else { isScalar(of: type) }
  }
}

extension ObjectID {
  /// Creates the object ID of a primary key in a clustered class. The sign bit is flipped, so that
  /// object IDs have the order of the keys.
  package init(clusteredKey key: Int64) {
    self.init(rawValue: UInt64(bitPattern: key) ^ (1 << 63))
  }

  /// Whether the ID is one of those that are assigned in order. Others are encoded primary keys.
  package var isGivenOut: Bool { rawValue < 1 << 62 }

  /// The primary key of this object in a clustered class.
  package var clusteredKey: Int64 { Int64(bitPattern: rawValue ^ (1 << 63)) }
}
