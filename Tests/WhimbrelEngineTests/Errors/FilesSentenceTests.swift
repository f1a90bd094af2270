import Testing
import WhimbrelEngine

/// The sentences of the errors of the life of a store's files, word by word.
struct FilesSentenceTests {
  @Test(arguments: filesSentences)
  func `an error says what it is about`(expected: ExpectedSentence) {
    expected.check()
  }

  @Test func `the process that has the store open is kept`() {
    let error = StoreError.storeInUse(verb: "delete", path: "zones.whimbrel", processID: 7)
    #expect(error.context.processID == 7)
  }
}

private func seed(_ problem: StoreError.SeedProblem) -> StoreError {
  StoreError.seedFailed(path: "zones.whimbrel", seed: "a/seed.whimbrel", problem: problem)
}

private let filesSentences: [ExpectedSentence] = [
  .init(
    .inWrite, .inWrite(verb: "close the store"),
    """
    Could not close the store: a write is in progress. Commit or cancel the write first.
    """),
  .init(
    .inWrite, .endsWithItsClosure(verb: "commit the write"),
    """
    Could not commit the write: it was begun with 'write { }' and ends with its closure. Return \
    from the closure to commit, or throw an error to cancel.
    """),
  .init(
    .notInWrite, .noWriteToEnd(verb: "commit the write"),
    """
    Could not commit the write: no write is in progress. Call 'beginWrite()' first.
    """),
  .init(
    .writeOfOtherThread, .writeOfOtherThread(verb: "cancel the write"),
    """
    Could not cancel the write: it was begun on another thread. Begin and end a write on one \
    thread, or use 'store.write { }'.
    """),
  .init(
    .storeInUse, .storeInUse(verb: "delete", path: "zones.whimbrel", processID: nil),
    """
    Could not delete the store at 'zones.whimbrel': it is open in this process. Close it there and \
    try again. Nothing was changed.
    """),
  .init(
    .storeInUse, .storeInUse(verb: "delete", path: "zones.whimbrel", processID: 7),
    """
    Could not delete the store at 'zones.whimbrel': it is open in process 7. Close it there and \
    try again. Nothing was changed.
    """),
  .init(
    .storeInUse, .fileBusy(path: "zones.whimbrel"),
    """
    Could not open the store at 'zones.whimbrel': another process is moving or replacing its file. \
    Try again when that has finished.
    """),
  .init(
    .fileExists, .fileExists(path: "a/copy.whimbrel"),
    """
    Could not write a copy to 'a/copy.whimbrel': there is a file already. Choose another path, or \
    delete that file first.
    """),
  .init(
    .notAStore, .notDeleted(path: "photo.jpg", detail: "it is not an LMDB file"),
    """
    Could not delete the store at 'photo.jpg': it is not a Whimbrel store; it is not an LMDB file. \
    Check the path. The file was left as it is.
    """),
  .init(
    .seedFailed, seed(.missing),
    """
    Could not make the store at 'zones.whimbrel' from the seed store 'a/seed.whimbrel': there is \
    no such file. Check the 'seedFileURL' of the configuration.
    """),
  .init(
    .seedFailed, seed(.unusable(.emptyFile(path: "a/seed.whimbrel"))),
    """
    Could not make the store at 'zones.whimbrel' from the seed store 'a/seed.whimbrel': the file \
    is empty. Replace the seed store by a sound one. No store was made.
    """),
  .init(
    .seedFailed, seed(.changing),
    """
    Could not make the store at 'zones.whimbrel' from the seed store 'a/seed.whimbrel': another \
    process goes on writing to it. Use a seed store that nobody writes to. No store was made.
    """),
]
