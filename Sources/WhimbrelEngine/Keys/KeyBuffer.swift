package import WhimbrelLMDB

/// Bytes that a key is made of, one part after the other.
package protocol KeyBytes {
  mutating func append(_ byte: UInt8)
  /// Appends a copy of bytes.
  mutating func append(_ bytes: PageBytes)
}

extension [UInt8]: KeyBytes {}

/// Room in which one key after the other is made: appending costs less than it does to an array.
struct KeyBuffer: KeyBytes {
  private var room = [UInt8](repeating: 0, count: 1_024)
  /// How many bytes the key has.
  private(set) var count = 0

  mutating func removeAll() { count = 0 }

  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    room[count] = byte
    count += 1
  }

  mutating func append(_ bytes: PageBytes) {
    makeRoom(for: bytes.count)
    // Safe: the line above.
    unsafe room.withUnsafeMutableBytes { room in
      unsafe (room.baseAddress! + count).copyMemory(from: bytes.base, byteCount: bytes.count)
    }
    count += bytes.count
  }

  private mutating func makeRoom(for more: Int) {
    if count + more <= room.count { return }
    room += [UInt8](repeating: 0, count: count + more)
  }

  /// Calls `body` with the key, which is valid until it returns.
  @inline(__always)
  func with<Result, Failure: Error>(
    _ body: (PageBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try PageBytes.with(room) { room throws(Failure) in
      guard let key = room.slice(at: 0, count: count) else {
        preconditionFailure("A key has more bytes than room.")
      }
      return try body(key)
    }
  }
}
