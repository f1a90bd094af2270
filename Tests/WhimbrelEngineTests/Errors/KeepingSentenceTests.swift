import Testing
import WhimbrelEngine

/// The sentences of the errors of backups, fresh starts and undoing, word by word.
struct KeepingSentenceTests {
  @Test(arguments: keepingSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }

  @Test func `the facts of a refusal are kept`() {
    let refused = StoreError.freshStartRefused(
      path: "zones.whimbrel", destination: "old.whimbrel", problem: .folderMissing,
      underlying: .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3))
    #expect((refused.underlying as? StoreError)?.code == .migrationCancelled)
    let written = StoreError.undoNotPossible(
      path: "zones.whimbrel", problem: .writtenSince(commits: 3), from: 2, to: 3)
    #expect(written.context.count == 3)
    #expect(written.context.storedVersion == 2)
    #expect(written.context.declaredVersion == 3)
  }
}

private func backup(_ problem: StoreError.BackupProblem) -> StoreError {
  StoreError.backupFailed(path: "zones.whimbrel", backup: "a/old.whimbrel", problem: problem)
}

private func freshStart(_ problem: StoreError.FreshStartProblem) -> StoreError {
  StoreError.freshStartRefused(
    path: "zones.whimbrel", destination: "a/old.whimbrel", problem: problem,
    underlying: .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3))
}

private let keepingSentences: [ExpectedSentence] = [
  .init(
    .backupFailed, backup(.folderMissing),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': the folder 'a' does \
    not exist. Create the folder first. The store is unchanged.
    """),
  .init(
    .backupFailed, backup(.isTheStore),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': that is the store \
    itself. Give the backup a path of its own. The store is unchanged.
    """),
  .init(
    .backupFailed, backup(.notAStore),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': there is a file \
    which is not a Whimbrel store, or cannot be read. Move that file away, or give the \
    backup a path of its own. The store is unchanged.
    """),
  .init(
    .backupFailed, backup(.otherStore),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': there is a backup \
    of another store. Give each store's backup a path of its own. The store is unchanged.
    """),
  .init(
    .backupFailed, backup(.newerVersion(5)),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': there is a copy of \
    the store with the higher schema version 5. Move that file away, or give the backup a \
    path of its own. The store is unchanged.
    """),
  .init(
    .backupFailed, backup(.inUse(processID: 17)),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': the file there is \
    open in process 17. Close it and try again. The store is unchanged.
    """),
  .init(
    .backupFailed, backup(.inUse(processID: nil)),
    """
    Could not back up the store at 'zones.whimbrel' to 'a/old.whimbrel': the file there is \
    open in this process. Close it and try again. The store is unchanged.
    """),
  .init(
    .freshStartRefused, freshStart(.folderMissing),
    """
    Could not start fresh with the store at 'zones.whimbrel': its migration failed, and the \
    folder 'a' to move it to does not exist. Create the folder first. The store is unchanged.
    """),
  .init(
    .freshStartRefused, freshStart(.inUse(processID: 17)),
    """
    Could not start fresh with the store at 'zones.whimbrel': its migration failed, and it \
    cannot be moved away while it is open in process 17. Close it there and open it again. \
    The store is unchanged.
    """),
  .init(
    .storeMoved, .storeMoved(path: "zones.whimbrel"),
    """
    Could not use the store at 'zones.whimbrel': its file has been moved away since it was \
    opened. Open it again.
    """),
  .init(
    .undoNotPossible,
    .undoNotPossible(path: "zones.whimbrel", problem: .nothingKept, to: 3),
    """
    Could not undo the migration of the store at 'zones.whimbrel' to version 3: what it \
    replaced was not kept, or has been dropped since. Set 'keepsPreviousGeneration' before a \
    migration, and undo it before the store is written to.
    """),
  .init(
    .undoNotPossible,
    .undoNotPossible(
      path: "zones.whimbrel", problem: .writtenSince(commits: 1), from: 2, to: 3),
    """
    Could not undo the migration of the store at 'zones.whimbrel' to version 3: 1 write \
    since then would be lost. Migrate on to another version, or restore a backup.
    """),
  .init(
    .undoNotPossible,
    .undoNotPossible(
      path: "zones.whimbrel", problem: .writtenSince(commits: 12), from: 2, to: 3),
    """
    Could not undo the migration of the store at 'zones.whimbrel' to version 3: 12 writes \
    since then would be lost. Migrate on to another version, or restore a backup.
    """),
]
