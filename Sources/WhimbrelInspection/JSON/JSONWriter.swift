internal import Foundation

/// A writer of JSON into a buffer.
package struct JSONWriter {
  /// The written bytes, followed by unused room.
  private var storage: [UInt8] = []
  /// The number of written bytes.
  private(set) var count = 0

  package init() {}

  package var bytes: [UInt8] { Array(storage[..<count]) }

  /// Removes all bytes. Keeps the memory unless it exceeds 1 MiB.
  mutating func removeAll() {
    count = 0
    if storage.count > 1 << 20 { storage = [] }
  }

  /// Removes the bytes after the first ones, which the writer had earlier.
  ///
  /// - Precondition: `first` is not greater than ``count``.
  mutating func removeAll(after first: Int) {
    precondition(first >= 0 && first <= count, "Only bytes that were written can stay.")
    count = first
  }

  /// Appends the bytes that `body` writes.
  ///
  /// - Parameter limit: The limit of bytes that `body` writes.
  @inline(__always)
  mutating func append(upTo limit: Int, _ body: (inout TextPointer) -> Void) {
    if storage.count - count < limit { grow(by: limit) }
    count = unsafe storage.withUnsafeMutableBufferPointer { buffer in
      // Safe: `grow` has made room for `limit` bytes after `count`. An empty buffer without a start
      // can only be asked for no bytes.
      guard let start = buffer.baseAddress else { return 0 }
      var pointer = unsafe TextPointer(start + count)
      body(&pointer)
      return unsafe pointer.next - start
    }
  }

  private mutating func grow(by limit: Int) {
    let size = max(storage.count * 2, count + limit, 256)
    // Without an optimiser, appending zeros one by one would take most of the time of a long text.
    // Safe: both parts of the new array are set, and the written bytes fit into it.
    storage = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      unsafe storage[..<count].withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
      unsafe memset(bytes.baseAddress! + count, 0, size - count)
      initializedCount = size
    }
  }

  /// Appends bytes as they are.
  @inline(__always)
  mutating func append(raw bytes: UnsafeRawBufferPointer) {
    append(upTo: bytes.count) { unsafe $0.append(bytes) }
  }

  mutating func append(raw text: StaticString) {
    text.withUTF8Buffer { unsafe append(raw: UnsafeRawBufferPointer($0)) }
  }

  mutating func append(raw bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append(raw: $0) }
  }

  mutating func append(raw bytes: some Sequence<UInt8>) { append(raw: Array(bytes)) }

  mutating func append(byte: UInt8) { append(upTo: 1) { $0.append(byte) } }
}

// MARK: - Text

extension JSONWriter {
  /// Appends a string in quotes.
  package mutating func append(_ text: String) {
    var text = text
    // Safe: the bytes of the string are not used after the closure.
    text.withUTF8 { utf8 in unsafe append(utf8: UnsafeRawBufferPointer(utf8)) }
  }

  /// Appends a string in quotes, given as UTF-8.
  mutating func append(utf8: UnsafeRawBufferPointer) {
    // An escape takes at most six bytes. Parts of 4 KiB keep the reserved room small.
    append(byte: UInt8(ascii: "\""))
    var start = 0
    while start < utf8.count {
      let end = min(start + 4_096, utf8.count)
      append(upTo: 6 * (end - start)) { pointer in
        unsafe Self.append(utf8, start..<end, to: &pointer)
      }
      start = end
    }
    append(byte: UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func append(
    _ utf8: UnsafeRawBufferPointer, _ range: Range<Int>, to pointer: inout TextPointer
  ) {
    var position = range.lowerBound
    while position < range.upperBound {
      // Safe: the condition keeps eight bytes from `position` inside the range.
      if position + 8 <= range.upperBound,
        case let word = unsafe utf8.loadUnaligned(fromByteOffset: position, as: UInt64.self),
        !TextScan.hasEscape(word)
      {
        pointer.append(word)
        position += 8
        continue
      }
      let byte = unsafe utf8[position]
      if TextScan.isEscape(byte) {
        append(escaped: byte, to: &pointer)
      } else {
        pointer.append(byte)
      }
      position += 1
    }
  }

  private static func append(escaped byte: UInt8, to pointer: inout TextPointer) {
    pointer.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): pointer.append(byte)
    case 0x08: pointer.append(UInt8(ascii: "b"))
    case 0x09: pointer.append(UInt8(ascii: "t"))
    case 0x0A: pointer.append(UInt8(ascii: "n"))
    case 0x0C: pointer.append(UInt8(ascii: "f"))
    case 0x0D: pointer.append(UInt8(ascii: "r"))
    default:
      pointer.append(UInt8(ascii: "u"))
      pointer.append(pair: 0)
      unsafe withUnsafeBytes(of: byte) { unsafe pointer.append(hexadecimal: $0, .lower) }
    }
  }

  /// Appends a comma, unless the next member or element is the first, or a comma or colon precedes
  /// it.
  mutating func separate() {
    guard count > 0 else { return }
    switch storage[count - 1] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","): return
    default: append(byte: UInt8(ascii: ","))
    }
  }

  /// Appends the name of a member, after a comma if needed, and a colon.
  mutating func append(name: String) {
    separate()
    append(name)
    append(byte: UInt8(ascii: ":"))
  }
}
