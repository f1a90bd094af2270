/// A number with a checksum, as the value of an entry of the main table.
///
/// The checksum covers the number and a name for its meaning, so the number of one table is not
/// valid for another.
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 8 | the number |
/// | 8 ..< 12 | checksum |
enum CheckedNumber {
  static func encode(_ number: UInt64, of name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: checksum(number, of: name))
    return bytes
  }

  /// Returns the number, or nil if its bytes are damaged.
  static func decode(_ bytes: PageBytes, of name: String) -> UInt64? {
    guard bytes.count == 12 else { return nil }
    let number = UInt64(littleEndian: bytes.load(UInt64.self, at: 0))
    let found = UInt32(littleEndian: bytes.load(UInt32.self, at: 8))
    return found == checksum(number, of: name) ? number : nil
  }

  private static func checksum(_ number: UInt64, of name: String) -> UInt32 {
    var number = number.littleEndian
    return PageBytes.with(&number) {
      EntryChecksum.of($0, .empty, seed: EntryChecksum.seed(of: name))
    }
  }
}
