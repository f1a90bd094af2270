internal import Foundation

/// Appends values as JSON to a line under construction.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  /// Empties the line and keeps its memory, unless that is much.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }

  /// Appends text as it is.
  mutating func append(raw text: StaticString) {
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends bytes as they are.
  mutating func append(raw bytes: some Sequence<UInt8>) { self.bytes.append(contentsOf: bytes) }

  /// Appends a byte as it is.
  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Appends text in quotes.
  mutating func append(_ text: String) {
    var text = text
    // Safe: the bytes of the text are not used beyond the closure, nor out of bounds.
    text.withUTF8 { utf8 in unsafe append(utf8: UnsafeRawBufferPointer(utf8)) }
  }

  /// Appends text in quotes, given its UTF-8.
  mutating func append(utf8: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = unsafe TextScan.firstEscape(in: utf8, from: start)
      unsafe bytes.append(contentsOf: utf8[start..<end])
      if end == utf8.count { break }
      unsafe append(escaped: utf8[end])
      start = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(raw: #"\""#)
    case UInt8(ascii: "\\"): append(raw: #"\\"#)
    case 0x08: append(raw: #"\b"#)
    case 0x09: append(raw: #"\t"#)
    case 0x0A: append(raw: #"\n"#)
    case 0x0C: append(raw: #"\f"#)
    case 0x0D: append(raw: #"\r"#)
    default:
      append(raw: byte < 0x10 ? #"\u000"# : #"\u00"#)
      append(raw: String(byte, radix: 16).utf8)
    }
  }
}
