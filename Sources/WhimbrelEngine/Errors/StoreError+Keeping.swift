// The errors of what keeps an old store: backups, fresh starts and undoing. Each takes the
// facts; Sentence+Keeping.swift words them.

extension StoreError {
  /// Why a backup cannot be made.
  package enum BackupProblem: Sendable {
    case folderMissing
    case isTheStore
    case notAStore
    case otherStore
    case newerVersion(SchemaVersion)
    case inUse(processID: Int32?)
  }

  /// Why a store cannot be moved away.
  package enum FreshStartProblem: Sendable {
    case folderMissing
    case inUse(processID: Int32?)
  }

  /// Why a migration cannot be undone.
  package enum UndoProblem: Sendable {
    case nothingKept
    case writtenSince(commits: Int)
  }

  /// The backup that a migration begins with cannot be made.
  package static func backupFailed(
    path: String, backup: String, problem: BackupProblem, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .backupFailed, .backupFailed(path: path, backup: backup, problem: problem),
      Context(path: path),
      file: file, line: line)
  }

  /// A store whose migration failed cannot be moved away.
  package static func freshStartRefused(
    path: String, destination: String, problem: FreshStartProblem, underlying: StoreError,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .freshStartRefused,
      .freshStartRefused(path: path, destination: destination, problem: problem),
      Context(path: path), underlying: underlying,
      file: file, line: line)
  }

  /// The file of an open store has been moved away.
  package static func storeMoved(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeMoved, .storeMoved(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// A migration cannot be undone.
  package static func undoNotPossible(
    path: String, problem: UndoProblem, from oldVersion: SchemaVersion? = nil,
    to newVersion: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    var commits: Int?
    if case .writtenSince(let count) = problem { commits = count }
    return StoreError(
      .undoNotPossible, .undoNotPossible(path: path, problem: problem, to: newVersion),
      Context(path: path, stored: oldVersion, declared: newVersion, count: commits),
      file: file, line: line)
  }
}
