internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// Writes a consistent copy of the file to a path where no file exists, and
  /// waits until it is on the disk. The file may be in use.
  ///
  /// - Parameter isCompacted: Whether to leave out free pages.
  ///
  /// The corresponding C function is `mdb_env_copyfd2`.
  package func copy(to path: String, isCompacted: Bool) throws(LMDBError) {
    try requireSameProcess()
    // LMDB: copying takes the writers' lock briefly, unless it compacts.
    guard isCompacted || !isWritingOnThisThread else {
      throw LMDBError(code: .nestedWrite, function: "mdb_env_copyfd2")
    }
    // A new transaction adopts the map size if another process has enlarged it.
    try ReadTransaction(self).commit()
    let pageLock = try lockPages()
    defer { withExtendedLifetime(pageLock) {} }
    let descriptor = unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "open")
    }
    // LMDB: a compacting copy is written by a thread that inherits this mask.
    let signals = SizeSignal.block()
    defer { signals.end() }
    do throws(LMDBError) {
      gate.enter()
      defer { gate.leave() }
      let flags = isCompacted ? UInt32(MDB_CP_COMPACT) : 0
      try LMDBError.check(unsafe mdb_env_copyfd2(handle, descriptor, flags), "mdb_env_copyfd2")
      // LMDB does not sync the copy.
      guard FileBytes.sync(descriptor) == 0 else {
        throw LMDBError(code: .init(rawValue: errno), function: "fsync")
      }
      close(descriptor)
    } catch {
      close(descriptor)
      unsafe unlink(path)
      throw error
    }
  }
}
