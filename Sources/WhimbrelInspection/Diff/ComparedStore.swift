internal import Foundation
internal import WhimbrelEngine

/// A store to compare, opened from a store file or loaded from a dump.
///
/// ```swift
/// let old = try ComparedStore(path: "zones.jsonl")
/// let new = try ComparedStore(path: "zones.whimbrel")
/// let diff = try StoreDiff(from: old.inspector, to: new.inspector)
/// ```
///
/// A dump is loaded into a temporary store, which is deleted with this object.
public final class ComparedStore {
  /// The inspector of the store.
  public let inspector: StoreInspector
  private let folder: TemporaryFile?

  /// Opens a store or loads a dump: a file that begins with a brace, a folder, or `-` for standard
  /// input.
  ///
  /// - Throws: `StoreError`, and ``InspectionError`` with `badDump`, `incompleteDump`, `cannotRead`
  ///   or `cancelled`.
  /// - Complexity: O(*n* log *n*) for a dump.
  public init(path: String, monitor: WorkMonitor = .silent) throws {
    guard Self.isDump(path) else {
      inspector = try StoreInspector(path: path)
      folder = nil
      return
    }
    let folder = try TemporaryFile.spool()
    guard unsafe mkdir(folder.path, 0o700) == 0 else {
      throw InspectionError.cannotWrite(folder.path, number: errno)
    }
    do {
      let store = folder.path + "/dump.whimbrel"
      let source = try DumpSource.named(path)
      do {
        try StoreLoad(source, into: store, monitor: monitor).run()
      } catch InspectionError.Code.cancelled {
        // The load would name the temporary store.
        throw InspectionError.cancelled(source.name, "read the dump")
      }
      inspector = try StoreInspector(path: store)
      self.folder = folder
    } catch {
      folder.remove()
      throw error
    }
  }

  deinit {
    // The inspector may outlive this object: an open file stays readable after its name is removed.
    folder?.remove()
  }

  private static func isDump(_ path: String) -> Bool {
    if path == "-" { return true }
    var isFolder: ObjCBool = false
    // Safe: the pointer refers to a local variable and is used only during the call.
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists, isFolder.boolValue { return true }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    // A pipe can be read only once, so it cannot be a store: its content must be a dump.
    if status.st_mode & S_IFMT == S_IFIFO { return true }
    guard status.st_mode & S_IFMT == S_IFREG, let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? file.close() }
    return DumpSource.isJSON((try? file.read(upToCount: 64)) ?? Data())
  }
}
