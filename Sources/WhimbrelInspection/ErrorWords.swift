internal import Foundation
package import WhimbrelEngine

/// The words for a library error at a terminal. The library's own words address programmers.
package struct ErrorWords: Equatable {
  /// The failed action and its reason.
  package let message: String
  /// The advice for a user at a terminal.
  package let hint: String

  package init(_ error: StoreError) {
    let path = error.context.path
    // For a link to a missing file, the library's words name its target and are not about code.
    if error.code == .fileNotFound, let path, Self.isLink(path) {
      (message, hint) = (error.message, error.recovery)
      return
    }
    message =
      switch error.code {
      case .fileNotFound:
        "Could not open the store at \(PlainText.quoted(path ?? "")): the file does not exist."
      default: error.message
      }
    hint = Self.hint(error, Self.argument(path)) ?? error.recovery
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// Returns advice to replace the library's advice about code, or nil to keep it.
  private static func hint(_ error: StoreError, _ path: String) -> String? {
    hintForFile(error.code, path) ?? hintForValues(error)
  }

  private static func hintForFile(_ code: StoreError.Code, _ path: String) -> String? {
    switch code {
    case .fileNotFound:
      "Check the path. 'whimbrel load' creates a store from a dump."
    case .damaged, .truncated:
      adviceOnDamage(path)
    case .emptyFile:
      "Check the path. A store is one file, such as 'default.whimbrel'."
    case .addressSpaceExhausted:
      "Raise the address space limit of this shell: 'ulimit -v unlimited'."
    case .mapFull:
      "Remove objects that are no longer needed, or load a dump of the store into a new one."
    case .tooManyReaders:
      "End other programs that have the store open."
    case .migrationInProgress:
      "Wait until the migration has finished, and try again."
    case .migrationCancelled:
      "Run the command again to start over. The store is unchanged."
    case .schemaVersionTooNew:
      "Use a schema with the store's version or a newer one."
    case .invalidSchema, .invalidConfiguration:
      "Correct the schema. 'whimbrel schema --json' shows the format."
    default: nil
    }
  }

  /// Returns what to do with a damaged store.
  ///
  /// - Parameter path: The path as an argument for a shell: see ``argument(_:)``.
  static func adviceOnDamage(_ path: String) -> String {
    "'whimbrel check \(path)' lists the damage. 'whimbrel salvage \(path) saved.whimbrel' copies "
      + "what can be read into a new store."
  }

  private static func hintForValues(_ error: StoreError) -> String? {
    switch error.code {
    case .duplicatePrimaryKey:
      "Choose another key, or change the object that has it: with 'whimbrel set', or by loading "
        + "with '--merge update'."
    case .duplicateValues:
      "Choose another value. 'whimbrel query' finds the object that has this one."
    case .missingValue:
      "Give it a "
        + "value\(error.context.propertyName.map { ", such as '\(PlainText.escaped($0))=…'" } ?? "")."
    case .primaryKeyIsFixed:
      "Add an object with the new key with 'whimbrel add', and remove this one with 'whimbrel rm'."
    case .noPrimaryKey:
      "Name the object by its object ID, such as 'id:17', or find it with 'whimbrel query'."
    case .embeddedNeedsOwner:
      "Give it as part of its owner's JSON."
    default: nil
    }
  }

  /// Returns a path as an argument for a shell. Double quotes are easier to read in a hint, where
  /// the command is in single quotes. A shell replaces some characters in them.
  package static func argument(_ path: String?) -> String {
    guard let path else { return "<store>" }
    let quoted = ShellText.quoted(path)
    let isReplaced = path.utf8.contains { "$`\"\\!".utf8.contains($0) }
    return PlainText.escaped(quoted == path || isReplaced ? quoted : "\"\(path)\"")
  }
}
