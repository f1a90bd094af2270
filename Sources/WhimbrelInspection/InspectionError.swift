public import Foundation

/// What went wrong with a dump, as facts and as a sentence.
///
/// Errors of the store itself are `StoreError`s; these are about what goes in
/// and out of it.
public struct InspectionError: Error, Hashable, Sendable {
  /// What kind of error this is.
  public let code: Code
  /// What could not be done, and why.
  public let message: String
  /// What to do about it.
  public let recovery: String
  /// The number of the dump's line, from 1, or nil when it is about none.
  public let line: Int?
  /// The place in the line, in characters from 1, or nil when it is about none.
  public let column: Int?

  init(
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
  /// What kind of error an ``InspectionError`` is.
  ///
  /// Catch one kind by its name: `catch InspectionError.Code.fileExists { … }`.
  /// Later versions may add codes.
  public struct Code: Hashable, Sendable {
    private enum Value {
      case fileExists, badDump, incompleteDump, cannotRead, cannotWrite, cancelled
    }

    private let value: Value

    /// There is a file where a new one was to be made.
    public static let fileExists = Self(value: .fileExists)
    /// A dump breaks a rule of the format.
    public static let badDump = Self(value: .badDump)
    /// A dump ends before all of its objects.
    public static let incompleteDump = Self(value: .incompleteDump)
    /// A dump cannot be read from where it is.
    public static let cannotRead = Self(value: .cannotRead)
    /// Text cannot be written to where it is to go.
    public static let cannotWrite = Self(value: .cannotWrite)
    /// A load was cancelled.
    public static let cancelled = Self(value: .cancelled)

    /// Whether the error is an ``InspectionError`` of this kind.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? InspectionError)?.code == code
    }
  }
}

extension InspectionError: LocalizedError, CustomStringConvertible {
  /// The message and what to do about it.
  public var description: String { "\(message) \(recovery)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``message``.
  public var failureReason: String? { message }
  /// The same as ``recovery``.
  public var recoverySuggestion: String? { recovery }
}

// MARK: - The words

extension InspectionError {
  package static func fileExists(_ path: String) -> InspectionError {
    InspectionError(
      .fileExists,
      "Could not load a dump into \(PlainText.quoted(path)): there is a file of that name already.",
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
        ? "Check that the file is a dump that 'whimbrel dump' wrote."
        : "Correct the line, or make the dump again. No store was made.",
      line: line, column: column)
  }

  static func incompleteDump(
    _ name: String, class className: String, expected: Int, found: Int
  ) -> InspectionError {
    InspectionError(
      .incompleteDump,
      "Could not load the dump of \(PlainText.quoted(name)): it has \(found) of the \(expected) "
        + "objects of class \(PlainText.quoted(className)) that its first line counts.",
      "Make the dump again, or take 'objects' out of the first line if that is meant. "
        + "No store was made.")
  }

  static func cannotRead(_ name: String, number: Int32) -> InspectionError {
    InspectionError(
      .cannotRead,
      "Could not read the dump \(PlainText.quoted(name)): \(PlainText.systemMessage(number)).",
      "Check the path and the permissions of the file.")
  }

  static func cancelled(_ path: String) -> InspectionError {
    InspectionError(
      .cancelled, "Could not load a dump into \(PlainText.quoted(path)): it was cancelled.",
      "Load it again. No store was made.")
  }

  /// Text cannot be written.
  package static func cannotWrite(_ name: String, number: Int32) -> InspectionError {
    InspectionError(
      .cannotWrite,
      "Could not write to \(PlainText.quoted(name)): \(PlainText.systemMessage(number)).",
      "Check that there is space left, and that it may be written to.")
  }
}
