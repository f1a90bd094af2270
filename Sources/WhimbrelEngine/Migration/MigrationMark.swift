internal import Foundation
internal import WhimbrelLMDB

/// The mark in the file that a migration is under way, and the lock that tells
/// whether it really is.
///
/// The mark is read at the begin of every write, so that no process changes what
/// a migration has read already. The lock is a `flock` on the data file, which
/// the system drops when the process dies: a mark without a lock is what a crash
/// left, and the next open cleans up after it.
package enum MigrationMark {
  /// Throws when another process, or another thread, is migrating the file, or has moved
  /// it away.
  static func requireNone(in view: WriteView, of file: StoreFile) throws {
    guard let mark = try view.reading.value(.main, MainKey.migration) else { return }
    let isCleaning = mark.count >= 16 && mark.load(UInt64.self, at: 8) != 0
    if isCleaning { return }
    try file.requireInPlace()
    let process = try process(in: view.reading)
    guard let lock = try MigrationLock(path: file.path) else {
      throw StoreError.migrationInProgress(path: file.path, processID: process)
    }
    // Nobody holds the lock: the process that made the mark has died. What it
    // wrote lies in tables that nobody reads.
    lock.unlock()
  }

  /// Returns the process that has set the mark, or nil when there is none.
  static func process(in view: ReadView) throws -> Int32? {
    guard let mark = try view.value(.main, MainKey.migration), mark.count >= 8 else { return nil }
    return Int32(truncatingIfNeeded: mark.load(UInt64.self, at: 0))
  }

  /// Sets the mark, for this process.
  ///
  /// - Parameter isCleaning: whether the migration is done, and only old tables
  ///   are still to be removed; others may then write.
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

  /// Takes the lock, or returns nil when somebody else has it.
  ///
  /// LMDB: opening and closing the data file is safe; only the lock file's own
  /// locks would be dropped by it.
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

  /// Takes the lock, and waits for it while somebody else has it.
  ///
  /// - Parameter meanwhile: is called again and again; what it throws ends the waiting.
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

  /// To close the descriptor is not enough: a child process that has not yet reached its `exec` has
  /// a copy of it, and would keep the lock. A forked child must not drop its parent's.
  deinit {
    if owner == getpid() { _ = flock(descriptor, LOCK_UN) }
    close(descriptor)
  }
}

// MARK: - Waiting

extension StoreFile {
  /// Takes the migration lock, and waits for it while somebody else has it.
  ///
  /// Nothing of the file is held meanwhile, so that the migration goes on undisturbed.
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

  /// Returns the process that migrates the file, as its mark says, or nil when there is none yet.
  private func migratingProcess() throws -> Int32? {
    let transaction = try ReadTransaction(environment)
    return try MigrationMark.process(in: transaction.view)
  }
}

extension MigrationProgress {
  /// The progress that is reported while somebody else migrates the file.
  fileprivate static let waiting = MigrationProgress(
    phase: .waiting, className: nil, completed: 0, total: 0, bytes: 0, totalBytes: 0)
}
