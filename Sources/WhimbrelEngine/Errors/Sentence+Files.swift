// The words of the errors of the life of a store's files.

extension Sentence {
  static func inWrite(verb: String) -> Sentence {
    Sentence(verb, "a write is in progress", "Commit or cancel the write first.")
  }

  static func endsWithItsClosure(verb: String) -> Sentence {
    Sentence(
      verb, "it was begun with 'write { }' and ends with its closure",
      "Return from the closure to commit, or throw an error to cancel.")
  }

  static func noWriteToEnd(verb: String) -> Sentence {
    Sentence(verb, "no write is in progress", "Call 'beginWrite()' first.")
  }

  static func writeOfOtherThread(verb: String) -> Sentence {
    Sentence(
      verb, "it was begun on another thread",
      "Begin and end a write on one thread, or use 'store.write { }'.")
  }

  static func storeInUse(verb: String, path: String, processID: Int32?) -> Sentence {
    let user = processID.map { "process \($0)" } ?? "this process"
    return store(
      verb, path, "it is open in \(user)", "Close it there and try again. Nothing was changed.")
  }

  static func fileBusy(path: String) -> Sentence {
    store(
      "open", path, "another process is moving or replacing its file",
      "Try again when that has finished.")
  }

  static func fileExists(path: String) -> Sentence {
    Sentence(
      "write a copy to \(quoted(path))", "there is a file already",
      "Choose another path, or delete that file first.")
  }

  static func notDeleted(path: String, detail: String) -> Sentence {
    store(
      "delete", path, "it is not a Whimbrel store; \(detail)",
      "Check the path. The file was left as it is.")
  }

  static func seedFailed(
    path: String, seed: String, problem: StoreError.SeedProblem
  ) -> Sentence {
    let (reason, recovery) =
      switch problem {
      case .missing: ("there is no such file", "Check the 'seedFileURL' of the configuration.")
      case .unusable(let error):
        (error.reasonAlone, "Replace the seed store by a sound one. No store was made.")
      case .changing:
        (
          "another process goes on writing to it",
          "Use a seed store that nobody writes to. No store was made."
        )
      }
    return Sentence(
      "make the store at \(quoted(path)) from the seed store \(quoted(seed))", reason, recovery)
  }
}

extension StoreError {
  /// The reason in the message, for another message that tells it.
  fileprivate var reasonAlone: String {
    let parts = message.split(separator: ": ", maxSplits: 1)
    let reason = parts.last ?? ""
    return String(reason.hasSuffix(".") ? reason.dropLast() : reason)
  }
}
