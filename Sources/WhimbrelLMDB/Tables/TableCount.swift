/// The number of a table's entries, kept a second time in the main table: the header of a table has
/// no checksum, and counting is the only other way to find a damaged one.
///
/// It is a ``CheckedNumber`` of the table's name.
enum TableCount {
  /// Returns the key in the main table. It sorts behind the table's own name.
  static func key(of name: String) -> String { name + "#" }

  /// Compares the number of entries that a table claims with the one that is kept.
  ///
  /// A table without a kept number passes: that of a file which an earlier version wrote. So does
  /// one whose number is not found; it takes two damaged places to make that wrong.
  ///
  /// - Throws: ``LMDBError`` with ``PageDamage``.
  static func check(
    _ entries: UInt64, against kept: PageBytes?, of name: String
  ) throws(LMDBError) {
    guard let kept, CheckedNumber.decode(kept, of: name) != entries else { return }
    throw LMDBError(PageDamage(table: name, failure: .damagedCount(entries)))
  }
}

extension TableName {
  /// Returns the name of the table that an entry of the main table counts, or nil if the entry is
  /// none of a count.
  package static func counted(by key: String) -> String? {
    key.hasSuffix("#") ? String(key.dropLast()) : nil
  }
}
