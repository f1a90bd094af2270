/// The number of a table's entries, stored a second time in the main table. The header of a table
/// has no checksum, so otherwise only counting would detect a damaged one.
///
/// It is a ``CheckedNumber`` of the table's name.
enum TableCount {
  /// Returns the key in the main table. It sorts after the table's own name.
  static func key(of name: String) -> String { name + "#" }

  /// Compares the number of entries in a table's header with the stored number.
  ///
  /// A table without a stored number is accepted: a file that an earlier version wrote has none. A
  /// number that is not found is accepted, too. It takes two separate damages to make that wrong.
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
  /// not a count.
  package static func counted(by key: String) -> String? {
    key.hasSuffix("#") ? String(key.dropLast()) : nil
  }
}
