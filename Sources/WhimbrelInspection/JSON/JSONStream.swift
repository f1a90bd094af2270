/// A reader of a JSON document of any size, one value at a time.
///
/// It needs memory for one value. It finds the end of values by brackets and quotes only. The
/// caller must parse a value to learn whether it is valid JSON.
package struct JSONStream {
  private let source: DumpSource
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The offset of the chunk in the document.
  private var chunkOffset = 0
  /// The number of the current line, from 1.
  private(set) var line = 1

  /// The text of a value in the document.
  package struct Element {
    /// The bytes of the value.
    package let bytes: [UInt8]
    /// The offset of the first byte in the document.
    let offset: Int
    /// The number of the line where the value begins.
    package let line: Int
  }

  /// The maximum length of a value in bytes.
  static let maximumLength = 1 << 31

  package init(_ source: DumpSource) { self.source = source }

  /// The offset of the next byte in the document.
  var offset: Int { chunkOffset + position }

  /// Returns the next byte after white space, or nil at the end.
  package mutating func peek() throws -> UInt8? {
    while let byte = try peekByte(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      advance(byte)
    }
    return try peekByte()
  }

  /// Skips white space and a byte, if that byte is next. Returns whether it was.
  private mutating func skip(_ expected: UInt8) throws -> Bool {
    guard try peek() == expected else { return false }
    advance(expected)
    return true
  }

  /// Skips white space and a byte. Throws if another byte is next.
  private mutating func require(_ expected: UInt8) throws {
    guard try skip(expected) else {
      throw problem("expected '\(Character(Unicode.Scalar(expected)))'")
    }
  }

  /// Calls `body` for each element of the array or object that is next.
  ///
  /// - Parameter body: Must read one value, or a name and a value.
  package mutating func forEachElement(
    of kind: (open: UInt8, close: UInt8), _ body: (inout JSONStream) throws -> Void
  ) throws {
    try require(kind.open)
    if try skip(kind.close) { return }
    repeat { try body(&self) } while try skip(UInt8(ascii: ","))
    try require(kind.close)
  }

  /// The brackets of arrays and of objects.
  package static let array = (open: UInt8(ascii: "["), close: UInt8(ascii: "]"))
  package static let object = (open: UInt8(ascii: "{"), close: UInt8(ascii: "}"))

  /// Reads the name of a member and the colon.
  package mutating func name() throws -> String {
    let element = try element()
    guard let node = try? JSONParser.parse(element.bytes), case .string(let name) = node.content
    else { throw problem("expected a name in quotes") }
    try require(UInt8(ascii: ":"))
    return name
  }

  /// Reads a value.
  package mutating func element() throws -> Element {
    guard let first = try peek() else { throw problem("the input ends where a value is expected") }
    let (offset, firstLine) = (offset, line)
    var bytes: [UInt8] = []
    var scan = JSONValueScan()
    var isBehind = false
    while !isBehind, try peekByte() != nil {
      let end = scan.end(in: chunk, from: position)
      guard bytes.count + end - position < Self.maximumLength else {
        throw problem("a value is too long")
      }
      bytes += chunk[position..<end]
      isBehind = end < chunk.count
      position = end
    }
    line += scan.lineEnds
    guard !bytes.isEmpty else {
      throw problem("expected a value, but found '\(Character(Unicode.Scalar(first)))'")
    }
    guard scan.isComplete else { throw problem("the input ends inside a value", firstLine) }
    return Element(bytes: bytes, offset: offset, line: firstLine)
  }

  /// Throws unless the document ends here.
  package mutating func requireEnd() throws {
    if try peek() != nil { throw problem("unexpected text after the end") }
  }

  package func problem(_ reason: String) -> InspectionError { problem(reason, line) }

  private func problem(_ reason: String, _ line: Int) -> InspectionError {
    InspectionError.badInput(.badImport, source.name, "line \(line)", reason, line: line)
  }

  private mutating func peekByte() throws -> UInt8? {
    if position < chunk.count { return chunk[position] }
    while !isAtEnd {
      guard let more = try source.read() else { continue }
      chunkOffset += chunk.count
      (chunk, position) = (more, 0)
      isAtEnd = more.isEmpty
      if let byte = more.first { return byte }
    }
    return nil
  }

  private mutating func advance(_ byte: UInt8) {
    position += 1
    if byte == 0x0A { line += 1 }
  }
}

/// A scanner that finds the end of a value.
struct JSONValueScan {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isEnded = false
  private var isBegun = false
  /// The number of line ends inside the value.
  private(set) var lineEnds = 0

  /// Returns the end of the value in a chunk, or the end of the chunk if the value continues.
  mutating func end(in chunk: [UInt8], from start: Int) -> Int {
    var position = start
    while position < chunk.count {
      let byte = chunk[position]
      guard takes(byte) else { return position }
      if byte == 0x0A { lineEnds += 1 }
      position += 1
    }
    return position
  }

  /// Consumes a byte if it belongs to the value. Returns whether it does.
  @inline(__always)
  mutating func takes(_ byte: UInt8) -> Bool {
    if isEnded { return false }
    if isInString {
      takeInString(byte)
      return true
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depth == 0 { return false }
      depth -= 1
      isEnded = depth == 0
    case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
      if depth == 0 { return false }
    default: break
    }
    isBegun = true
    return true
  }

  private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      isEnded = depth == 0
    }
  }

  var isComplete: Bool { isBegun && !isInString && depth == 0 }
}
