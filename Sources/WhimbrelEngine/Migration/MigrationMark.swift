internal import Foundation
internal import WhimbrelLMDB

/// The mark in a file that is being migrated. A lock tells whether the migration is still running.
///
/// Every write reads the mark when it begins, so that no process changes what a migration has read.
/// The lock is a `flock` on the data file, which the system releases when the process dies. A mark
/// without a lock is left from a crash, and the next open cleans up.
package enum MigrationMark {
  /// Throws if another process or thread is migrating the file, or has moved it.
  static func requireNone(in view: WriteView, of file: StoreFile) throws {
    guard let mark = try view.reading.value(.main, MainKey.migration) else { return }
    let isCleaning = mark.count >= 16 && mark.load(UInt64.self, at: 8) != 0
    if isCleaning { return }
    try file.requireInPlace()
    let process = try process(in: view.reading)
    guard let lock = try MigrationLock(path: file.path) else {
      throw StoreError.migrationInProgress(path: file.path, processID: process)
    }
    // The lock is free: the process that set the mark has died. The tables that it wrote are not in the
    // catalog.
    lock.unlock()
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

/// The lock that a process holds while it migrates a file.
struct MigrationLock: ~Copyable {
  private let descriptor: Int32
  private let owner = getpid()

  /// Takes the lock. Returns nil if it is held elsewhere.
  ///
  /// LMDB: opening and closing the data file is safe. Only locks on the lock file would be released
  /// by it.
  init?(path: String) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError.describing(
        LMDBError(code: .init(rawValue: errno), function: "open"), path: path)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(descriptor)
      if number == EWOULDBLOCK || number == EINTR { return nil }
      throw StoreError.describing(
        LMDBError(code: .init(rawValue: number), function: "flock"), path: path)
    }
    self.descriptor = descriptor
  }

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
    if owner == getpid() { _ = flock(descriptor, LOCK_UN) }
    close(descriptor)
  }
}

// MARK: - Waiting

extension StoreFile {
  /// Takes the migration lock, and waits for it while it is held elsewhere.
  ///
  /// The wait holds no snapshot or lock of the file, so that it does not disturb the migration.
  func takeMigrationLock(for request: OpenRequest) throws -> MigrationLock {
    let start = ContinuousClock.now
    var lastReport: ContinuousClock.Instant?
    return try MigrationLock.wait(path: path) {
      let now = ContinuousClock.now
      if let timeout = request.migrationTimeout, now - start >= timeout {
        throw StoreError.migrationTimedOut(
          path: path, processID: try migratingProcess(), timeout: timeout)
      }
      if let lastReport, now - lastReport < .milliseconds(50) { return }
      lastReport = now
      if request.progress?(.waiting) == .cancel {
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
