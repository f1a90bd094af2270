internal import Foundation
internal import WhimbrelEngine

/// Where what is made of a store goes.
public enum StoreOutput: Hashable, Sendable {
  /// Into a new file; there must be none yet.
  case newFile(String)
  /// Into the place of the store. It stays as it was until the new one is whole and checked,
  /// and a backup of it stands beside it until then. The inspector shows the new one afterwards.
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
  package func make<Result>(
    from source: StoreInspector, _ verb: String, _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    switch self {
    case .newFile(let path):
      guard !FileManager.default.fileExists(atPath: path) else {
        throw InspectionError.fileExists(path, verb)
      }
      return try body(path)
    case .inPlace:
      let replacement = StoreReplacement(of: source.session)
      let newPath = replacement.newPath
      defer {
        unsafe unlink(newPath)
        unsafe unlink(newPath + "-lock")
      }
      let result = try body(newPath)
      do {
        try source.whileClosed { try replacement.replace(with: newPath) }
      } catch let refusal as StoreReplacement.Refusal {
        throw InspectionError.notReplaced(source.path, refusal)
      }
      return result
    }
  }
}

extension InspectionError.Code {
  /// A store cannot be replaced, because others use it, or have changed it.
  public static let notReplaced = Self("notReplaced")
}

extension InspectionError {
  static func notReplaced(
    _ path: String, _ refusal: StoreReplacement.Refusal
  ) -> InspectionError {
    let before = "Could not replace the store \(PlainText.quoted(path)): "
    switch refusal {
    case .inUse(let process):
      let user = process.map { "process \($0) has it open" } ?? "it is open or being migrated"
      return InspectionError(
        .notReplaced, before + user + ".", "Close it there, or name another file to make.")
    case .changed:
      return InspectionError(
        .notReplaced, before + "it has been written meanwhile.", "Start again.")
    case .unsound(let finding):
      return InspectionError(
        .notReplaced, before + "the new one is not whole (\(PlainText.escaped(finding))).",
        "Check the store with 'whimbrel check'. It is as it was.")
    }
  }
}
