internal import Foundation
internal import WhimbrelLMDB

/// The mark in a file that is being migrated. A lock tells whether the migration is still running.
///
/// Every write reads the mark when it begins, so that no process changes what a migration has read.
/// The system releases the lock when the process dies. A mark without a lock is left from a crash,
/// and the next open cleans up.
package enum MigrationMark {
  /// Returns the error for a write while another process or thread is migrating the file, or nil.
  ///
  /// - Throws: ``StoreError`` with `storeMoved` if the migration has moved the file.
  static func refusal(in view: ReadView, of file: StoreFile) throws -> StoreError? {
    guard let mark = try view.value(.main, MainKey.migration) else { return nil }
    let isCleaning = mark.count >= 16 && mark.load(UInt64.self, at: 8) != 0
    if isCleaning { return nil }
    try file.requireInPlace()
    let process = try process(in: view)
    guard let lock = try MigrationLock(path: file.path) else {
      return StoreError.migrationInProgress(path: file.path, processID: process)
    }
    // The lock is free: the process that set the mark has died. The tables that it wrote are not in the
    // catalog.
    lock.unlock()
    return nil
  }

  /// Returns the ID of the process that set the mark, or nil if the file has no mark.
  static func process(in view: ReadView) throws -> Int32? {
    guard let mark = try view.value(.main, MainKey.migration), mark.count >= 8 else { return nil }
    return Int32(truncatingIfNeeded: mark.load(UInt64.self, at: 0))
  }

  /// Sets the mark, for this process.
  ///
  /// - Parameter isCleaning: Whether the migration is complete and only old tables are still to be
  ///   removed. Others may write then.
  static func set(in view: WriteView, isCleaning: Bool) throws(LMDBError) {
    let words = [UInt64(getpid()), isCleaning ? 1 : 0]
    try view.put(
      .main, MainKey.migration,
      words.flatMap { word in unsafe withUnsafeBytes(of: word.littleEndian) { unsafe Array($0) } })
  }

  /// Removes the mark.
  static func remove(in view: WriteView) throws(LMDBError) {
    try view.remove(.main, MainKey.migration)
  }
}

/// The lock that a process holds while it migrates a file. It does not exclude the guard of openers.
struct MigrationLock: ~Copyable {
  private let descriptor: Int32
  private let owner = getpid()

  /// Takes the lock. Returns nil if it is held elsewhere.
  ///
  /// LMDB: opening and closing the data file is safe. Only locks on the lock file would be released
  /// by it.
  init?(path: String) throws {
    let descriptor = unsafe open(path, Self.mode | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.describing(
        LMDBError(code: .init(rawValue: errno), function: "open"), path: path)
    }
    do throws(LMDBError) {
      guard try Self.take(descriptor) else {
        close(descriptor)
        return nil
      }
    } catch {
      close(descriptor)
      throw StoreError.describing(error, path: path)
    }
    self.descriptor = descriptor
  }

  #if canImport(Darwin)
    // Darwin: a `flock` also excludes each lock on a byte of the file that another descriptor has:
    // the guard of openers, and the lock for converting objects. So this is a lock on one byte, too.
    private static let byte: Int64 = (1 << 62) + 6
    private static let mode = O_RDWR

    private static func take(_ descriptor: Int32) throws(LMDBError) -> Bool {
      try ByteLock.take(byte, .exclusive, in: descriptor)
    }

    private static func drop(_ descriptor: Int32) { ByteLock.drop(byte, in: descriptor) }
  #else
    private static let mode = O_RDONLY

    private static func take(_ descriptor: Int32) throws(LMDBError) -> Bool {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      if errno == EWOULDBLOCK || errno == EINTR { return false }
      throw LMDBError(code: .init(rawValue: errno), function: "flock")
    }

    private static func drop(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
  #endif

  /// Takes the lock, and waits for it while it is held elsewhere.
  ///
  /// - Parameter meanwhile: A closure that is called repeatedly. An error that it throws ends the wait.
  static func wait(path: String, _ meanwhile: () throws -> Void) throws -> MigrationLock {
    while true {
      if let lock = try MigrationLock(path: path) { return lock }
      try meanwhile()
      usleep(20_000)
    }
  }

  /// Runs `body` while the lock is held.
  func whileHeld<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

  consuming func unlock() {}

  /// Closing the descriptor is not enough: a child process that has not yet called `exec` has a
  /// copy of it, and would keep the lock. A forked child must not release its parent's lock.
  deinit {
    if owner == getpid() { Self.drop(descriptor) }
    close(descriptor)
  }
}

// MARK: - Waiting

/// The time that a writer waits for a migration by another process or thread. Most migrations add a
/// class or an index, and end within milliseconds.
struct MigrationPatience {
  private static let limit = Duration.seconds(1)
  private var end: ContinuousClock.Instant?
  private var pause: UInt32 = 1_000

  /// Sleeps for a moment. The caller holds no snapshot or lock of the file that could disturb the
  /// migration.
  ///
  /// - Throws: `refusal` if the time is over, or if this thread is migrating the file.
  mutating func wait(for file: StoreFile, or refusal: StoreError) throws {
    let now = ContinuousClock.now
    let end = end ?? now + Self.limit
    self.end = end
    if now >= end || file.isMigrating(onThread: Environment.currentThread) { throw refusal }
    usleep(pause)
    pause = min(pause * 2, 20_000)
  }
}

extension StoreFile {
  /// Takes the migration lock, and waits for it while it is held elsewhere.
  ///
  /// The wait holds no snapshot or lock of the file, so that it does not disturb the migration.
  func takeMigrationLock(for request: OpenRequest) throws -> MigrationLock {
    let start = ContinuousClock.now
    var lastReport: ContinuousClock.Instant?
    return try MigrationLock.wait(path: path) {
      let now = ContinuousClock.now
      if let timeout = request.migration.timeout, now - start >= timeout {
        throw StoreError.migrationTimedOut(
          path: path, processID: try migratingProcess(), timeout: timeout)
      }
      if let lastReport, now - lastReport < .milliseconds(50) { return }
      lastReport = now
      if request.migration.progress?(.waiting) == .cancel {
        throw StoreError.waitingCancelled(path: path)
      }
    }
  }

  /// Returns the process that is migrating the file, or nil if it has not set the mark yet.
  private func migratingProcess() throws -> Int32? {
    let transaction = try ReadTransaction(environment)
    return try MigrationMark.process(in: transaction.view)
  }
}

extension MigrationProgress {
  /// The progress that is reported while the file is migrated elsewhere.
  fileprivate static let waiting = MigrationProgress(
    phase: .waiting, className: nil, completed: 0, total: 0, bytes: 0, totalBytes: 0)
}
