internal import Foundation

/// Locks on bytes of a file, against other processes and other threads alike.
///
/// A lock belongs to the open descriptor, not to the process. The system releases it when the
/// process dies. The bytes may lie beyond the end of the file.
package enum ByteLock {
  /// The kind of a lock, as `fcntl` names it.
  package enum Kind {
    case shared, exclusive

    fileprivate var value: Int16 { self == .shared ? Int16(F_RDLCK) : Int16(F_WRLCK) }
  }

  /// The values of `F_OFD_GETLK`, `F_OFD_SETLK` and `F_OFD_SETLKW`, which Swift does not import on
  /// Linux.
  #if canImport(Darwin)
    private static let findLock: Int32 = 92
    private static let setLock: Int32 = 90
    private static let setLockWaiting: Int32 = 91
  #else
    private static let findLock: Int32 = 36
    private static let setLock: Int32 = 37
    private static let setLockWaiting: Int32 = 38
  #endif

  /// Locks a byte, or all bytes if `byte` is nil. Returns false if another holder has locked one of
  /// them.
  ///
  /// - Parameter waits: Whether to wait for other holders instead.
  package static func take(
    _ byte: Int64?, _ kind: Kind, in descriptor: Int32, waits: Bool = false
  ) throws(LMDBError) -> Bool {
    var lock = flock()
    lock.l_type = kind.value
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(byte ?? 0)
    // A length of 0 means up to the end of the file, wherever that is.
    lock.l_len = byte == nil ? 0 : 1
    while unsafe fcntl(descriptor, waits ? setLockWaiting : setLock, &lock) != 0 {
      if waits, errno == EINTR { continue }
      if !waits, errno == EAGAIN || errno == EACCES || errno == EINTR { return false }
      throw LMDBError(code: .init(rawValue: errno), function: "fcntl")
    }
    return true
  }

  /// Returns whether another holder has locked one of the bytes.
  static func isHeld(_ bytes: Range<Int64>, in descriptor: Int32) -> Bool {
    if bytes.isEmpty { return false }
    var probe = flock()
    probe.l_type = Int16(F_WRLCK)
    probe.l_whence = Int16(SEEK_SET)
    probe.l_start = off_t(bytes.lowerBound)
    probe.l_len = off_t(bytes.count)
    return unsafe fcntl(descriptor, findLock, &probe) == 0 && probe.l_type != Int16(F_UNLCK)
  }

  /// Releases the lock on a byte.
  ///
  /// Closing the descriptor is not enough: a child process that has not yet reached its `exec` has
  /// a copy of it, and would keep the lock.
  package static func drop(_ byte: Int64, in descriptor: Int32) {
    var lock = flock()
    lock.l_type = Int16(F_UNLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(byte)
    lock.l_len = 1
    _ = unsafe fcntl(descriptor, setLock, &lock)
  }
}
