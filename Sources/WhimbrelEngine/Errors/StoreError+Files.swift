// The errors of the life of a store's files: closing, copying, deleting. Each takes the facts;
// Sentence+Files.swift words them.

extension StoreError {
  /// Why a store cannot be made of its seed.
  package enum SeedProblem: Sendable {
    case missing
    case unusable(StoreError)
    case changing
  }

  /// Something is not possible while a write is in progress.
  package static func inWrite(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(.inWrite, .inWrite(verb: verb), Context(), file: file, line: line)
  }

  /// A write that ends with its closure is to be ended in it.
  package static func endsWithItsClosure(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(.inWrite, .endsWithItsClosure(verb: verb), Context(), file: file, line: line)
  }

  /// A write is to be ended, and none was begun.
  package static func noWriteToEnd(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(.notInWrite, .noWriteToEnd(verb: verb), Context(), file: file, line: line)
  }

  /// A write is to be ended on another thread than it was begun on.
  package static func writeOfOtherThread(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .writeOfOtherThread, .writeOfOtherThread(verb: verb), Context(), file: file, line: line)
  }

  /// A store cannot be deleted while somebody uses it.
  package static func storeInUse(
    verb: String, path: String, processID: Int32?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeInUse, .storeInUse(verb: verb, path: path, processID: processID),
      Context(path: path).with(\.processID, processID),
      file: file, line: line)
  }

  /// A file has been moved, replaced or removed for longer than opening it waits.
  package static func fileBusy(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(.storeInUse, .fileBusy(path: path), Context(path: path), file: file, line: line)
  }

  /// There is a file where a copy was to go.
  package static func fileExists(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(.fileExists, .fileExists(path: path), Context(path: path), file: file, line: line)
  }

  /// A file that is not a store is not deleted.
  package static func notDeleted(
    path: String, detail: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notAStore, .notDeleted(path: path, detail: detail), Context(path: path),
      file: file, line: line)
  }

  /// A new store cannot be made of its seed.
  package static func seedFailed(
    path: String, seed: String, problem: SeedProblem, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    var underlying: StoreError?
    if case .unusable(let error) = problem { underlying = error }
    return StoreError(
      .seedFailed, .seedFailed(path: path, seed: seed, problem: problem), Context(path: path),
      underlying: underlying, file: file, line: line)
  }
}
