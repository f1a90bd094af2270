internal import Foundation
internal import WhimbrelLMDB

/// The copy of a seed store that a new store starts from.
///
/// The seed may be in a read-only folder, so LMDB does not open it. Its bytes are copied, and then
/// the copy is checked.
struct SeedCopy {
  private let seed: String
  private let request: OpenRequest
  /// The number of attempts while another process writes to the seed.
  private static let attempts = 5

  init(_ seed: String, _ request: OpenRequest) {
    self.seed = seed
    self.request = request
  }

  /// Writes the copy to a path where no file exists.
  ///
  /// - Throws: ``StoreError`` with `seedFailed`, or with the code for a full disk.
  func write(to path: String) throws {
    guard FileIdentity(path: seed) != nil else { throw failed(.missing) }
    for _ in 0..<Self.attempts {
      let before = try transaction()
      try FileBytes.copy(seed, to: path)
      // LMDB: an uncommitted transaction has written to free pages only.
      if try transaction() == before { return try check(path) }
      StoreFile.removeFiles(at: path)
    }
    throw failed(.changing)
  }

  private func transaction() throws -> UInt64 {
    do throws(FileStructure.Failure) {
      return try FileStructure.inspect(path: seed).transaction
    } catch {
      throw failed(.unusable(FilePreflight.explain(error, seed)))
    }
  }

  /// Throws unless the copy is a store that this app can open.
  private func check(_ path: String) throws {
    let header: Header
    do {
      header = try StoreFile.header(ofFileAt: path, describedAs: seed)
    } catch let error as StoreError {
      throw failed(.unusable(error))
    }
    if header.schemaVersion > request.schemaVersion {
      throw failed(
        .unusable(
          StoreError.schemaVersionTooNew(
            path: seed, found: header.schemaVersion, declared: request.schemaVersion)))
    }
  }

  private func failed(_ problem: StoreError.SeedProblem) -> StoreError {
    StoreError.seedFailed(path: request.path, seed: seed, problem: problem)
  }
}
