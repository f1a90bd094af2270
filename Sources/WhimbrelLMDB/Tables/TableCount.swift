/// The number of a table's entries, kept a second time in the main table: the header of a table has
/// no checksum, and counting is the only other way to find a damaged one.
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 8 | the number of entries |
/// | 8 ..< 12 | checksum |
enum TableCount {
  /// Returns the key in the main table. It sorts behind the table's own name.
  static func key(of name: String) -> String { name + "#" }

  static func encode(_ count: UInt64, of name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: count)
    bytes.append(littleEndian: checksum(count, of: name))
    return bytes
  }

  /// Returns the number, or nil when its bytes are damaged.
  static func decode(_ bytes: PageBytes, of name: String) -> UInt64? {
    guard bytes.count == 12 else { return nil }
    let count = UInt64(littleEndian: bytes.load(UInt64.self, at: 0))
    let found = UInt32(littleEndian: bytes.load(UInt32.self, at: 8))
    return found == checksum(count, of: name) ? count : nil
  }

  private static func checksum(_ count: UInt64, of name: String) -> UInt32 {
    var count = count.littleEndian
    return PageBytes.with(&count) {
      EntryChecksum.of($0, .empty, seed: EntryChecksum.seed(of: name))
    }
  }
}

extension TableName {
  /// Returns the name of the table that an entry of the main table counts, or nil when the entry is
  /// none of a count.
  package static func counted(by key: String) -> String? {
    key.hasSuffix("#") ? String(key.dropLast()) : nil
  }
}
