/// A writer of comma-separated values as defined by RFC 4180, except for the line ends.
///
/// Lines end with a line feed alone. CSV readers accept both line ends, and so do the tools that
/// work on lines (`grep`, `sort`, `diff`, Git); these tools would show the carriage return of CRLF.
///
/// A field is quoted if it contains a comma, a quote or a line end, or if it is empty: `""` is an
/// empty string, and an empty field without quotes is nil. A row whose only field is nil is an
/// empty line.
struct CSVWriter {
  private(set) var bytes: [UInt8] = []
  private var isRowBegun = false

  /// Removes all text. Keeps the memory for the next row unless it exceeds 1 MiB.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }

  /// Appends a field to the row. Nil is a field without a value.
  mutating func append(_ field: String?) {
    guard var field else { return append(utf8: nil) }
    // Safe: the closure copies the bytes, so the buffer is not used after it returns.
    field.withUTF8 { unsafe append(utf8: Array($0)) }
  }

  /// Appends a field given as UTF-8. Nil is a field without a value.
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
