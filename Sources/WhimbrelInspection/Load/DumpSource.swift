public import Foundation

/// A source of a dump: a file, a folder, standard input, or bytes in memory.
public struct DumpSource {
  /// The name of the source in errors.
  public let name: String
  /// Returns the place of a line that has been read. Nil if the source is a
  /// single file.
  let origin: ((_ line: Int) -> Origin)?
  /// Returns the next bytes, an empty array at the end, or nil if a signal
  /// interrupted the read.
  package let read: () throws -> [UInt8]?
  /// Opens the source again from its beginning. Nil if it can be read only
  /// once.
  let reopen: (() throws -> DumpSource)?

  /// The place of a line.
  struct Origin {
    let name: String
    /// The line number, or nil for the header of a folder, which is not a line
    /// of a file.
    let line: Int?
  }

  init(
    name: String, origin: ((_ line: Int) -> Origin)? = nil,
    reopen: (() throws -> DumpSource)? = nil, read: @escaping () throws -> [UInt8]?
  ) {
    self.name = name
    self.origin = origin
    self.reopen = reopen
    self.read = Self.withoutMark(read)
  }

  /// Returns whether a file that begins with some bytes is JSON, and not a store: its first character
  /// is a brace, after spaces or a byte order mark.
  static func isJSON(_ start: Data) -> Bool {
    start.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "{")
  }

  /// Returns a function that reads the same bytes without a UTF-8 byte order mark at their
  /// beginning, which editors on Windows write.
  private static func withoutMark(
    _ read: @escaping () throws -> [UInt8]?
  ) -> () throws -> [UInt8]? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var start: [UInt8]? = []
    return {
      guard var begun = start else { return try read() }
      // A chunk may end inside the mark, and the first chunk after it must not be empty.
      while begun.count <= mark.count {
        guard let more = try read() else {
          start = begun
          return nil
        }
        if more.isEmpty { break }
        begun += more
      }
      start = nil
      return begun.starts(with: mark) ? Array(begun.dropFirst(mark.count)) : begun
    }
  }

  func badDump(line: Int?, column: Int?, _ reason: String) -> InspectionError {
    guard let line, let origin = origin?(line) else {
      return InspectionError.badDump(name, line: line, column: column, reason)
    }
    return InspectionError.badDump(
      origin.name, line: origin.line, column: origin.line == nil ? nil : column, reason)
  }

  /// Opens a file.
  ///
  /// - Throws: ``InspectionError`` with `cannotRead`.
  public static func file(at path: String) throws -> DumpSource {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InspectionError.cannotRead(path, number: errno) }
    let file = OpenFile(name: path, descriptor: descriptor, closesAtEnd: true)
    return DumpSource(
      name: path, reopen: file.isRegular ? { try .file(at: path) } : nil, read: file.read)
  }

  /// The standard input of this process.
  public static var standardInput: DumpSource {
    let name = "standard input"
    let file = OpenFile(name: name, descriptor: STDIN_FILENO, closesAtEnd: false)
    return DumpSource(name: name, read: file.read)
  }

  /// Reads all of standard input, without a byte order mark.
  ///
  /// - Throws: ``InspectionError`` with `cannotRead`.
  package static func allOfStandardInput() throws -> Data {
    let source = standardInput
    var all = Data()
    while true {
      // A signal may interrupt the read.
      guard let bytes = try source.read() else { continue }
      if bytes.isEmpty { return all }
      all.append(contentsOf: bytes)
    }
  }

  /// Returns a source that reads bytes in memory.
  public static func data(_ data: Data, name: String = "data") -> DumpSource {
    var rest = data
    return DumpSource(name: name, reopen: { .data(data, name: name) }) {
      defer { rest = Data() }
      return Array(rest)
    }
  }

  /// An open file. Closes its descriptor at the end if it owns it.
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

    /// Whether the file can be read again. A pipe cannot.
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

/// A reader of the lines of a dump.
struct LineReader {
  private let source: DumpSource
  /// Throws if the work has been cancelled.
  private let checkCancellation: () throws -> Void
  private var chunk: [UInt8] = []
  private var position = 0
  /// A line that the next call returns again.
  private var held: [UInt8]?
  /// The number of the last line read, from 1.
  private(set) var lineNumber = 0

  /// The limit of the length of a line in bytes: enough for several strings of
  /// 2 GB with escapes. Longer lines do not come from a dump, and would fill
  /// the memory.
  static let maximumLength = 1 << 34
  /// The limit of the length in bytes of a line that does not start like a line
  /// of a dump.
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

  /// Returns a source with all lines, given the first line, which has been read
  /// already.
  func whole(beginningWith first: [UInt8]) -> DumpSource {
    var begun = first + [0x0A] + chunk[position...]
    return DumpSource(name: source.name, origin: source.origin) {
      defer { begun = [] }
      return begun.isEmpty ? try source.read() : begun
    }
  }

  /// Makes the next call return the line again.
  mutating func putBack(_ line: [UInt8]) { held = line }

  /// Returns the index of the next line end in the chunk, or nil.
  private func findEnd() -> Int? {
    unsafe chunk.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, position < bytes.count else { return nil }
      // Safe: `position` is less than `bytes.count`, and `memchr` searches the
      // rest of the buffer.
      let end = unsafe memchr(base + position, 0x0A, bytes.count - position)
      return unsafe end.map { unsafe UnsafeRawPointer($0) - base }
    }
  }

  /// Returns the next line without its line end, or nil at the end.
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
