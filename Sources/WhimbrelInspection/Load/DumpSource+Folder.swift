internal import Foundation
internal import WhimbrelEngine

extension DumpSource {
  /// Opens a folder that ``FolderDump`` wrote.
  ///
  /// - Throws: ``InspectionError`` with `cannotRead` or `badDump`.
  public static func folder(at path: String) throws -> DumpSource {
    let reader = try FolderReader(path)
    return DumpSource(
      name: path, origin: reader.origin, reopen: { try .folder(at: path) }, read: reader.read)
  }

  /// Opens a file or a folder. `-` is standard input.
  ///
  /// - Throws: ``InspectionError`` with `cannotRead` or `badDump`.
  public static func named(_ path: String) throws -> DumpSource {
    if path == "-" { return .standardInput }
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let isDump = FileManager.default.fileExists(atPath: "\(path)/\(FolderLayout.storeName)")
    return exists && isFolder.boolValue && isDump ? try .folder(at: path) : try .file(at: path)
  }
}

/// A reader that joins the files of a folder to the lines of one dump.
private final class FolderReader {
  /// A file of the folder, and the number of its first line in the joined dump.
  private struct Part {
    let path: String
    var firstLine = 0
  }

  private let path: String
  private var parts: [Part]
  private var next = 0
  private var current: DumpSource?
  /// The first line of the dump, or nil after it has been read.
  private var header: [UInt8]?
  /// The number of line ends read.
  private var lines = 0
  private var endsWithinLine = false

  init(_ path: String) throws {
    self.path = path
    let store = "\(path)/\(FolderLayout.storeName)"
    let schemaPath = "\(path)/\(FolderLayout.schemaName)"
    let description: FolderHeader = try Self.decode(store)
    if description.isUnfinished {
      throw InspectionError.badFolder(
        store, "an interrupted 'whimbrel dump --folder --force' has left it")
    }
    let schema: SchemaExport = try Self.decode(schemaPath)
    header = try description.header(schema).line() + [0x0A]
    parts = FolderLayout.fileNames(ofClasses: schema.classes.map(\.name))
      .map { Part(path: "\(path)/\($0)") }
  }

  private static func decode<Value: Decodable>(_ path: String) throws -> Value {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InspectionError.cannotRead(path, number: errno == 0 ? ENOENT : errno)
    }
    do {
      return try Coding.decoder().decode(Value.self, from: data)
    } catch let error as DecodingError {
      throw InspectionError.badFolder(path, error.reason(in: data))
    }
  }

  /// Returns the next bytes. Adds a line end to a file that lacks one.
  func read() throws -> [UInt8]? {
    if let line = header {
      header = nil
      lines = 1
      return line
    }
    while true {
      if let current {
        guard let chunk = try current.read() else { return nil }
        if !chunk.isEmpty { return count(chunk) }
        self.current = nil
        if endsWithinLine { return count([0x0A]) }
      }
      guard next < parts.count else { return [] }
      parts[next].firstLine = lines + 1
      current = try .file(at: parts[next].path)
      next += 1
    }
  }

  private func count(_ chunk: [UInt8]) -> [UInt8] {
    for byte in chunk where byte == 0x0A { lines += 1 }
    endsWithinLine = chunk.last != 0x0A
    return chunk
  }

  /// Returns the file that holds a line of the dump, and its line number there.
  func origin(_ line: Int) -> DumpSource.Origin {
    let part = parts[..<next].last { $0.firstLine <= line }
    guard line > 1, let part else {
      return DumpSource.Origin(name: "\(path)/\(FolderLayout.storeName)", line: nil)
    }
    return DumpSource.Origin(name: part.path, line: line - part.firstLine + 1)
  }
}
