import WhimbrelEngine

/// The errors of closing, copying, deleting, backing up and moving a store.
let fileErrors: [StoreError] = [
  .inWrite(verb: "close the store"),
  .endsWithItsClosure(verb: "commit the write"),
  .noWriteToEnd(verb: "commit the write"),
  .writeOfOtherThread(verb: "cancel the write"),
  writeTimedOut(processID: 17, threadID: 18),
  writeTimedOut(processID: 17, threadID: nil),
  writeTimedOut(processID: nil, threadID: nil),
  .storeInUse(verb: "delete", path: "zones.whimbrel", processID: nil),
  .storeInUse(verb: "delete", path: "zones.whimbrel", processID: 7),
  .fileBusy(path: "zones.whimbrel"),
  .fileExists(path: "a/copy.whimbrel"),
  .notDeleted(path: "photo.jpg", detail: "it is not an LMDB file"),
  seed(.missing),
  seed(.unusable(.emptyFile(path: "a/seed.whimbrel"))),
  seed(.changing),
  backup(.folderMissing),
  backup(.isTheStore),
  backup(.notAStore),
  backup(.otherStore),
  backup(.newerVersion(5)),
  backup(.inUse(processID: 17)),
  backup(.inUse(processID: nil)),
  freshStart(.folderMissing),
  freshStart(.inUse(processID: 17)),
  .commitFailedBefore(path: "zones.whimbrel"),
  .storeMoved(path: "zones.whimbrel"),
  .hardLinked(path: "zones.whimbrel", otherName: "backup/zones.whimbrel"),
  .hardLinked(path: "zones.whimbrel", otherName: nil),
  .lockFileReplaced(path: "zones.whimbrel"),
  .otherLockFile(path: "zones.whimbrel"),
  .otherContainer(path: "zones.whimbrel"),
  .snapshotTooOld(path: "zones.whimbrel", processID: 4_711, commits: 5_000, bytes: 20_480),
  .undoNotPossible(path: "zones.whimbrel", problem: .nothingKept, to: 3),
  .undoNotPossible(
    path: "zones.whimbrel", problem: .writtenSince(commits: 1), from: 2, to: 3),
  .undoNotPossible(
    path: "zones.whimbrel", problem: .writtenSince(commits: 12), from: 2, to: 3),
]

private func writeTimedOut(processID: Int32?, threadID: Int32?) -> StoreError {
  .writeTimedOut(
    path: "zones.whimbrel", processID: processID, threadID: threadID, limit: .seconds(5))
}

private func seed(_ problem: StoreError.SeedProblem) -> StoreError {
  StoreError.seedFailed(path: "zones.whimbrel", seed: "a/seed.whimbrel", problem: problem)
}

private func backup(_ problem: StoreError.BackupProblem) -> StoreError {
  StoreError.backupFailed(path: "zones.whimbrel", backup: "a/old.whimbrel", problem: problem)
}

private func freshStart(_ problem: StoreError.FreshStartProblem) -> StoreError {
  StoreError.freshStartRefused(
    path: "zones.whimbrel", destination: "a/old.whimbrel", problem: problem,
    underlying: .migrationCancelled(path: "zones.whimbrel", from: 2, to: 3))
}
