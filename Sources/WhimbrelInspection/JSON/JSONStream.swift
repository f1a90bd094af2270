/// Goes through a document of JSON of any size, and gives the values in it one at a time.
///
/// It needs memory for one value. Values are found by their brackets and quotes only: who reads
/// them finds out whether they are JSON.
package struct JSONStream {
  private let source: DumpSource
  private var chunk: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// How many bytes stand before the chunk.
  private var chunkOffset = 0
  /// The number of the line that is being read, from 1.
  private(set) var line = 1

  /// A value as it stands in the document.
  package struct Element {
    /// The bytes, without ends of lines between values.
    package let bytes: [UInt8]
    /// The place of the first byte in the document.
    let offset: Int
    /// The number of the line where it begins.
    package let line: Int
  }

  /// The longest value, in bytes.
  static let maximumLength = 1 << 31

  package init(_ source: DumpSource) { self.source = source }

  /// The place of the next byte in the document.
  var offset: Int { chunkOffset + position }

  /// The next byte that is no space, or nil at the end.
  package mutating func peek() throws -> UInt8? {
    while let byte = try peekByte(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      advance(byte)
    }
    return try peekByte()
  }

  /// Goes on behind a byte if it is the next but for space, and returns whether it is.
  package mutating func skip(_ expected: UInt8) throws -> Bool {
    guard try peek() == expected else { return false }
    advance(expected)
    return true
  }

  /// Goes on behind a byte that has to be the next but for space.
  package mutating func require(_ expected: UInt8) throws {
    guard try skip(expected) else {
      throw problem("'\(Character(Unicode.Scalar(expected)))' should be here")
    }
  }

  /// Goes through the values of an array or an object, whose first byte is the next.
  ///
  /// - Parameter body: is to read one value, or a name and a value.
  package mutating func forEachElement(
    of kind: (open: UInt8, close: UInt8), _ body: (inout JSONStream) throws -> Void
  ) throws {
    try require(kind.open)
    if try skip(kind.close) { return }
    repeat { try body(&self) } while try skip(UInt8(ascii: ","))
    try require(kind.close)
  }

  /// What stands around an array, and around an object.
  package static let array = (open: UInt8(ascii: "["), close: UInt8(ascii: "]"))
  package static let object = (open: UInt8(ascii: "{"), close: UInt8(ascii: "}"))

  /// Reads the name of a member and the colon.
  package mutating func name() throws -> String {
    let element = try element()
    guard let node = try? JSONParser.parse(element.bytes), case .string(let name) = node.content
    else { throw problem("a name in quotes should be here") }
    try require(UInt8(ascii: ":"))
    return name
  }

  /// Reads a value.
  package mutating func element() throws -> Element {
    guard try peek() != nil else { throw problem("it ends where a value should begin") }
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
    if scan.lineEnds > 0 {
      line += scan.lineEnds
      for index in bytes.indices where bytes[index] == 0x0A { bytes[index] = 0x20 }
    }
    guard scan.isComplete else { throw problem("it ends inside of a value", firstLine) }
    return Element(bytes: bytes, offset: offset, line: firstLine)
  }

  /// Says that the end has to be here.
  package mutating func requireEnd() throws {
    if try peek() != nil { throw problem("there is more after the end") }
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

/// Knows where a value ends.
struct JSONValueScan {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isEnded = false
  private var isBegun = false
  /// How many lines have ended inside of the value.
  private(set) var lineEnds = 0

  /// Where the value ends in a chunk; at its end if the value goes on.
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

  /// Whether a byte belongs to the value.
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

  /// Whether there is a whole value.
  var isComplete: Bool { isBegun && !isInString && depth == 0 }
}
