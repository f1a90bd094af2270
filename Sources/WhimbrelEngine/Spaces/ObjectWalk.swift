package import WhimbrelLMDB

/// A walk through the objects of a class, in an order that another store has too: that of the
/// object IDs, or of the primary keys.
///
/// Two walks of one order meet the same objects in the same order, whatever the stores: a merge
/// of both needs no memory for the objects between them.
package struct ObjectWalk {
  /// The order in which objects are met.
  package enum Order: Hashable, Sendable {
    case objectID, primaryKey
  }

  /// An object, and where it stands in the order.
  package struct Entry {
    /// The bytes by which objects are ordered.
    package let key: [UInt8]
    package let id: ObjectID
    /// The record, whose checksums are right. It is valid as long as the epoch of the
    /// session stays.
    package let record: PageBytes

    /// Returns whether the record of another object has the same bytes.
    package func hasSameBytes(as other: Entry) -> Bool { record.isEqual(to: other.record) }
  }

  private let table: ClassTable
  private let cursor: Cursor
  /// Whether the cursor goes through the keys and not through the records.
  private let followsKeys: Bool
  private var hasBegun = false

  /// Makes a walk; the class has a primary key if that is the order.
  ///
  /// - Throws: ``StoreError`` with `damaged` when the keys are not as many as the objects, so
  ///   that some would not be met.
  package init(_ table: ClassTable, by order: Order) throws {
    try table.session.requireOpen()
    self.table = table
    let view = table.session.view
    // Clustered classes have no keys apart: their object IDs are in that order.
    guard order == .primaryKey, let keys = table.keys else {
      cursor = try view.cursor(table.objects)
      followsKeys = false
      return
    }
    guard try view.count(keys) == view.count(table.objects) else {
      throw StoreError.damaged(
        path: table.session.file.path,
        detail: "class '\(table.name)' has another number of primary keys than of objects")
    }
    cursor = try view.cursor(keys)
    followsKeys = true
  }

  /// Returns the next object, or nil after the last.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  /// - Complexity: O(1) by object ID, and O(log *n*) by primary key.
  package mutating func next() throws -> Entry? {
    let isInside = try cursor.move(to: hasBegun ? .next : .first)
    hasBegun = true
    guard isInside else { return nil }
    guard followsKeys else {
      let id = ObjectID(rawValue: cursor.integerKey)
      let record = cursor.value
      try table.verify(record, id)
      var key: [UInt8] = []
      KeyEncoding.append(id, to: &key)
      return Entry(key: key, id: id, record: record)
    }
    let content = cursor.value
    let id = ObjectID(
      rawValue: content.count == 8
        ? UInt64(littleEndian: content.load(UInt64.self, at: 0)) : 0)
    guard let record = try table.record(id) else {
      throw table.damagedRecord(id, "its primary key is there and it is not")
    }
    try table.verify(record, id)
    let key = cursor.key.array
    guard try self.key(of: record, id) == key else {
      throw table.damagedRecord(id, "it is found by another primary key than it has")
    }
    return Entry(key: key, id: id, record: record)
  }

  /// Returns the bytes of an object's own primary key, by its record.
  private func key(of record: PageBytes, _ id: ObjectID) throws -> [UInt8] {
    try Self.key(of: record, id, in: table)
  }

  /// Returns an object by its own primary key, or nil if it is not there.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  package static func entry(_ id: ObjectID, of table: ClassTable, by order: Order) throws -> Entry?
  {
    guard let record = try table.record(id) else { return nil }
    try table.verify(record, id)
    if order == .primaryKey, table.keys != nil {
      return Entry(key: try key(of: record, id, in: table), id: id, record: record)
    }
    var key: [UInt8] = []
    KeyEncoding.append(id, to: &key)
    return Entry(key: key, id: id, record: record)
  }

  private static func key(
    of record: PageBytes, _ id: ObjectID, in table: ClassTable
  ) throws -> [UInt8] {
    var key: [UInt8] = []
    guard let position = table.resolved.primaryKeyIndex else { return key }
    let layout = try table.layout(of: record, id)
    try table.explaining(id) {
      try table.resolved.appendKey(position, of: record, layout, table.overflow(of: id), to: &key)
    }
    return key
  }
}
