public import Foundation

/// Where a dump is read from: a file, standard input, or bytes in memory.
public struct DumpSource {
  /// What it is called in errors.
  public let name: String
  /// Where a line stands that has been read; nil where the lines are those of one file.
  let origin: ((_ line: Int) -> Origin)?
  /// Gives the next bytes, as many as there are, and none at the end; or nil when
  /// a signal came first.
  package let read: () throws -> [UInt8]?
  /// Gives the same once more from its beginning; nil for what can be read but once.
  let reopen: (() throws -> DumpSource)?

  /// A line of a file.
  struct Origin {
    let name: String
    /// The number of the line, or nil when it is none of the file's.
    let line: Int?
  }

  init(
    name: String, origin: ((_ line: Int) -> Origin)? = nil,
    reopen: (() throws -> DumpSource)? = nil, read: @escaping () throws -> [UInt8]?
  ) {
    self.name = name
    self.origin = origin
    self.reopen = reopen
    self.read = read
  }

  /// What is wrong with a line.
  func badDump(line: Int?, column: Int?, _ reason: String) -> InspectionError {
    guard let line, let origin = origin?(line) else {
      return InspectionError.badDump(name, line: line, column: column, reason)
    }
    return InspectionError.badDump(
      origin.name, line: origin.line, column: origin.line == nil ? nil : column, reason)
  }

  /// A file.
  ///
  /// - Throws: ``InspectionError`` with `cannotRead`.
  public static func file(at path: String) throws -> DumpSource {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InspectionError.cannotRead(path, number: errno) }
    let file = OpenFile(name: path, descriptor: descriptor, closesAtEnd: true)
    return DumpSource(
      name: path, reopen: file.isRegular ? { try .file(at: path) } : nil, read: file.read)
  }

  /// What this process is given on its standard input.
  public static var standardInput: DumpSource {
    let name = "standard input"
    let file = OpenFile(name: name, descriptor: STDIN_FILENO, closesAtEnd: false)
    return DumpSource(name: name, read: file.read)
  }

  /// Bytes in memory.
  public static func data(_ data: Data, name: String = "data") -> DumpSource {
    var rest = data
    return DumpSource(name: name, reopen: { .data(data, name: name) }) {
      defer { rest = Data() }
      return Array(rest)
    }
  }

  /// A file that is being read.
  private final class OpenFile {
    private let name: String
    private let descriptor: Int32
    private let closesAtEnd: Bool
    private static let chunkSize = 1 << 16

    init(name: String, descriptor: Int32, closesAtEnd: Bool) {
      self.name = name
      self.descriptor = descriptor
      self.closesAtEnd = closesAtEnd
    }

    deinit {
      if closesAtEnd { close(descriptor) }
    }

    /// Whether it can be read once more: a pipe cannot.
    var isRegular: Bool {
      var status = stat()
      return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    func read() throws -> [UInt8]? {
      var count = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, length in
        count = unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
        length = max(count, 0)
      }
      if count >= 0 { return chunk }
      if errno == EINTR { return nil }
      throw InspectionError.cannotRead(name, number: errno)
    }
  }
}

/// The lines of a dump, one at a time.
struct LineReader {
  private let source: DumpSource
  /// Throws when the reading is to stop.
  private let checkCancellation: () throws -> Void
  private var chunk: [UInt8] = []
  private var position = 0
  /// A line that is to be read again.
  private var held: [UInt8]?
  /// The number of the last line read, from 1.
  private(set) var lineNumber = 0

  /// The longest line, in bytes: room for some texts of 2 GB with escapes. Longer
  /// ones are no dump's, and would fill the memory.
  static let maximumLength = 1 << 34
  /// The longest line that does not begin as one of a dump does.
  private static let maximumForeignLength = 1 << 20

  init(_ source: DumpSource, checkCancellation: @escaping () throws -> Void) {
    self.source = source
    self.checkCancellation = checkCancellation
  }

  private func readChunk() throws -> [UInt8] {
    while true {
      try checkCancellation()
      if let chunk = try source.read() { return chunk }
    }
  }

  /// All of the source, of which the first line has been read.
  func whole(beginningWith first: [UInt8]) -> DumpSource {
    var begun = first + [0x0A] + chunk[position...]
    return DumpSource(name: source.name, origin: source.origin) {
      defer { begun = [] }
      return begun.isEmpty ? try source.read() : begun
    }
  }

  /// Gives the last line once more with the next call.
  mutating func putBack(_ line: [UInt8]) { held = line }

  /// The place of the end of the line in the chunk, or nil.
  private func findEnd() -> Int? {
    unsafe chunk.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, position < bytes.count else { return nil }
      // Safe: the position is inside.
      let end = unsafe memchr(base + position, 0x0A, bytes.count - position)
      return unsafe end.map { unsafe UnsafeRawPointer($0) - base }
    }
  }

  /// The next line without its end, or nil when there is none.
  mutating func next() throws -> [UInt8]? {
    if let line = held {
      held = nil
      return line
    }
    var line: [UInt8] = []
    var isBegun = false
    while true {
      if position == chunk.count {
        chunk = try readChunk()
        position = 0
        if chunk.isEmpty { break }
      }
      if !isBegun { lineNumber += 1 }
      isBegun = true
      let end = findEnd()
      line += chunk[position..<(end ?? chunk.count)]
      let isForeign = line.first.map { $0 != UInt8(ascii: "{") } ?? false
      let limit = isForeign ? Self.maximumForeignLength : Self.maximumLength
      guard line.count <= limit else {
        throw source.badDump(
          line: lineNumber, column: nil, "the line has more than \(limit) bytes")
      }
      position = end.map { $0 + 1 } ?? chunk.count
      if end != nil { break }
    }
    return isBegun ? line : nil
  }
}
