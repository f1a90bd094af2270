package import WhimbrelLMDB

/// A walk through the objects of a class, in an order that another store also has: by object ID or
/// by primary key.
///
/// Two walks in the same order visit the same objects in the same order, whatever the stores. So a
/// merge of both needs no memory for the objects between them.
package struct ObjectWalk {
  /// The order in which objects are visited.
  package enum Order: Hashable, Sendable {
    case objectID, primaryKey
  }

  /// An object and its position in the order.
  package struct Entry {
    /// The bytes by which objects are ordered.
    package let key: [UInt8]
    package let id: ObjectID
    /// The record, whose checksums are valid. It can be used as long as the epoch of the session is
    /// the same.
    package let record: PageBytes

    /// Returns whether the record of another object has the same bytes.
    package func hasSameBytes(as other: Entry) -> Bool { record.isEqual(to: other.record) }
  }

  private let table: ClassTable
  private let cursor: Cursor
  /// Whether the cursor visits the keys and not the records.
  private let followsKeys: Bool
  private var hasBegun = false

  /// Creates a walk. For the order by primary key, the class must have a primary key.
  ///
  /// - Throws: ``StoreError`` with `damaged` if the numbers of keys and objects differ, so that
  ///   some objects would not be visited.
  package init(_ table: ClassTable, by order: Order) throws {
    try table.session.requireOpen()
    self.table = table
    let view = table.session.view
    // Clustered classes have no separate keys: their object IDs have that order.
    guard order == .primaryKey, let keys = table.keys else {
      cursor = try view.cursor(table.objects)
      followsKeys = false
      return
    }
    guard try view.count(keys) == view.count(table.objects) else {
      throw StoreError.damaged(
        path: table.session.file.path,
        detail: "class '\(table.name)' does not have as many primary keys as objects")
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
      return Entry(key: id.key, id: id, record: record)
    }
    let content = cursor.value
    let id = ObjectID(
      rawValue: content.count == 8
        ? UInt64(littleEndian: content.load(UInt64.self, at: 0)) : 0)
    guard let record = try table.record(id) else {
      throw table.damagedRecord(id, "its primary key exists, but it does not")
    }
    try table.verify(record, id)
    let key = cursor.key.array
    guard try Self.key(of: record, id, in: table) == key else {
      throw table.damagedRecord(id, "it is found by a primary key that it does not have")
    }
    return Entry(key: key, id: id, record: record)
  }

  /// Returns an object by its ID, or nil if it does not exist.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  package static func entry(_ id: ObjectID, of table: ClassTable, by order: Order) throws -> Entry?
  {
    guard let record = try table.record(id) else { return nil }
    try table.verify(record, id)
    if order == .primaryKey, table.keys != nil {
      return Entry(key: try key(of: record, id, in: table), id: id, record: record)
    }
    return Entry(key: id.key, id: id, record: record)
  }

  /// Returns the encoded primary key of an object, from its record.
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
