internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// The files that an environment has open, as they were when it opened them.
  ///
  /// LMDB opens the lock file by a path that it derives from the data file's. Processes that open
  /// different lock files do not see each other's writers and snapshots: they lose commits and
  /// reuse pages that others read. This happens when the file has two names by a hard link, and
  /// when the lock file is deleted or replaced while the file is open.
  struct Place: Hashable, Sendable {
    /// The identity of the data file.
    let file: FileIdentity
    /// The identity of the lock file.
    let lockFile: FileIdentity
    /// The path of the lock file.
    let lockPath: String

    /// Reads the identities of the files that LMDB has just opened.
    ///
    /// The lock file is only looked at: closing it would drop the locks of this process.
    init(path: String, handle: OpaquePointer) throws(LMDBError) {
      var descriptor: mdb_filehandle_t = -1
      try LMDBError.check(unsafe mdb_env_get_fd(handle, &descriptor), "mdb_env_get_fd")
      guard let file = FileIdentity(descriptor: descriptor) else {
        throw LMDBError(code: .init(rawValue: errno), function: "fstat")
      }
      lockPath = path + "-lock"
      guard let lockFile = FileIdentity(path: lockPath) else {
        throw LMDBError(code: .lockFileReplaced, function: "stat")
      }
      self.file = file
      self.lockFile = lockFile
    }
  }

  /// Throws if other processes may use another lock file than this environment.
  ///
  /// - Throws: ``LMDBError`` with `fileReplaced`, `lockFileReplaced` or `hardLinked`.
  /// - Complexity: Two calls of `stat`.
  package func requireInPlace() throws(LMDBError) {
    guard let place else { return }
    guard let file = FileFacts(path: path), file.identity == place.file else {
      throw LMDBError(code: .fileReplaced, function: "stat")
    }
    guard FileIdentity(path: place.lockPath) == place.lockFile else {
      throw LMDBError(code: .lockFileReplaced, function: "stat")
    }
    guard file.names == 1 else { throw LMDBError(code: .hardLinked, function: "stat") }
  }

  /// Throws if another process uses the lock file for a file that this one has replaced.
  ///
  /// LMDB: the lock file has the number of the last commit, which leads readers to a meta page. The
  /// first opener takes it from the file. A commit writes it last, so it may be behind by one.
  ///
  /// - Throws: ``LMDBError`` with `fileReplaced`.
  func requireMatchingLockFile() throws(LMDBError) {
    let reader = commitSignals.reader
    // Others may commit between the two calls.
    guard let before = reader.numbers(), let readable = before.readable,
      readable != before.written, let after = reader.numbers()
    else { return }
    if readable < before.written &- 1 || readable > after.written {
      throw LMDBError(code: .fileReplaced, function: "mdb_env_open")
    }
  }
}
