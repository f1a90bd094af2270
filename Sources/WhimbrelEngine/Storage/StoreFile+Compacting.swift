internal import Foundation
internal import Logging
internal import WhimbrelLMDB

extension StoreFile {
  /// Compacts the file of a request before it is opened, if the app asks for that.
  ///
  /// The file is unchanged if another opener uses it, if the disk has no room for a second file, or
  /// if it is unreadable. Opening the file then reports the problem.
  ///
  /// - Throws: ``StoreError`` if the file was put back in its place and the disk does not confirm
  ///   its name.
  static func compactIfAsked(_ request: OpenRequest) throws {
    guard let shouldCompact = request.file.shouldCompact, !request.isReadOnly else { return }
    let path = Environment.resolve(request.path) ?? request.path
    guard exists(at: path), let identity = FileIdentity(path: path), isUnused(path, identity)
    else { return }
    // Leftovers of a killed compaction. One of them may be a second name of the file.
    TemporaryFiles(path: path).removeLeftovers(searches: true)
    do {
      try compact(path, request, shouldCompact)
    } catch let error as UnsyncedName {
      throw StoreError.describing(error.cause, path: request.path)
    } catch {
      Logger(label: "whimbrel.compaction").warning(
        "The store was not compacted: \(error)", metadata: ["path": "\(request.path)"])
    }
  }

  /// Returns whether nobody has a file open now.
  private static func isUnused(_ path: String, _ identity: FileIdentity) -> Bool {
    let outcome = try? Environment.whileUnused(path, identity, patience: .zero) {}
    if case .done? = outcome { return true }
    return false
  }

  private static func compact(
    _ path: String, _ request: OpenRequest, _ shouldCompact: (FileUsage) -> Bool
  ) throws {
    var plain = OpenRequest(path: path)
    plain.file.maximumSize = request.file.maximumSize
    let session = try Session(attach(plain))
    defer { session.close() }
    // A copy has only the classes' tables. It would lose the kept previous generation, and a file
    // of format 1 would still lack its overflow tables.
    guard try !session.file.canUndoMigration(),
      session.loaded.header.formatVersion >= Header.formatWithOverflow,
      try shouldCompact(session.file.usage())
    else { return }
    let replacement = StoreReplacement(of: session)
    let temporary = try replacement.newFile()
    defer { temporary.remove() }
    let newPath = temporary.path
    try FilePreflight.checkPages(path)
    _ = try PackedCopy(of: session).write(to: newPath, describedAs: path) { _, _ in }
    session.close()
    do {
      try replacement.replace(with: newPath)
    } catch StoreReplacement.Refusal.inUse {
      return
    } catch StoreReplacement.Refusal.changed {
      return
    } catch {
      // Writes to the old file are safe only if its name is on the disk.
      do { try FilePreflight.syncFolder(of: path) } catch { throw UnsyncedName(cause: error) }
      throw error
    }
  }

  /// The name of the old file may not be on the disk.
  private struct UnsyncedName: Error {
    let cause: LMDBError
  }

  /// Returns the size of the file and the bytes in use.
  package func usage() throws -> FileUsage {
    let facts = try environment.information()
    let used = try (facts.lastPage + 1 - environment.freePageCount()) * facts.pageSize
    var status = stat()
    let size = unsafe stat(path, &status) == 0 ? Int(status.st_size) : used
    return FileUsage(totalBytes: size, usedBytes: min(used, size))
  }
}
