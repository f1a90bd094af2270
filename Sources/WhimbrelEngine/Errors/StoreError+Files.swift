internal import Foundation

// The errors of closing, copying, deleting, backing up and moving a store.

extension StoreError {
  /// The reason why a store cannot be created from its seed.
  package enum SeedProblem: Sendable {
    case missing
    case unusable(StoreError)
    case changing
  }

  /// Returns the error for an action that is not possible during a write.
  package static func inWrite(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .inWrite,
      Sentence(verb, "a write is in progress", "Commit or cancel the write first."),
      Context(), file: file, line: line)
  }

  /// Returns the error for ending a write inside its closure.
  package static func endsWithItsClosure(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .inWrite,
      Sentence(
        verb, "it was begun with 'write { }' and ends with its closure",
        "Return from the closure to commit, or throw an error to cancel."),
      Context(), file: file, line: line)
  }

  /// Returns the error for ending a write when none is in progress.
  package static func noWriteToEnd(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notInWrite,
      Sentence(verb, "no write is in progress", "Call 'beginWrite()' first."),
      Context(), file: file, line: line)
  }

  package static func writeOfOtherThread(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .writeOfOtherThread,
      Sentence(
        verb, "it was begun on another thread",
        "Begin and end a write on one thread, or use 'store.write { }'."),
      Context(), file: file, line: line)
  }

  /// Returns the error for an asynchronous write that has waited for its limit.
  package static func writeTimedOut(
    path: String, processID: Int32?, threadID: Int32?, limit: Duration,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let who =
      switch (processID, threadID) {
      case (getpid(), let thread?): "thread \(thread) of this process"
      case (let process?, let thread?): "thread \(thread) of process \(process)"
      case (let process?, nil): "process \(process)"
      case (nil, _): "another writer"
      }
    let seconds = limit / .seconds(1)
    let time = Int(exactly: seconds).map { count($0, "second") } ?? "\(seconds) seconds"
    return StoreError(
      .writeTimedOut,
      .store(
        "write to", path,
        "\(who) was writing, and this write did not get its turn within \(time)",
        "Try again later, wait longer, or make the other writes shorter."),
      Context(path: path).with(\.processID, processID).with(\.threadID, threadID), file: file,
      line: line)
  }

  /// Returns the error for an action on a store that is open elsewhere.
  package static func storeInUse(
    verb: String, path: String, processID: Int32?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    // A write of a closed store keeps the file open until it is committed.
    let step =
      processID == getpid()
      ? "Close it there, await its asynchronous writes," : "Close it there"
    return StoreError(
      .storeInUse,
      .store(
        verb, path, "it is open in \(user(processID))",
        "\(step) and try again. Nothing was changed."),
      Context(path: path).with(\.processID, processID), file: file, line: line)
  }

  /// Returns the error when another process moves or replaces a file for longer
  /// than opening waits.
  package static func fileBusy(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeInUse,
      .store(
        "open", path, "another process is moving or replacing its file",
        "Try again when that has finished."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when a file exists at the path of a copy.
  package static func fileExists(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .fileExists,
      Sentence(
        "write a copy to \(quoted(path))", "a file exists there already",
        "Choose another path, or delete that file first."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for deleting a file that is not a store.
  package static func notDeleted(
    path: String, detail: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notAStore,
      .store(
        "delete", path, "it is not a Whimbrel store; \(detail)",
        "Check the path. The file is unchanged."),
      Context(path: path), file: file, line: line)
  }

  package static func seedFailed(
    path: String, seed: String, problem: SeedProblem, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    var underlying: StoreError?
    if case .unusable(let error) = problem { underlying = error }
    let (reason, recovery) =
      switch problem {
      case .missing:
        ("the seed file does not exist", "Check the 'seedFileURL' of the configuration.")
      case .unusable(let error):
        (error.reasonAlone, "Replace the seed store with a valid one. No store was created.")
      case .changing:
        (
          "another process keeps writing to it",
          "Use a seed store that is not being written to. No store was created."
        )
      }
    return StoreError(
      .seedFailed,
      Sentence(
        "create the store at \(quoted(path)) from the seed store \(quoted(seed))", reason, recovery),
      Context(path: path),
      underlying: underlying, file: file, line: line)
  }

  /// The reason in the message, for use in another message.
  private var reasonAlone: String {
    let parts = message.split(separator: ": ", maxSplits: 1)
    let reason = parts.last ?? ""
    return String(reason.hasSuffix(".") ? reason.dropLast() : reason)
  }

  /// The reason why a backup cannot be made.
  package enum BackupProblem: Sendable {
    case folderMissing
    case isTheStore
    case notAStore
    case otherStore
    case newerVersion(SchemaVersion)
    case inUse(processID: Int32?)
  }

  /// The reason why a store cannot be moved away.
  package enum FreshStartProblem: Sendable {
    case folderMissing
    case inUse(processID: Int32?)
  }

  /// The reason why a migration cannot be undone.
  package enum UndoProblem: Sendable {
    case nothingKept
    case writtenSince(commits: Int)
  }

  /// Returns the error when the backup before a migration fails.
  package static func backupFailed(
    path: String, backup: String, problem: BackupProblem, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    let (reason, recovery) =
      switch problem {
      case .folderMissing:
        ("the folder \(quoted(folder(of: backup))) does not exist", "Create the folder first.")
      case .isTheStore: ("that path is the store itself", "Give the backup a path of its own.")
      case .notAStore:
        (
          "the file there is not a Whimbrel store, or cannot be read",
          "Move that file away, or give the backup a path of its own."
        )
      case .otherStore:
        (
          "the file there is a backup of another store",
          "Move that file away, or give each store's backup a path of its own."
        )
      case .newerVersion(let version):
        (
          "the file there is a copy of the store with the higher schema version \(version)",
          "Move that file away, or give the backup a path of its own."
        )
      case .inUse(let process):
        (
          "the file there is open in \(user(process))",
          "Close it and try again."
        )
      }
    return StoreError(
      .backupFailed,
      Sentence(
        "back up the store at \(quoted(path)) to \(quoted(backup))", reason,
        recovery + " The store is unchanged."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when a store whose migration failed cannot be moved
  /// away.
  package static func freshStartRefused(
    path: String, destination: String, problem: FreshStartProblem, underlying: StoreError,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let (reason, recovery) =
      switch problem {
      case .folderMissing:
        (
          "its migration failed, and the folder \(quoted(folder(of: destination))), to which it "
            + "would be moved, does not exist", "Create the folder first."
        )
      case .inUse(let process):
        (
          "its migration failed, and it cannot be moved away while it is open in \(user(process))",
          "Close it there and open it again."
        )
      }
    return StoreError(
      .freshStartRefused,
      Sentence(
        "start fresh with the store at \(quoted(path))", reason,
        recovery + " The store is unchanged."),
      Context(path: path), underlying: underlying, file: file, line: line)
  }

  /// Returns the error for a file with more than one name.
  ///
  /// - Parameter otherName: Another name of the file, if known.
  package static func hardLinked(
    path: String, otherName: String?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let name = otherName.map { " \(quoted($0))" } ?? ""
    return StoreError(
      .hardLinked,
      .store(
        "use", path,
        "its file has another hard link\(name), and programs that use different names "
          + "do not see each other's locks",
        "Remove the other hard link, or replace it with a copy or a symbolic link. The store "
          + "is unchanged."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when a snapshot is older than the limit.
  package static func snapshotTooOld(
    path: String, processID: Int32, commits: Int, bytes: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .snapshotTooOld,
      .store(
        "write to", path,
        "process \(processID) has held a snapshot for \(count(commits, "commit")), and the file has "
          + "grown by \(bytes) bytes since",
        "Refresh or close the store there, or raise 'snapshotLimits'. The store is unchanged."),
      Context(path: path, count: commits).with(\.processID, processID), file: file, line: line)
  }

  /// Returns the error when the lock file of an open store has been deleted or
  /// replaced.
  package static func lockFileReplaced(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .lockFileReplaced,
      .store(
        "use", path,
        "its lock file \(quoted(path + "-lock")) has been deleted or replaced since it was opened, "
          + "so another process may be writing",
        "Close the store in every process and open it again. Keep the lock file while a store is "
          + "open."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when a process in another container has the store open.
  package static func otherContainer(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .otherContainer,
      .store(
        "open", path,
        "a process in another container has it open, and the locks of a store tell processes apart "
          + "by their IDs, which each container assigns anew",
        "Let the containers share their process IDs (with Docker, '--pid=container:NAME'; in a pod, "
          + "'shareProcessNamespace'), or close the store there."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when another process has the store open with another lock file.
  package static func otherLockFile(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .lockFileReplaced,
      .store(
        "use", path,
        "another process has it open with another lock file, so the two would not see each other's "
          + "locks",
        "If the lock file \(quoted(path + "-lock")) was deleted, close the store in every process and "
          + "open it again. If the file is mounted at a second path, mount its folder instead."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when the file of an open store has been deleted, moved
  /// or replaced.
  package static func storeMoved(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeMoved,
      Sentence(
        "use the store at \(quoted(path))",
        "its file has been deleted, moved or replaced since it was opened",
        "Close it in every process and open it again."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when the schema needs more tables than LMDB opens.
  package static func tooManyTables(
    path: String, limit: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .tooManyTables,
      .store(
        "use", path,
        "its classes, indexes and links need more than the \(limit) tables that a file may have open",
        "Declare fewer classes, indexes, primary keys and properties with links."),
      Context(path: path, limit: limit), file: file, line: line)
  }

  package static func undoNotPossible(
    path: String, problem: UndoProblem, from oldVersion: SchemaVersion? = nil,
    to newVersion: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let (reason, recovery) =
      switch problem {
      case .nothingKept:
        (
          "the data that it replaced was not kept, or has been deleted since",
          "Set 'keepsPreviousGeneration' before a migration with a block, and undo it before the "
            + "store is written to. Make a backup before an online migration, which cannot be undone."
        )
      case .writtenSince(let commits):
        (
          "\(count(commits, "write")) since then would be lost",
          "Migrate to a higher version, or restore a backup."
        )
      }
    var commits: Int?
    if case .writtenSince(let count) = problem { commits = count }
    return StoreError(
      .undoNotPossible,
      Sentence(
        "undo the migration of the store at \(quoted(path)) to version \(newVersion)", reason,
        recovery),
      Context(path: path, stored: oldVersion, declared: newVersion, count: commits), file: file,
      line: line)
  }
}
