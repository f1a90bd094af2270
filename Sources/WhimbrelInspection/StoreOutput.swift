internal import Foundation
internal import WhimbrelEngine

/// Where what is made of a store goes.
public enum StoreOutput: Hashable, Sendable {
  /// Into a new file; there must be none yet.
  case newFile(String)
  /// Into the place of the store. It stays as it was until the new one is whole and checked,
  /// and a backup of it stands beside it until then.
  case inPlace
}

extension StoreOutput {
  /// Makes a store and puts it where it goes.
  ///
  /// - Parameters:
  ///   - source: the store that it is made of. Nobody else may have it open when it is replaced.
  ///   - verb: what is done, before the path, for errors: `prune the store into`.
  ///   - body: makes a store at the path that it is given, where there is no file.
  /// - Throws: ``InspectionError`` with `fileExists`, `StoreError`, and what `body` throws;
  ///   nothing is changed then.
  func make<Result>(
    from source: StoreInspector, _ verb: String, _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    switch self {
    case .newFile(let path):
      guard !FileManager.default.fileExists(atPath: path) else {
        throw InspectionError.fileExists(path, verb)
      }
      return try body(path)
    case .inPlace:
      return try StoreReplacement(of: source.path, asSeenBy: source.session).run(body)
    }
  }
}
