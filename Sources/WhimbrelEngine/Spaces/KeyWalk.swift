package import WhimbrelLMDB

/// A walk through the primary keys of a class, in their order, without its records.
///
/// The entries that it meets have checksums, which are right. Records are not looked at: ``ObjectWalk``
/// compares both.
package struct KeyWalk {
  private let cursor: Cursor
  private var hasBegun = false

  /// A primary key, as it is encoded, and the object that has it. It is valid until the next step.
  package struct Entry {
    package let key: PageBytes
    package let id: ObjectID
  }

  /// Makes a walk; nil for a class that has no keys apart from its object IDs, or another number
  /// of keys than of objects.
  package init?(_ table: ClassTable) throws {
    try table.session.requireOpen()
    let view = table.session.view
    guard let keys = table.keys, try view.count(keys) == view.count(table.objects) else {
      return nil
    }
    cursor = try view.cursor(keys)
  }

  /// Returns the next key, or nil after the last.
  package mutating func next() throws -> Entry? {
    let isInside = try cursor.move(to: hasBegun ? .next : .first)
    hasBegun = true
    guard isInside, cursor.value.count == 8 else { return nil }
    let id = UInt64(littleEndian: cursor.value.load(UInt64.self, at: 0))
    return Entry(key: cursor.key, id: ObjectID(rawValue: id))
  }
}
