/// The checksum after the value of an entry, in a table whose entries are guarded.
///
/// It covers the key, the value, the name of the table and a salt. An entry that belongs to another
/// table or another store therefore counts as damaged, too.
enum EntryChecksum {
  /// The size of the checksum, in bytes.
  static let size = 4

  /// Returns the seed of the checksums of a table. Never 0.
  static func seed(of name: String, salt: UInt64 = 0) -> UInt64 {
    PageBytes.with(Array(name.utf8)) { Checksum.hash64($0, seed: salt) } | 1
  }

  @inline(__always)
  static func of(_ key: PageBytes, _ value: PageBytes, seed: UInt64) -> UInt32 {
    var hash = Checksum.hash64(key, seed: seed)
    // Most entries have only a key.
    if value.count > 0 { hash = Checksum.hash64(value, seed: hash) }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Returns the value without its checksum, or nil if the entry is damaged.
  @inline(__always)
  static func value(in stored: PageBytes, of key: PageBytes, seed: UInt64) -> PageBytes? {
    let count = stored.count - size
    guard count >= 0, let value = stored.slice(at: 0, count: count),
      UInt32(littleEndian: stored.load(UInt32.self, at: count)) == of(key, value, seed: seed)
    else { return nil }
    return value
  }
}

extension Table {
  /// The same table without checks: its values include the checksums of their entries. It is for
  /// code that looks for damage.
  package var unchecked: Table { Table(handle: handle, keys: keys, guarding: guarding) }

  /// Returns the value of an entry that was read from ``unchecked``, or nil if the entry is
  /// damaged. Call it on the table with checks.
  package func value(in stored: PageBytes, of key: PageBytes) -> PageBytes? {
    seed == 0 ? stored : EntryChecksum.value(in: stored, of: key, seed: seed)
  }

  /// Returns the value of an entry that LMDB has read.
  ///
  /// - Throws: ``LMDBError`` with ``PageDamage``.
  func checked(_ stored: PageBytes, _ key: PageBytes) throws(LMDBError) -> PageBytes {
    guard let value = EntryChecksum.value(in: stored, of: key, seed: seed) else {
      throw LMDBError(PageDamage(table: nil, failure: .damagedEntry))
    }
    return value
  }
}
