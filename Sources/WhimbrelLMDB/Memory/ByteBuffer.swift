internal import Foundation

/// A growing buffer of bytes, for example a record or the key of an index.
///
/// The buffer keeps its memory when it is emptied, so encoding a million records needs only a few
/// allocations.
// Safe: it owns its memory, cannot be copied, and checks each range. Bytes that it lends: rule 3 of
// ``PageBytes``.
@safe
@usableFromInline
package struct ByteBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  /// The number of bytes that fit, a multiple of eight.
  @usableFromInline var capacity: Int
  /// The number of bytes in use.
  @usableFromInline package private(set) var count: Int

  package init(capacity: Int = 256) {
    self.capacity = (max(capacity, 16) + 7) & ~7
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: self.capacity, alignment: 16)
    count = 0
  }

  package init(_ array: [UInt8]) {
    self.init(capacity: array.count)
    append(array)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The bytes in use. They are valid until the buffer changes or is destroyed.
  @inlinable
  package var bytes: PageBytes {
    unsafe PageBytes(base: base, count: count)
  }

  /// Empties the buffer and appends zeros.
  package mutating func reset(zeros: Int) {
    count = 0
    appendZeros(zeros)
  }

  package mutating func reset(copying source: PageBytes) {
    count = 0
    append(source)
  }

  package mutating func removeLast(_ length: Int) {
    precondition(length >= 0 && length <= count)
    count -= length
  }

  @inline(never)
  @usableFromInline mutating func grow(by length: Int) {
    let wanted = (max(capacity * 2, count + length) + 7) & ~7
    let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = unsafe larger
    capacity = wanted
  }

  @inlinable
  mutating func reserve(_ length: Int) {
    if length > capacity - count { grow(by: length) }
  }

  package mutating func appendZeros(_ length: Int) {
    reserve(length)
    unsafe memset(base + count, 0, length)
    count += length
  }

  /// Appends zeros until the count is a multiple of eight. There is always room for them, so bytes
  /// that were lent before stay valid.
  package mutating func padToMultipleOf8() { appendZeros(-count & 7) }

  package mutating func append(_ source: PageBytes) {
    reserve(source.count)
    unsafe (base + count).copyMemory(from: source.base, byteCount: source.count)
    count += source.count
  }

  package mutating func append(_ array: [UInt8]) {
    reserve(array.count)
    unsafe array.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe (base + count).copyMemory(from: start, byteCount: source.count)
      }
    }
    count += array.count
  }

  /// Appends an integer in decimal digits.
  package mutating func append(decimal number: Int64) {
    appendZeros(Self.digits(of: number))
    var position = count
    var rest = number.magnitude
    repeat {
      position -= 1
      store(UInt8(0x30 + rest % 10), at: position)
      rest /= 10
    } while rest > 0
    if number < 0 { store(UInt8(0x2D), at: position - 1) }
  }

  /// Returns how many bytes an integer takes in decimal digits, with its sign.
  package static func digits(of number: Int64) -> Int {
    var rest = number.magnitude
    var length = number < 0 ? 2 : 1
    while rest > 9 {
      rest /= 10
      length += 1
    }
    return length
  }

  /// Overwrites bytes in use with bytes of another source. Both ranges must be valid.
  package mutating func overwrite(
    at offset: Int, from source: PageBytes, at start: Int, count length: Int
  ) {
    precondition(source.contains(offset: start, count: length))
    precondition(bytes.contains(offset: offset, count: length))
    // Safe: the preconditions check both ranges.
    unsafe (base + offset).copyMemory(from: source.base + start, byteCount: length)
  }

  /// Stores a value at an offset, in this machine's byte order.
  @inlinable
  package mutating func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= count)
    // Safe: the precondition checks the range.
    unsafe base.storeBytes(of: value, toByteOffset: offset, as: Value.self)
  }

  /// Sets or clears a bit. Bit 0 is the lowest bit of the byte at the offset.
  @inlinable
  package mutating func setBit(_ bit: Int, _ isSet: Bool, from offset: Int) {
    let position = offset + bit >> 3
    var byte = bytes.load(UInt8.self, at: position)
    let mask = UInt8(1) << UInt8(bit & 7)
    if isSet { byte |= mask } else { byte &= ~mask }
    store(byte, at: position)
  }
}
