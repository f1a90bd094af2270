internal import Foundation

/// A file, a folder or standard input, as something that can be read several times.
struct RepeatableInput {
  /// The path, or `-`.
  let path: String

  /// What it is called in errors.
  var name: String { path == "-" ? DumpSource.standardInput.name : path }

  /// The input, ready to be read; standard input is copied into a file first.
  ///
  /// - Parameter monitor: is asked whether to go on.
  /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or `cancelled`.
  func opened(_ monitor: WorkMonitor = .silent) throws -> Opened {
    if path == "-" { return Opened(name: name, spool: try Spool(.standardInput, monitor)) }
    return Opened(name: path, spool: nil)
  }

  /// An input that can be read from its beginning, again and again.
  struct Opened {
    let name: String
    fileprivate let spool: Spool?

    /// Begins to read it.
    func source() throws -> DumpSource {
      guard let spool else { return try .named(name) }
      let file = try DumpSource.file(at: spool.path)
      return DumpSource(name: name, read: file.read)
    }

    /// A path of the same bytes.
    var path: String { spool?.path ?? name }
  }

  /// A copy of what can be read but once, which goes with the value.
  fileprivate final class Spool {
    let path: String

    init(_ source: DumpSource, _ monitor: WorkMonitor) throws {
      path =
        FileManager.default.temporaryDirectory.appending(path: "whimbrel-\(UUID().uuidString)")
        .path
      try DumpFile.write(to: path, replacing: .refused) { write in
        var count = 0
        while true {
          try monitor.update(
            "Reading", count, of: nil, .bytes,
            orThrow: InspectionError.cancelled(source.name, "read"))
          guard let chunk = try source.read() else { continue }
          if chunk.isEmpty { return }
          count += chunk.count
          try write(chunk)
        }
      }
    }

    deinit { unsafe unlink(path) }
  }
}
