internal import Foundation
internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelInspection

/// The store that a server shows.
///
/// Each request reads the last commit in a snapshot of its own, which ends with the request. The file
/// stays open in between, so that its pages are checked only once.
final class StudioStore: Sendable {
  let path: String
  let isWritable: Bool
  /// The path of the schema that the app declares, or nil.
  let appSchema: String?
  let listings = ListingCache()
  private let trace: LockFileTrace
  private let file: Mutex<StoreFile?>

  /// Opens the store.
  ///
  /// - Throws: `StoreError`.
  init(path: String, isWritable: Bool, appSchema: String?) throws {
    self.path = path
    self.isWritable = isWritable
    self.appSchema = appSchema
    trace = LockFileTrace(path: path)
    do {
      file = Mutex(try Self.open(path, isWritable: isWritable))
    } catch {
      trace.remove()
      throw error
    }
  }

  /// Opens the file. If edits are allowed, it is opened for writing at once: LMDB opens a file once in
  /// a process.
  private static func open(_ path: String, isWritable: Bool) throws -> StoreFile {
    var request = OpenRequest(path: path)
    request.isReadOnly = !isWritable
    return try StoreFile.attach(request)
  }

  /// Reads the last commit of the file that is at the path now.
  func read<Result>(_ body: (StoreInspector) throws -> Result) throws -> Result {
    try follow()
    let inspector = try StoreInspector(path: path, checksPages: false)
    defer { inspector.session.close() }
    return try body(inspector)
  }

  /// Keeps open the file that is at the path now. If it has replaced another one, that one is closed
  /// first: both have the same lock file. Call this before anything else opens the file, because a
  /// file that is open for reading cannot be opened for writing.
  func follow() throws {
    try file.withLock { file in
      if let file, file.isInPlace { return }
      file.take()?.close()
      listings.removeAll()
      file = try Self.open(path, isWritable: isWritable)
    }
  }

  /// Opens a session that follows the commits of others.
  func makeSession() throws -> Session {
    try follow()
    return try Session(Self.open(path, isWritable: isWritable))
  }

  /// Returns the port at which the store is usually shown. A browser keeps the choices of a page,
  /// such as the columns of a table, for each port.
  func usualPort() throws -> Int {
    let bytes = try read { $0.header.uuid.uuid }
    // The ports from 49152 on belong to nobody.
    return 49_152 + (Int(bytes.14) << 8 | Int(bytes.15)) % 16_384
  }

  /// Releases the file.
  func close() {
    file.withLock { $0.take() }?.close()
    trace.remove()
  }
}
