package import WhimbrelLMDB

/// A walk through the primary keys of a class, in their order, without its records.
///
/// The checksums of the entries that it visits are valid. Records are not read: ``ObjectWalk``
/// compares keys and records.
package struct KeyWalk {
  private let table: ClassTable
  private let cursor: Cursor
  private var hasBegun = false

  /// An encoded primary key and the object that has it. It is valid until the next step.
  package struct Entry {
    package let key: PageBytes
    package let id: ObjectID
  }

  /// Creates a walk. Nil if the class has no keys apart from its object IDs, or if the numbers of
  /// keys and objects differ.
  package init?(_ table: ClassTable) throws {
    try table.session.requireOpen()
    let view = table.session.view
    guard let keys = table.keys, try view.count(keys) == view.count(table.objects) else {
      return nil
    }
    self.table = table
    cursor = try view.cursor(keys)
  }

  /// Returns the next key, or nil after the last.
  ///
  /// - Throws: ``StoreError`` with `damaged`.
  package mutating func next() throws -> Entry? {
    let isInside = try cursor.move(to: hasBegun ? .next : .first)
    hasBegun = true
    guard isInside else { return nil }
    guard cursor.value.count == 8 else {
      throw StoreError.damaged(
        path: table.session.file.path,
        detail: "the primary keys of '\(table.name)' have an entry that is too short")
    }
    let id = UInt64(littleEndian: cursor.value.load(UInt64.self, at: 0))
    return Entry(key: cursor.key, id: ObjectID(rawValue: id))
  }
}
