internal import Foundation

extension Environment {
  /// Takes the room that the lock file needs on the disk, before it is mapped.
  ///
  /// LMDB: the lock file is made as long as it has to be, but empty, and mapped. Where
  /// the disk then has no room for one of its pages, the first write there is a bus
  /// error. No environment of this process has the file open, whose locks closing it
  /// here would drop. What else may be wrong with it is for LMDB to say.
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
        throw LMDBError(code: .init(rawValue: reason), function: "posix_fallocate")
      }
    #endif
  }

  /// The size of the lock file, in bytes: a cache line for each reader, and two more.
  private static let lockFileSize = 64 * (maximumReaders + 2)
}
