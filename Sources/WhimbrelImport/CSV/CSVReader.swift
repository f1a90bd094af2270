internal import WhimbrelInspection

/// Reads rows of comma-separated values, as RFC 4180 has them: fields in quotes may have
/// separators, quotes that are doubled, and ends of lines.
///
/// Lines end with a line feed, a copyPlan return, or both. A mark of UTF-8 at the beginning is
/// skipped, and so are empty lines, unless there is but one column. It needs memory for one row.
struct CSVReader {
  private let source: DumpSource
  private let separator: UInt8
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The number of the line that is being read, from 1.
  private var line = 1
  /// What of a line has been read, in characters.
  private var column = 1

  /// How many fields the first row has.
  private var columns: Int?

  /// The longest field, in bytes; more has lost its closing quote, or is no CSV.
  static let maximumLength = 1 << 31

  /// A field of a row, and where it begins.
  struct Field {
    /// Nil where there is nothing, not even quotes.
    let text: String?
    let line: Int
    let column: Int
  }

  /// - Parameter separator: what stands between fields.
  init(_ source: DumpSource, separator: UInt8) {
    self.source = source
    self.separator = separator
  }

  /// The next row, or nil when there are no more.
  ///
  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  mutating func next() throws -> [Field]? {
    if line == 1, column == 1 { try skipMark() }
    while columns != 1, let byte = try peek(), byte == 0x0A || byte == 0x0D { try skipLineEnd() }
    guard try peek() != nil else { return nil }
    var fields: [Field] = []
    defer { if columns == nil { columns = fields.count } }
    while true {
      fields.append(try field())
      guard let byte = try peek() else { return fields }
      if byte == separator {
        advance()
        continue
      }
      try skipLineEnd()
      return fields
    }
  }

  private mutating func field() throws -> Field {
    let (line, column) = (line, column)
    var bytes: [UInt8] = []
    let isQuoted = try peek() == UInt8(ascii: "\"")
    if isQuoted {
      try readQuoted(into: &bytes, line, column)
    } else {
      while let byte = try peek(), byte != separator, byte != 0x0A, byte != 0x0D {
        guard byte != UInt8(ascii: "\"") else {
          throw problem("a quote has to stand in a field that begins with one, and doubled")
        }
        try append(byte, to: &bytes, line, column)
      }
    }
    if bytes.isEmpty, !isQuoted { return Field(text: nil, line: line, column: column) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("this is no UTF-8", line, column)
    }
    return Field(text: text, line: line, column: column)
  }

  private mutating func readQuoted(
    into bytes: inout [UInt8], _ line: Int, _ column: Int
  ) throws {
    advance()
    while true {
      guard let byte = try peek() else { throw problem("the quote is not closed", line, column) }
      guard byte == UInt8(ascii: "\"") else {
        try append(byte, to: &bytes, line, column)
        continue
      }
      advance()
      guard let after = try peek() else { return }
      if after == UInt8(ascii: "\"") {
        try append(after, to: &bytes, line, column)
        continue
      }
      guard after == separator || after == 0x0A || after == 0x0D else {
        throw problem("the separator or the end of the line should be here")
      }
      return
    }
  }

  private mutating func append(
    _ byte: UInt8, to bytes: inout [UInt8], _ line: Int, _ column: Int
  ) throws {
    guard bytes.count < Self.maximumLength else { throw problem("it is too long", line, column) }
    bytes.append(byte)
    advance()
  }

  private func problem(_ reason: String) -> InspectionError { problem(reason, line, column) }

  private func problem(_ reason: String, _ line: Int, _ column: Int) -> InspectionError {
    InspectionError.badInput(
      .badImport, source.name, "line \(line), column \(column)", reason, line: line,
      column: column)
  }
}

// MARK: - Bytes

extension CSVReader {
  /// The next byte, or nil at the end.
  private mutating func peek() throws -> UInt8? {
    if position < chunk.count { return chunk[position] }
    while !isAtEnd {
      guard let more = try source.read() else { continue }
      (chunk, position) = (more, 0)
      isAtEnd = more.isEmpty
      if let byte = more.first { return byte }
    }
    return nil
  }

  /// Goes on by a byte that has been looked at.
  private mutating func advance() {
    let byte = chunk[position]
    position += 1
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      // Bytes that continue a character are none of their own.
      column += 1
    }
  }

  private mutating func skipLineEnd() throws {
    let byte = try peek()
    advance()
    guard byte == 0x0D else { return }
    if try peek() == 0x0A {
      advance()
    } else {
      line += 1
      column = 1
    }
  }

  private mutating func skipMark() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    // A mark that is cut in two by a chunk is in the first bytes all the same.
    while chunk.count < mark.count, !isAtEnd {
      guard let more = try source.read() else { continue }
      isAtEnd = more.isEmpty
      chunk += more
    }
    if chunk.starts(with: mark) { position = mark.count }
  }
}
