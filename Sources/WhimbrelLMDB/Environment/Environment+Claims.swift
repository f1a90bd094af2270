internal import Foundation

/// Locks on bytes of the data file that tell other processes how this one has the file open. All
/// processes must agree about that, and LMDB does not check it.
///
/// The bytes follow those of ``UnlockedSnapshots``.
extension Environment {
  /// The bytes of lock files, each at a place that its identity determines.
  private static let lockFiles = Int64(2) << 60..<Int64(3) << 60

  /// The bytes that are locked while a file is open in any way.
  static let openingBytes = Int64(1) << 60..<lockFiles.upperBound

  /// Throws if another process has the file open with another lock file. Otherwise, no other
  /// process can open it like that until this one closes it.
  ///
  /// This happens when the file has a second path that is not a hard link (a mount of the file
  /// itself, as in a container), and when the lock file was deleted while the file was open.
  ///
  /// - Throws: ``LMDBError`` with `otherLockFile`.
  func claimLockFile() throws(LMDBError) {
    guard let byte = lockFileByte else { return }
    let descriptor = try descriptor()
    // A file system without locks refuses all of them.
    _ = try? ByteLock.take(byte, .shared, in: descriptor)
    if ByteLock.isHeld(Self.lockFiles.lowerBound..<byte, in: descriptor)
      || ByteLock.isHeld(byte + 1..<Self.lockFiles.upperBound, in: descriptor)
    {
      throw LMDBError(code: .otherLockFile, function: "mdb_env_open")
    }
  }

  /// Lets other processes open the file in another way. Closing the file is not enough: a forked
  /// child has a copy of the descriptor.
  func dropClaims() {
    guard let byte = lockFileByte, let descriptor = try? descriptor() else { return }
    ByteLock.drop(byte, in: descriptor)
  }

  private var lockFileByte: Int64? {
    guard let lockFile = place?.lockFile else { return nil }
    let mix = lockFile.node &* 0x9E37_79B9_7F4A_7C15 ^ lockFile.device &* 0xC2B2_AE3D_27D4_EB4F
    return Self.lockFiles.lowerBound + Int64(mix >> 4)
  }
}
