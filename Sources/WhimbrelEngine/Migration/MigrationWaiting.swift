internal import WhimbrelLMDB

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

  /// The process that migrates the file, as its mark says, or nil when there is none yet.
  private func migratingProcess() throws -> Int32? {
    let transaction = try ReadTransaction(environment)
    return try MigrationMark.process(in: transaction.view)
  }
}

extension MigrationProgress {
  /// What is reported while somebody else migrates the file.
  fileprivate static let waiting = MigrationProgress(
    phase: .waiting, className: nil, completed: 0, total: 0, bytes: 0, totalBytes: 0)
}
