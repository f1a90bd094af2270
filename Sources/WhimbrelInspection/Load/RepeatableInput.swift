internal import Foundation

/// A file, a folder or standard input, as something that can be read several times.
package struct RepeatableInput {
  /// The path, or `-`.
  package let path: String

  package init(path: String) { self.path = path }

  /// What it is called in errors.
  var name: String { path == "-" ? DumpSource.standardInput.name : path }

  /// The input, ready to be read; standard input is copied into a file first.
  ///
  /// - Parameter monitor: is asked whether to go on.
  /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or `cancelled`.
  package func opened(_ monitor: WorkMonitor = .silent) throws -> Opened {
    if path == "-" {
      let spool = try Spool(.standardInput, monitor, orThrow: .cancelled(name, "read"))
      return Opened(name: name, spool: spool)
    }
    return Opened(name: path, spool: nil)
  }

  /// An input that can be read from its beginning, again and again.
  package struct Opened {
    package let name: String
    fileprivate let spool: Spool?

    /// Begins to read it.
    package func source() throws -> DumpSource {
      guard let spool else { return try .named(name) }
      return try spool.source()
    }

    /// A path of the same bytes.
    var path: String { spool?.path ?? name }
  }

  /// A copy of what can be read but once, which goes with the value.
  final class Spool {
    let path: String
    private let name: String
    private let origin: ((_ line: Int) -> DumpSource.Origin)?

    /// - Parameter cancellation: what is thrown when that is to stop.
    /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or `cancelled`.
    init(
      _ source: DumpSource, _ monitor: WorkMonitor, orThrow cancellation: InspectionError
    ) throws {
      name = source.name
      origin = source.origin
      path =
        FileManager.default.temporaryDirectory.appending(path: "whimbrel-\(UUID().uuidString)")
        .path
      try DumpFile.write(to: path, replacing: .refused) { write in
        var count = 0
        while true {
          try monitor.update("Reading", count, of: nil, .bytes, orThrow: cancellation)
          guard let chunk = try source.read() else { continue }
          if chunk.isEmpty { return }
          count += chunk.count
          try write(chunk)
        }
      }
    }

    deinit { unsafe unlink(path) }

    /// Begins to read the copy.
    func source() throws -> DumpSource {
      let file = try DumpSource.file(at: path)
      return DumpSource(name: name, origin: origin, reopen: source, read: file.read)
    }
  }
}
