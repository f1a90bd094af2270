internal import WhimbrelInspection

/// A reader of rows of comma-separated values (RFC 4180). Fields in quotes may contain separators,
/// doubled quotes, and line ends.
///
/// Lines end with a line feed, a carriage return, or both. A byte order mark at the beginning is
/// skipped. Empty lines are skipped too, unless there is only one column. The reader holds one row
/// in memory.
struct CSVReader {
  private let source: DumpSource
  private var separator: UInt8
  /// Whether the first line decides on the separator.
  private var findsSeparator: Bool
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The number of the current line, from 1.
  private var line = 1
  /// The position in the line, in characters, from 1.
  private var column = 1

  /// The number of fields of the first row.
  private var columns: Int?

  /// The limit on the length of a field in bytes. A longer field has lost its closing quote, or is
  /// not CSV.
  static let maximumLength = 1 << 31

  /// A field of a row, with its position.
  struct Field {
    /// The text, or nil for an empty field without quotes.
    let text: String?
    let line: Int
    let column: Int
  }

  /// - Parameter separator: The byte between fields, or nil for the one that the first line has: a
  ///   comma, or else a semicolon or a tab.
  init(_ source: DumpSource, separator: UInt8?) {
    self.source = source
    self.separator = separator ?? UInt8(ascii: ",")
    findsSeparator = separator == nil
  }

  /// Returns the next row, or nil at the end.
  ///
  /// - Throws: ``InspectionError`` with `badImport` or `cannotRead`.
  mutating func next() throws -> [Field]? {
    while columns != 1, let byte = try peek(), byte == 0x0A || byte == 0x0D { try skipLineEnd() }
    guard try peek() != nil else { return nil }
    if findsSeparator { findSeparator() }
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

  /// Looks for a separator in the first line, as far as it has been read.
  private mutating func findSeparator() {
    findsSeparator = false
    var (isQuoted, found) = (false, Set<UInt8>())
    for byte in chunk[position...] {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      found.insert(byte)
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    separator = candidates.first(where: found.contains) ?? separator
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
          throw problem("a quote must be doubled, and its field must begin with a quote")
        }
        try append(byte, to: &bytes, line, column)
      }
    }
    if bytes.isEmpty, !isQuoted { return Field(text: nil, line: line, column: column) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("this is not UTF-8: convert the file to UTF-8", line, column)
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
        throw problem("expected the separator or the end of the line")
      }
      return
    }
  }

  private mutating func append(
    _ byte: UInt8, to bytes: inout [UInt8], _ line: Int, _ column: Int
  ) throws {
    guard bytes.count < Self.maximumLength else {
      throw problem("the field is too long", line, column)
    }
    bytes.append(byte)
    advance()
  }

  private func problem(_ reason: String) -> InspectionError { problem(reason, line, column) }

  private func problem(_ reason: String, _ line: Int, _ column: Int) -> InspectionError {
    Field(text: nil, line: line, column: column).problem(in: source.name, reason)
  }
}

extension CSVReader.Field {
  func problem(in source: String, _ reason: String) -> InspectionError {
    InspectionError.badInput(
      .badImport, source, "line \(line), column \(column)", reason, line: line, column: column)
  }
}

// MARK: - Bytes

extension CSVReader {
  /// Returns the next byte without taking it, or nil at the end.
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

  /// Takes the byte that `peek` returned.
  private mutating func advance() {
    let byte = chunk[position]
    position += 1
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      // Continuation bytes of UTF-8 do not count as characters.
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
}
