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

  /// Appends a whole number.
  mutating func append(_ number: some BinaryInteger) { append(raw: String(number).utf8) }

  /// Appends a floating-point number; see ``NumberText``.
  mutating func append<Value: DumpedNumber>(number: Value) {
    if let text = NumberText.special(number) {
      append(text)
    } else {
      append(raw: number.description.utf8)
    }
  }

  /// Appends a date; see ``DateText``.
  mutating func append(_ date: Date) {
    if let text = DateText.iso8601(date) {
      append(text)
    } else {
      append(number: date.timeIntervalSinceReferenceDate)
    }
  }

  /// Appends text in quotes.
  mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    // Safe: the bytes of the text are not used beyond the closure, nor out of bounds.
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where unsafe Self.hasEscape(utf8[index]) {
        unsafe bytes.append(contentsOf: utf8[start..<index])
        unsafe append(escaped: utf8[index])
        start = index + 1
      }
      unsafe bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hasEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
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
    case ..<0x20, 0x7F:
      append(raw: byte < 0x10 ? #"\u000"# : #"\u00"#)
      append(raw: String(byte, radix: 16).utf8)
    default: bytes.append(byte)
    }
  }
}
