internal import Foundation
internal import WhimbrelLMDB

/// What an object is put in order by, as far as 16 bytes go, and where the rest is.
///
/// Of a number the first 8 bytes are one that is ordered as it is; of text, and of several
/// keys together, the first 16 are the most significant ones of two numbers, and what is
/// missing is zero.
@safe
struct SortEntry: BitwiseCopyable {
  var first: UInt64 = 0
  var second: UInt64 = 0
  /// Where text begins; it stays there for as long as the objects are sorted.
  var text: UnsafeRawPointer?
  /// 0 for nil, else one more than the length of the text.
  var length: UInt32 = 0
  /// Where the object stood before. More than there can be would fill 130 GB.
  var place: UInt32 = 0
}

extension SortEntry {
  static var null: SortEntry { SortEntry() }

  /// A value that one number stands for.
  init(_ number: UInt64, _ second: UInt64 = 0) {
    unsafe self.init(first: number, second: second, text: nil, length: 1)
  }

  init(_ number: Int64) {
    self.init(UInt64(bitPattern: number) ^ 1 << 63)
  }

  /// −0 is 0, and NaN comes last.
  init(_ number: Double) {
    let bits = number.isNaN ? Double.nan.bitPattern : number == 0 ? 0 : number.bitPattern
    self.init(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  /// A text, or other bytes, behind at least 8 more that can be read.
  init(text bytes: PageBytes) {
    let count = bytes.count
    unsafe text = unsafe bytes.base
    length = UInt32(truncatingIfNeeded: count &+ 1)
    // Safe: the eight bytes that end with the text's last, or its eighth.
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

  /// The same for the opposite order.
  var reversed: SortEntry {
    var entry = self
    entry.first = ~first
    entry.second = ~second
    return entry
  }

  /// Whether this comes before another; those that tie stay as they were.
  @inline(__always)
  func precedes(_ other: SortEntry, isReversed: Bool) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    return restPrecedes(other, isReversed: isReversed)
  }

  @inline(never)
  private func restPrecedes(_ other: SortEntry, isReversed: Bool) -> Bool {
    if length > 17, other.length > 17, let text = unsafe text, let end = unsafe other.text {
      // Safe: both texts have these bytes.
      let order = unsafe memcmp(text + 16, end + 16, Int(min(length, other.length)) - 17)
      if order != 0 { return (order < 0) != isReversed }
    }
    if length != other.length { return (length < other.length) != isReversed }
    return place < other.place
  }
}

/// Bytes that stay where they are until all of them go away.
@safe
final class ByteArena {
  private var chunks: [UnsafeMutableRawPointer] = unsafe []
  private var used = 0
  private var size = 0

  deinit {
    unsafe chunks.forEach { unsafe $0.deallocate() }
  }

  /// A copy of bytes, behind at least 8 others.
  func copy(_ bytes: PageBytes) -> PageBytes {
    if size == 0 || bytes.count > size - used {
      size = max(bytes.count + 8, size == 0 ? 4096 : 1 << 20)
      unsafe chunks.append(UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8))
      used = 8
    }
    let start = unsafe chunks[chunks.count - 1] + used
    // Safe: there is room, see above.
    unsafe start.copyMemory(from: bytes.base, byteCount: bytes.count)
    used += bytes.count
    return unsafe PageBytes(base: start, count: bytes.count)
  }
}
