internal import Foundation
internal import WhimbrelLMDB

/// A sort key of an object: its first 16 bytes, and a pointer to the rest.
///
/// The first 8 bytes of a number's key are an unsigned integer that sorts like the number. The key
/// of a text, or of several joined keys, has its first 16 bytes as two big-endian numbers. Missing
/// bytes are zero.
@safe
struct SortEntry: BitwiseCopyable {
  var first: UInt64 = 0
  var second: UInt64 = 0
  /// The start of the text. It stays valid as long as the objects are being sorted.
  var text: UnsafeRawPointer?
  /// 0 for nil, otherwise the length of the text plus one.
  var length: UInt32 = 0
  /// The position at which the object was added, which decides between ties. It does not overflow
  /// in practice: 2³² objects would need 34 GB for their IDs alone.
  var place: UInt32 = 0
}

extension SortEntry {
  static var null: SortEntry { SortEntry() }

  /// Creates the entry of a value that is ordered by one or two numbers.
  init(_ number: UInt64, _ second: UInt64 = 0) {
    unsafe self.init(first: number, second: second, text: nil, length: 1)
  }

  init(_ number: Int64) {
    self.init(UInt64(bitPattern: number) ^ 1 << 63)
  }

  /// Creates the entry of a double. −0 equals 0, and NaN is last.
  init(_ number: Double) {
    let bits = number.isNaN ? Double.nan.bitPattern : number == 0 ? 0 : number.bitPattern
    self.init(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  /// Creates the entry of a text or other bytes.
  ///
  /// - Precondition: The 8 bytes before the text are readable.
  init(text bytes: PageBytes) {
    let count = bytes.count
    unsafe text = unsafe bytes.base
    length = UInt32(truncatingIfNeeded: count &+ 1)
    // Safe: a load at `count - 8` reads at most 8 bytes in front of the text and ends with
    // its last byte. All other loads lie within the text.
    if count < 8 {
      let word = unsafe bytes.base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      first = word.bigEndian << UInt64(64 - 8 * count)
      return
    }
    first = unsafe bytes.base.loadUnaligned(as: UInt64.self).bigEndian
    if count < 16 {
      let word = unsafe bytes.base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      second = word.bigEndian << UInt64(128 - 8 * count)
    } else {
      second = unsafe bytes.base.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
    }
  }

  /// The entry for the opposite order.
  var reversed: SortEntry {
    var entry = self
    entry.first = ~first
    entry.second = ~second
    return entry
  }

  /// Returns the entry with a copy of the text, if comparisons need more than its first 16 bytes.
  func copied(to arena: ByteArena) -> SortEntry {
    guard length > 17, let start = unsafe text else { return self }
    var entry = self
    // Safe: the text has one byte less than the length says.
    unsafe entry.text = arena.copy(PageBytes(base: start, count: Int(length) - 1)).base
    return entry
  }

  /// Returns whether this entry precedes another. Entries that tie keep the order in which objects
  /// were added.
  @inline(__always)
  func precedes(_ other: SortEntry, isReversed: Bool) -> Bool {
    precedes(other, ties: place < other.place, isReversed: isReversed)
  }

  /// - Parameter ties: The result for entries with the same key.
  @inline(__always)
  func precedes(_ other: SortEntry, ties: Bool, isReversed: Bool) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    return restPrecedes(other, ties, isReversed: isReversed)
  }

  @inline(never)
  private func restPrecedes(_ other: SortEntry, _ ties: Bool, isReversed: Bool) -> Bool {
    if length > 17, other.length > 17, let text = unsafe text, let end = unsafe other.text {
      // Safe: both texts have this many bytes after the first 16.
      let order = unsafe memcmp(text + 16, end + 16, Int(min(length, other.length)) - 17)
      if order != 0 { return (order < 0) != isReversed }
    }
    if length != other.length { return (length < other.length) != isReversed }
    return ties
  }
}

/// An arena of bytes that do not move until all of them are freed together.
@safe
final class ByteArena {
  private var chunks: [UnsafeMutableRawPointer] = unsafe []
  private var used = 0
  private var size = 0

  deinit {
    unsafe chunks.forEach { unsafe $0.deallocate() }
  }

  /// Copies bytes into the arena. At least 8 readable bytes precede the copy, as `SortEntry`
  /// requires.
  func copy(_ bytes: PageBytes) -> PageBytes {
    if size == 0 || bytes.count > size - used {
      size = max(bytes.count + 8, size == 0 ? 4096 : 1 << 20)
      unsafe chunks.append(UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8))
      used = 8
    }
    let start = unsafe chunks[chunks.count - 1] + used
    // Safe: the branch above made sure that the chunk has room.
    unsafe start.copyMemory(from: bytes.base, byteCount: bytes.count)
    used += bytes.count
    return unsafe PageBytes(base: start, count: bytes.count)
  }
}
