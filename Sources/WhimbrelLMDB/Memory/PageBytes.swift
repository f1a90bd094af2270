package import Foundation

/// Borrowed bytes of a mapped page of the file, or of a buffer.
///
/// Reads are by offset and unaligned, and copy only the requested value. The offsets passed to
/// ``load(_:at:)`` must be in bounds. A record's size is checked once, when it is fetched, so that
/// a read costs only the load.
///
/// ## How long bytes are valid
///
/// The compiler does not check this. A `~Escapable` view would cost nothing, but in Swift 6.3 it
/// cannot be in a tuple with its key or in an array, and a closure cannot return it. Besides,
/// objects keep their record while it is valid. The following rules apply instead:
///
/// 1. Bytes of a snapshot are valid until it is renewed, reset or ended.
/// 2. Bytes read in a write are valid until its next change of any table, or until it ends. LMDB:
///    "Values returned from the database are valid only until a subsequent update operation, or the
///    end of the transaction."
/// 3. Bytes of a buffer are valid until the buffer changes or is destroyed.
/// 4. Bytes belong to the thread of their transaction.
/// 5. Bytes are used in the call that fetched them, before anything is written, or are kept
///    together with the *epoch* of their session and used only while that is the same. A session
///    advances it whenever rule 1 or 2 ends their validity. Anything else copies them.
///
/// A page of a snapshot that is used for too long is still mapped, because a ``PageMap`` stays
/// until the file is closed. It may then show other bytes, which the checksum of a record or an
/// entry detects.
// Safe: by the rules above, and because each read is within `count`.
@safe
@usableFromInline
package struct PageBytes {
  @usableFromInline package let base: UnsafeRawPointer
  @usableFromInline package let count: Int

  @inlinable
  @inline(__always)
  package init(base: UnsafeRawPointer, count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  /// - Parameter buffer: The bytes. An empty buffer may have no address.
  @inlinable
  @inline(__always)
  package init(_ buffer: UnsafeRawBufferPointer) {
    if let start = buffer.baseAddress {
      unsafe self.init(base: start, count: buffer.count)
    } else {
      self = .empty
    }
  }
}

extension PageBytes {
  /// Returns the value at an offset, in this machine's byte order.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  package func load<Value: BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
    assert(offset >= 0 && offset + MemoryLayout<Value>.size <= count, "read past the end")
    // Safe: callers check the size of a record when they fetch it, see above.
    return unsafe base.loadUnaligned(fromByteOffset: offset, as: type)
  }

  /// Returns whether a bit of a record is set. Bit 0 is the lowest bit of byte
  /// 8.
  @inlinable
  @inline(__always)
  package func hasBit(_ bit: Int) -> Bool {
    load(UInt8.self, at: 8 + bit >> 3) & (1 << UInt8(truncatingIfNeeded: bit & 7)) != 0
  }

  @inlinable package static var empty: PageBytes {
    // Safe: an empty range is never read.
    unsafe PageBytes(base: UnsafeRawPointer(bitPattern: 8)!, count: 0)
  }

  /// Returns whether a range of bytes is in bounds.
  @inlinable
  @inline(__always)
  package func contains(offset: Int, count length: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  /// Returns a range of the bytes, or nil if it is out of bounds.
  @inlinable
  @inline(__always)
  package func slice(at offset: Int, count length: Int) -> PageBytes? {
    guard contains(offset: offset, count: length) else { return nil }
    return unsafe PageBytes(base: base + offset, count: length)
  }

  /// The bytes as text. Bytes that are not valid UTF-8 become U+FFFD.
  package var text: String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// The bytes as text, or nil if they are not valid UTF-8.
  package var validText: String? {
    unsafe String(
      validating: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// Whether no byte is above 127.
  package var isASCII: Bool {
    var seen: UInt64 = 0
    var offset = 0
    while offset + 8 <= count {
      seen |= load(UInt64.self, at: offset)
      offset += 8
    }
    while offset < count {
      seen |= UInt64(load(UInt8.self, at: offset))
      offset += 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }

  package func contains(_ byte: UInt8) -> Bool {
    unsafe memchr(base, Int32(byte), count) != nil
  }

  /// A copy of the bytes.
  package var data: Data {
    unsafe Data(bytes: base, count: count)
  }

  /// A copy of the bytes.
  package var array: [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
  }

  package func isEqual(to other: PageBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe memcmp(base, other.base, count) == 0
  }

  /// Returns the order of these bytes relative to others: below 0 if they come first, 0 if both are
  /// equal, and above 0 if they come last. Bytes are compared one by one, and a prefix comes first.
  package func order(to other: PageBytes) -> Int {
    // Safe: both sides have at least this many bytes.
    let order = unsafe memcmp(base, other.base, min(count, other.count))
    return order == 0 ? count - other.count : Int(order)
  }

  /// Returns whether these bytes come before others.
  package func precedes(_ other: PageBytes) -> Bool { order(to: other) < 0 }

  /// Returns whether both begin with the same `length` bytes. Each must have at
  /// least that many.
  package func hasEqualStart(_ other: PageBytes, count length: Int) -> Bool {
    precondition(length >= 0 && length <= count && length <= other.count)
    return unsafe memcmp(base, other.base, length) == 0
  }

  package func isEqual(to other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    return unsafe other.withUnsafeBytes {
      unsafe count == 0 || memcmp(base, $0.baseAddress!, count) == 0
    }
  }

  package func hasPrefix(_ prefix: [UInt8]) -> Bool {
    guard count >= prefix.count else { return false }
    guard !prefix.isEmpty else { return true }
    return unsafe prefix.withUnsafeBytes { unsafe memcmp(base, $0.baseAddress!, $0.count) == 0 }
  }

  /// Returns the big-endian 64-bit integer at an offset.
  package func loadBigEndian(at offset: Int) -> UInt64 {
    UInt64(bigEndian: load(UInt64.self, at: offset))
  }

  /// Calls `body` with the bytes of a number. They are valid until it returns.
  @inlinable
  @inline(__always)
  package static func with<Value: BitwiseCopyable, Result, Failure: Error>(
    _ value: inout Value, _ body: (PageBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafePointer(to: &value) { pointer throws(Failure) in
      try unsafe body(PageBytes(base: pointer, count: MemoryLayout<Value>.size))
    }
  }

  /// Calls `body` with the UTF-8 bytes of text. They are valid until it returns.
  @inlinable
  @inline(__always)
  package static func with<Result>(
    _ text: String, _ body: (PageBytes) throws -> Result
  ) rethrows -> Result {
    // Safe: the text outlives the closure, and the closure must not keep the bytes.
    let result = try unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      try unsafe body(PageBytes(UnsafeRawBufferPointer(bytes)))
    }
    if let result { return result }
    // Text without contiguous storage is copied first.
    var text = text
    return try text.withUTF8 { bytes in
      try unsafe body(PageBytes(UnsafeRawBufferPointer(bytes)))
    }
  }

  /// Calls `body` with the bytes of an array. They are valid until it returns.
  @inlinable
  @inline(__always)
  package static func with<Result, Failure: Error>(
    _ array: [UInt8], _ body: (PageBytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: the array outlives the closure, and the closure must not keep the
    // bytes.
    try unsafe array.withUnsafeBufferPointer { buffer throws(Failure) in
      try unsafe body(PageBytes(UnsafeRawBufferPointer(buffer)))
    }
  }
}

extension [UInt8] {
  package mutating func append(_ bytes: PageBytes) {
    // Safe: the bytes are copied at once.
    unsafe append(contentsOf: UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
  }
}
