package import WhimbrelLMDB

/// A buffer that keys are appended to, part by part.
package protocol KeyBytes {
  mutating func append(_ byte: UInt8)
  mutating func append(_ bytes: PageBytes)
}

extension [UInt8]: KeyBytes {}

/// A buffer for one key after another. Appending to it costs less than appending to an array.
@safe
final class KeyBuffer: KeyBytes {
  // Safe: a buffer is used by one call at a time.
  @safe @exclusivity(unchecked) private var base: UnsafeMutableRawPointer
  @safe @exclusivity(unchecked) private var room = 1_024
  /// The length of the key, in bytes.
  @safe @exclusivity(unchecked) private(set) var count = 0

  init() {
    base = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  func removeAll() { count = 0 }

  @inline(__always)
  func append(_ byte: UInt8) {
    if count == room { grow(1) }
    // Safe: the line above makes room.
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  func append(_ bytes: PageBytes) {
    if bytes.count > room - count { grow(bytes.count) }
    // Safe: the line above makes room.
    unsafe (base + count).copyMemory(from: bytes.base, byteCount: bytes.count)
    count += bytes.count
  }

  /// Enlarges the buffer. Keys that LMDB accepts never need it.
  private func grow(_ more: Int) {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: 2 * (room + more), alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    base = unsafe larger
    room = 2 * (room + more)
  }

  /// The key, which is valid until the buffer changes.
  var bytes: PageBytes { unsafe PageBytes(base: base, count: count) }
}
