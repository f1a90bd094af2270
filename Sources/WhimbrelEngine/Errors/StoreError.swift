public import Foundation

/// What went wrong in a store, as facts and as a sentence.
///
/// Every function of Whimbrel that fails throws this error. Its ``code`` is for
/// programs, its ``context`` holds the facts, and its ``description`` is for
/// people:
///
/// ```swift
/// do {
///   let store = try Store(configuration)
/// } catch StoreError.Code.schemaVersionTooNew {
///   askToUpdateTheApp()
/// }
/// ```
///
/// Values of user data appear in an error only where they are primary keys, or where the
/// configuration of the store asks for them.
public struct StoreError: Error, Sendable {
  // One reference instead of some twenty fields, so that a function with
  // `throws(StoreError)` reserves a single word for its error.
  private let storage: Storage

  /// Makes an error of its facts and of the sentence that words them.
  ///
  /// Only the functions that declare an error call this. `ErrorSnapshotTests` finds them by it.
  init(
    _ code: Code, _ sentence: Sentence, _ context: Context, underlying: (any Error)? = nil,
    declaration: StaticString = #function, file: String, line: Int
  ) {
    storage = Storage(
      code: code, sentence: sentence, context: context, underlying: underlying,
      declaration: declaration, location: SourceLocation(file: file, line: line))
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// The same error with the place of the value among those that were given; one that has a
  /// place keeps it.
  package func at(valuePath path: String) -> StoreError {
    guard context.valuePath == nil else { return self }
    return StoreError(
      Storage(
        code: code, sentence: storage.sentence.at(path), context: context.with(\.valuePath, path),
        underlying: underlying, declaration: declaration, location: location))
  }

  /// What kind of error this is.
  public var code: Code { storage.code }

  /// The function that declares the error.
  var declaration: StaticString { storage.declaration }

  /// The words of the error.
  var sentence: Sentence { storage.sentence }

  /// What could not be done, and why.
  public var message: String { storage.sentence.message }

  /// What to do about it.
  public var recovery: String { storage.sentence.recovery }

  /// The facts: the path, the class, the property, the object …
  public var context: Context { storage.context }

  /// The error that caused this one, or nil.
  public var underlying: (any Error)? { storage.underlying }

  /// Where in the sources of Whimbrel the error was made.
  public var location: SourceLocation { storage.location }
}

extension StoreError {
  /// A place in the sources of Whimbrel.
  public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The module and the name of the file: `WhimbrelEngine/Catalog.swift`.
    public let file: String
    /// The number of the line, from 1.
    public let line: Int

    /// The file and the line, with a colon between them.
    public var description: String { "\(file):\(line)" }
  }

  /// The fields of an error.
  private final class Storage: Sendable {
    let code: Code
    let sentence: Sentence
    let context: Context
    let underlying: (any Error)?
    let declaration: StaticString
    let location: SourceLocation

    init(
      code: Code, sentence: Sentence, context: Context, underlying: (any Error)?,
      declaration: StaticString, location: SourceLocation
    ) {
      self.code = code
      self.sentence = sentence
      self.context = context
      self.underlying = underlying
      self.declaration = declaration
      self.location = location
    }
  }
}

extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The message and what to do about it.
  public var description: String {
    // A list or an excerpt ends without a full stop, so what follows it takes its own line.
    message + (message.contains("\n") ? "\n" : " ") + recovery
  }

  /// The description with the code and the place in the sources.
  public var debugDescription: String { "\(description) (\(code), \(location))" }
}

extension StoreError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``message``.
  public var failureReason: String? { message }

  /// The same as ``recovery``.
  public var recoverySuggestion: String? { recovery }
}
