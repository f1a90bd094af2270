// The words of the errors of backups, fresh starts and undoing.

extension Sentence {
  static func backupFailed(
    path: String, backup: String, problem: StoreError.BackupProblem
  ) -> Sentence {
    let (reason, recovery) =
      switch problem {
      case .folderMissing:
        ("the folder \(quoted(folder(of: backup))) does not exist", "Create the folder first.")
      case .isTheStore: ("that is the store itself", "Give the backup a path of its own.")
      case .notAStore:
        (
          "there is a file which is not a Whimbrel store, or cannot be read",
          "Move that file away, or give the backup a path of its own."
        )
      case .otherStore:
        (
          "there is a backup of another store",
          "Give each store's backup a path of its own."
        )
      case .newerVersion(let version):
        (
          "there is a copy of the store with the higher schema version \(version)",
          "Move that file away, or give the backup a path of its own."
        )
      case .inUse(let process):
        (
          "the file there is open in \(user(process))",
          "Close it and try again."
        )
      }
    return Sentence(
      "back up the store at \(quoted(path)) to \(quoted(backup))", reason,
      recovery + " The store is unchanged.")
  }

  static func freshStartRefused(
    path: String, destination: String, problem: StoreError.FreshStartProblem
  ) -> Sentence {
    let (reason, recovery) =
      switch problem {
      case .folderMissing:
        (
          "its migration failed, and the folder \(quoted(folder(of: destination))) to move it to "
            + "does not exist", "Create the folder first."
        )
      case .inUse(let process):
        (
          "its migration failed, and it cannot be moved away while it is open in \(user(process))",
          "Close it there and open it again."
        )
      }
    return Sentence(
      "start fresh with the store at \(quoted(path))", reason,
      recovery + " The store is unchanged.")
  }

  static func storeMoved(path: String) -> Sentence {
    Sentence(
      "use the store at \(quoted(path))", "its file has been moved away since it was opened",
      "Open it again.")
  }

  static func undoNotPossible(
    path: String, problem: StoreError.UndoProblem, to newVersion: SchemaVersion
  ) -> Sentence {
    let (reason, recovery) =
      switch problem {
      case .nothingKept:
        (
          "what it replaced was not kept, or has been dropped since",
          "Set 'keepsPreviousGeneration' before a migration, and undo it before the store is "
            + "written to."
        )
      case .writtenSince(let commits):
        (
          "\(count(commits, "write")) since then would be lost",
          "Migrate on to another version, or restore a backup."
        )
      }
    return Sentence(
      "undo the migration of the store at \(quoted(path)) to version \(newVersion)", reason,
      recovery)
  }

  private static func user(_ process: Int32?) -> String {
    process.map { "process \($0)" } ?? "this process"
  }
}
