package import WhimbrelLMDB

/// Bytes that a key is made of, one part after the other.
package protocol KeyBytes {
  mutating func append(_ byte: UInt8)
  /// Appends a copy of bytes.
  mutating func append(_ bytes: PageBytes)
}

extension [UInt8]: KeyBytes {}

/// Room in which one key after the other is made: appending costs a third of what it does to an
/// array.
@safe
final class KeyBuffer: KeyBytes {
  private let base: UnsafeMutableRawPointer
  /// How many bytes the key has.
  // Safe: a buffer is used by one call after the other.
  @safe @exclusivity(unchecked) private(set) var count = 0

  /// More than any key has: LMDB takes 511 bytes.
  private static let room = 1_024

  init() {
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: Self.room, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  func removeAll() { count = 0 }

  @inline(__always)
  func append(_ byte: UInt8) {
    precondition(count < Self.room)
    // Safe: the line above.
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  func append(_ bytes: PageBytes) {
    precondition(bytes.count <= Self.room - count)
    // Safe: the line above.
    unsafe (base + count).copyMemory(from: bytes.base, byteCount: bytes.count)
    count += bytes.count
  }

  /// The key, which is valid until it is changed.
  var bytes: PageBytes { unsafe PageBytes(base: base, count: count) }
}
