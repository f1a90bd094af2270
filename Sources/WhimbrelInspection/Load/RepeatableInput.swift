internal import Foundation
internal import WhimbrelEngine

/// A file, a folder or standard input that can be read several times.
package struct RepeatableInput {
  /// The path, or `-` for standard input.
  package let path: String

  package init(path: String) { self.path = path }

  /// The name of the input in errors.
  var name: String { path == "-" ? DumpSource.standardInput.name : path }

  /// Opens the input. Standard input is first copied into a temporary file.
  ///
  /// - Parameter monitor: Receives the progress of copying, and can cancel.
  /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or
  ///   `cancelled`.
  package func opened(_ monitor: WorkMonitor = .silent) throws -> Opened {
    if path == "-" {
      let spool = try Spool(.standardInput, monitor, orThrow: .cancelled(name, "read"))
      return Opened(name: name, spool: spool)
    }
    return Opened(name: path, spool: nil)
  }

  /// An input that can be read from its beginning any number of times.
  package struct Opened {
    package let name: String
    fileprivate let spool: Spool?

    /// Returns a source that starts at the beginning.
    package func source() throws -> DumpSource {
      guard let spool else { return try .named(name) }
      return try spool.source()
    }

    /// The path of a file or folder with the content of the input.
    var path: String { spool?.path ?? name }
  }

  /// A temporary copy of a source that can be read only once. Deletes its file
  /// at the end.
  final class Spool {
    private let file: TemporaryFile
    private let name: String
    private let origin: ((_ line: Int) -> DumpSource.Origin)?

    /// - Parameters:
    ///   - source: The source to copy.
    ///   - monitor: Receives the progress.
    ///   - cancellation: The error to throw when copying is cancelled.
    /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or
    ///   `cancelled`.
    init(
      _ source: DumpSource, _ monitor: WorkMonitor, orThrow cancellation: InspectionError
    ) throws {
      name = source.name
      origin = source.origin
      file = try TemporaryFile.spool()
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

    deinit { file.remove() }

    var path: String { file.path }

    /// Returns a source that starts at the beginning of the copy.
    func source() throws -> DumpSource {
      let file = try DumpSource.file(at: path)
      return DumpSource(name: name, origin: origin, reopen: source, read: file.read)
    }
  }
}
