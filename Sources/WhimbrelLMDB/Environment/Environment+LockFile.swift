internal import Foundation

extension Environment {
  /// Creates the lock file, if it is missing, for the users of the data file.
  ///
  /// LMDB: would create it for this user alone. Every user of the file must write to it, so root
  /// would lock out the owner of the file, and each member of a group the others.
  static func createLockFile(of path: String) {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe Foundation.open(path + "-lock", flags, 0o644)
    guard descriptor >= 0 else { return }
    FileBytes.share(descriptor, like: path, adding: 0o600)
    close(descriptor)
  }

  /// The function in an error of ``reserveLockFile(of:)``.
  package static let reservation = "posix_fallocate"

  /// Allocates the lock file's space on the disk before LMDB maps it.
  ///
  /// LMDB: the lock file is created sparse, and mapped. If the disk then has no space for one of
  /// its pages, the first write to that page is a bus error. Closing the file here would drop the
  /// locks of an environment of this process, so none may have it open. LMDB reports any other
  /// problem of the file.
  static func reserveLockFile(of path: String) throws(LMDBError) {
    #if os(Linux)
      let file = path + "-lock"
      var status = stat()
      let room = unsafe stat(file, &status) == 0 ? Int(status.st_blocks) * 512 : 0
      if room >= lockFileSize { return }
      let descriptor = unsafe Foundation.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      let reason = posix_fallocate(descriptor, 0, lockFileSize)
      if reason == ENOSPC || reason == EDQUOT {
        throw LMDBError(code: .init(rawValue: reason), function: reservation)
      }
    #endif
  }

  /// The size of the lock file, in bytes: one cache line for each reader, and two more.
  private static let lockFileSize = 64 * (maximumReaders + 2)
}
