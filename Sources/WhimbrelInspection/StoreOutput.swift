internal import Foundation
internal import WhimbrelEngine

/// The destination of a store that is made from another store.
public enum StoreOutput: Hashable, Sendable {
  /// A new file. No file may exist at the path.
  case newFile(String)
  /// The place of the original store. The original stays, with a backup beside it, until the new
  /// store is complete and checked. The inspector then reads the new store.
  case inPlace
}

extension StoreOutput {
  /// Creates a store and moves it to its destination.
  ///
  /// - Parameters:
  ///   - source: The original store. To replace it, no other process may have it open.
  ///   - verb: The words before the path in errors: `prune the store into`.
  ///   - body: Creates a store at the given path, where no file exists.
  /// - Throws: ``InspectionError`` with `fileExists` or `notReplaced`, `StoreError`, and what
  ///   `body` throws. Nothing has changed then.
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
      let file = try replacement.newFile()
      defer { file.remove() }
      let newPath = file.path
      do {
        let result = try body(newPath)
        try source.whileClosed { try replacement.replace(with: newPath) }
        return result
      } catch let refusal as StoreReplacement.Refusal {
        throw InspectionError.notReplaced(source.path, refusal)
      } catch let error as StoreError {
        throw error.describing(newPath, as: source.path)
      }
    }
  }
}

extension InspectionError.Code {
  /// The store cannot be replaced, because others use it or have changed it.
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
        .notReplaced, before + user + ".", "Close it there, or name another output file.")
    case .changed:
      return InspectionError(
        .notReplaced, before + "it has been changed in the meantime.", "Start again.")
    case .unsound(let finding):
      return InspectionError(
        .notReplaced, before + "the new store is not complete (\(PlainText.escaped(finding))).",
        "Check the store with 'whimbrel check'. The store is unchanged.")
    }
  }
}
