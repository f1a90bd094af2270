package import WhimbrelLMDB

/// Bytes that a key is made of, one part after the other.
package protocol KeyBytes {
  mutating func append(_ byte: UInt8)
  /// Appends a copy of bytes.
  mutating func append(_ bytes: PageBytes)
}

extension [UInt8]: KeyBytes {}

/// Room in which one key after the other is made: appending costs less than it does to an array.
@safe
final class KeyBuffer: KeyBytes {
  // Safe: a buffer is used by one call after the other.
  @safe @exclusivity(unchecked) private var base: UnsafeMutableRawPointer
  @safe @exclusivity(unchecked) private var room = 1_024
  /// How many bytes the key has.
  @safe @exclusivity(unchecked) private(set) var count = 0

  init() {
    base = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  func removeAll() { count = 0 }

  @inline(__always)
  func append(_ byte: UInt8) {
    if count == room { grow(1) }
    // Safe: the line above.
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  func append(_ bytes: PageBytes) {
    if bytes.count > room - count { grow(bytes.count) }
    // Safe: the line above.
    unsafe (base + count).copyMemory(from: bytes.base, byteCount: bytes.count)
    count += bytes.count
  }

  /// Makes room for more; keys that LMDB takes never need it.
  private func grow(_ more: Int) {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: 2 * (room + more), alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    base = unsafe larger
    room = 2 * (room + more)
  }

  /// The key, which is valid until it is changed.
  var bytes: PageBytes { unsafe PageBytes(base: base, count: count) }
}
