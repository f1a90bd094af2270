/// Appends rows to a text of comma-separated values, as RFC 4180 has them, but for the ends
/// of lines.
///
/// Lines end with a line feed alone: what reads the text knows both ends, and so do the tools
/// it goes through on the way (`grep`, `sort`, `diff`, Git), which show the copyPlan return
/// of the other.
///
/// A field stands in quotes when it has a comma, a quote or an end of a line, or is empty:
/// `""` is a text without characters, and nothing at all is nil. A row whose only field is
/// nil is an empty line.
struct CSVWriter {
  private(set) var bytes: [UInt8] = []
  private var isRowBegun = false

  /// Empties the text and keeps its memory, unless that is much.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }

  /// Appends a field to the row; nil for one without a value.
  mutating func append(_ field: String?) {
    guard var field else { return append(utf8: nil) }
    // Safe: the bytes of the text are not used beyond the closure, nor out of bounds.
    field.withUTF8 { unsafe append(utf8: Array($0)) }
  }

  /// Appends a field whose text is UTF-8; nil for one without a value.
  mutating func append(utf8 field: [UInt8]?) {
    if isRowBegun { bytes.append(UInt8(ascii: ",")) }
    isRowBegun = true
    guard let field else { return }
    guard field.isEmpty || field.contains(where: Self.needsQuotes) else {
      bytes += field
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in field {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Ends the row.
  mutating func endRow() {
    isRowBegun = false
    bytes.append(0x0A)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D: true
    default: false
    }
  }
}
