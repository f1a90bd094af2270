internal import Foundation

/// Locks on bytes of the data file that tell other processes how this one has the file open. All
/// processes must agree about that, and LMDB does not check it.
///
/// The bytes follow those of ``UnlockedSnapshots``.
extension Environment {
  /// A byte that this process locks. No other process may lock another one of the range.
  private struct Claim {
    let byte: Int64
    let range: Range<Int64>
    /// The reason to refuse the file if another process does.
    let refusal: LMDBError.Code
  }

  private static let lockFiles = Int64(2) << 60..<Int64(3) << 60
  private static let containers = Int64(3) << 60..<Int64(4) << 60

  /// The bytes that are locked while a file is open in any way.
  static let openingBytes = Int64(1) << 60..<containers.upperBound

  /// Throws if another process has the file open in another way. Otherwise, no other process can
  /// open it like that until this one closes it.
  ///
  /// - Throws: ``LMDBError`` with `otherLockFile` or `otherContainer`.
  func claim() throws(LMDBError) {
    let descriptor = try descriptor()
    for claim in claims {
      // A file system without locks refuses all of them.
      _ = try? ByteLock.take(claim.byte, .shared, in: descriptor)
      if ByteLock.isHeld(claim.range.lowerBound..<claim.byte, in: descriptor)
        || ByteLock.isHeld(claim.byte + 1..<claim.range.upperBound, in: descriptor)
      {
        throw LMDBError(code: claim.refusal, function: "mdb_env_open")
      }
    }
  }

  /// Lets other processes open the file in another way. Closing the file is not enough: a forked
  /// child has a copy of the descriptor.
  func dropClaims() {
    guard let descriptor = try? descriptor() else { return }
    for claim in claims { ByteLock.drop(claim.byte, in: descriptor) }
  }

  private var claims: [Claim] {
    [lockFileClaim, options.isReadOnly ? nil : containerClaim].compactMap(\.self)
  }

  /// The lock file. Another process has another one if the file has a second path that is not a
  /// hard link (a mount of the file itself, as in a container), or if the lock file was deleted
  /// while the file was open.
  private var lockFileClaim: Claim? {
    guard let lockFile = place?.lockFile else { return nil }
    let mix = lockFile.node &* 0x9E37_79B9_7F4A_7C15 ^ lockFile.device &* 0xC2B2_AE3D_27D4_EB4F
    return Claim(
      byte: Self.lockFiles.lowerBound + Int64(mix >> 4), range: Self.lockFiles,
      refusal: .otherLockFile)
  }

  /// The PID namespace, for writers.
  ///
  /// LMDB: the writers' lock is a robust mutex with the number of a thread. If a thread is killed
  /// that waits for the lock, and has the same number as the owner in another namespace, Linux
  /// takes the owner for dead, and two processes write at the same time.
  private var containerClaim: Claim? {
    guard place != nil, let namespace = FileIdentity(path: "/proc/self/ns/pid") else { return nil }
    let byte = Self.containers.lowerBound + Int64(namespace.node & UInt64(UInt32.max))
    return Claim(byte: byte, range: Self.containers, refusal: .otherContainer)
  }
}
