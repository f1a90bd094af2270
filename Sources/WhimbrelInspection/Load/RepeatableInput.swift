internal import Foundation
internal import WhimbrelEngine

/// A file, a folder, a pipe or standard input that can be read from its beginning any number of
/// times.
package struct RepeatableInput {
  package let name: String
  private let spool: Spool?

  /// Opens an input. What can be read only once is first copied into a temporary file.
  ///
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - monitor: Receives the progress of copying, and can cancel.
  /// - Throws: ``InspectionError`` with `cannotRead`, `cannotWrite` or `cancelled`.
  package init(path: String, _ monitor: WorkMonitor = .silent) throws {
    let source = try DumpSource.named(path)
    name = source.name
    let error = InspectionError.cancelled(name, "read")
    spool = source.reopen == nil ? try Spool(source, monitor, orThrow: error) : nil
  }

  /// Returns a source that starts at the beginning.
  package func source() throws -> DumpSource { try spool?.source() ?? .named(name) }

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
