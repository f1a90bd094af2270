public import Foundation

/// An error of an inspection, with facts and a sentence.
///
/// Errors of the store itself are `StoreError`s. These errors are about data
/// that goes into or out of a store.
public struct InspectionError: Error, Hashable, Sendable {
  /// The kind of the error.
  public let code: Code
  /// The failed action and its reason.
  public let message: String
  /// The advice for the user.
  public let recovery: String
  /// The line number in the dump, from 1, or nil if the error is not about a
  /// line.
  public let line: Int?
  /// The column in the line, in characters from 1, or nil if the error is not
  /// about a line.
  public let column: Int?

  package init(
    _ code: Code, _ message: String, _ recovery: String, line: Int? = nil, column: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.recovery = recovery
    self.line = line
    self.column = column
  }
}

extension InspectionError {
  /// The kind of an ``InspectionError``.
  ///
  /// Catch one kind by its name: `catch InspectionError.Code.fileExists { … }`.
  /// Later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    package init(_ name: String) { self.name = name }

    /// The name of the code, such as `badArgument`.
    public var description: String { name }

    /// Returns whether an error is an ``InspectionError`` of this kind.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? InspectionError)?.code == code
    }
  }
}

extension InspectionError.Code {
  /// A file exists at the path of a new file.
  public static let fileExists = Self("fileExists")
  /// The dump does not follow the format.
  public static let badDump = Self("badDump")
  /// The dump has fewer objects than its header counts.
  public static let incompleteDump = Self("incompleteDump")
  /// The input cannot be read.
  public static let cannotRead = Self("cannotRead")
  /// The output cannot be written.
  public static let cannotWrite = Self("cannotWrite")
  /// The work was cancelled.
  public static let cancelled = Self("cancelled")
  /// The name of a class, property or object, or a value, is not valid.
  public static let badArgument = Self("badArgument")
  /// The object does not exist.
  public static let noSuchObject = Self("noSuchObject")
}

extension InspectionError: LocalizedError, CustomStringConvertible {
  /// The message and the advice.
  public var description: String { "\(message) \(recovery)" }
  /// The same text as ``description``.
  public var errorDescription: String? { description }
  /// The same text as ``message``.
  public var failureReason: String? { message }
  /// The same text as ``recovery``.
  public var recoverySuggestion: String? { recovery }
}

extension InspectionError {
  /// The message without its full stop.
  package var reason: String { message.withoutFullStop }
}

extension String {
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

// MARK: - The words

extension InspectionError {
  /// - Parameter verb: The words before the path: `load a dump into`.
  package static func fileExists(_ path: String, _ verb: String) -> InspectionError {
    InspectionError(
      .fileExists,
      "Could not \(verb) \(PlainText.quoted(path)): a file with that name already exists.",
      "Choose another name, or move the file away first.")
  }

  static func badDump(_ name: String, line: Int?, column: Int?, _ reason: String) -> InspectionError
  {
    let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
    let before = place.isEmpty ? "" : "at " + place.joined(separator: ", ") + " "
    return InspectionError(
      .badDump,
      "Could not load the dump \(before)of \(PlainText.quoted(name)): \(reason).",
      line == 1
        ? "Check that 'whimbrel dump' wrote the file."
        : "Correct the line, or create the dump again. Nothing was changed.",
      line: line, column: column)
  }

  static func incompleteDump(
    _ name: String, class className: String, expected: Int, found: Int
  ) -> InspectionError {
    InspectionError(
      .incompleteDump,
      "Could not load the dump of \(PlainText.quoted(name)): it has \(found) of the \(expected) "
        + "objects of class \(PlainText.quoted(className)) that its first line announces.",
      "Create the dump again, or remove 'objects' from the first line if objects are missing on "
        + "purpose. Nothing was changed.")
  }

  static func cannotRead(_ name: String, number: Int32) -> InspectionError {
    // A signal that asks to stop interrupts a call that waits for the writer of a pipe.
    if number == EINTR { return cancelled(name, "read") }
    let isFolder = number == EISDIR
    return InspectionError(
      .cannotRead,
      "Could not read \(PlainText.quoted(name)): "
        + (isFolder ? "it is a folder that is not a dump" : PlainText.systemMessage(number))
        + ".",
      isFolder
        ? "Give the path of a file, or of a folder that 'whimbrel dump --folder' wrote."
        : "Check the path and the permissions of the file.")
  }

  /// - Parameter verb: The words before the path: `load a dump into`.
  package static func cancelled(_ path: String, _ verb: String) -> InspectionError {
    InspectionError(
      .cancelled, "Could not \(verb) \(PlainText.quoted(path)): it was cancelled.",
      "Start it again. Nothing was changed.")
  }

  /// Returns the error for text that is not valid.
  ///
  /// - Parameter reason: A clause without a full stop.
  package static func badArgument(_ text: String, _ reason: String, _ recovery: String)
    -> InspectionError
  {
    InspectionError(
      .badArgument, "Could not understand \(PlainText.quoted(text)): \(reason).", recovery)
  }

  static func noSuchObject(
    _ name: String, class className: String, _ reason: String
  ) -> InspectionError {
    InspectionError(
      .noSuchObject,
      "Could not find the object \(PlainText.quoted(name)) of class "
        + "\(PlainText.quoted(className)): \(reason).",
      "List the objects with 'whimbrel ls'. Name an object by its primary key, or by its object "
        + "ID, such as 'id:17'.")
  }

  package static func cannotWrite(_ name: String, number: Int32) -> InspectionError {
    let recovery =
      switch number {
      case ENOSPC, EDQUOT: "Free some space and try again."
      case EBADF: "It is closed. Redirect it to a file, or to '/dev/null' if you do not need it."
      default: "Check that its folder exists, and that the file is writable."
      }
    return InspectionError(
      .cannotWrite,
      "Could not write to \(PlainText.quoted(name)): \(PlainText.systemMessage(number)).", recovery)
  }
}
