public import Foundation

/// An error of a store, as facts and as a sentence.
///
/// Every function of Whimbrel that fails throws this error. Programs use its ``code`` and the facts
/// in its ``context``. People read its ``description``:
///
/// ```swift
/// do {
///   let store = try Store(configuration)
/// } catch StoreError.Code.schemaVersionTooNew {
///   askToUpdateTheApp()
/// }
/// ```
///
/// Errors contain values of user data only if these are primary keys, or if the configuration of
/// the store asks for values.
public struct StoreError: Error, Sendable {
  // One reference instead of about twenty fields, so that a function with `throws(StoreError)`
  // reserves a single word for its error.
  private let storage: Storage

  /// Creates an error from its facts and its wording.
  ///
  /// Only the functions that declare an error call this; `ErrorSnapshotTests` finds them by the
  /// call.
  init(
    _ code: Code, _ sentence: Sentence, _ context: Context, underlying: (any Error)? = nil,
    declaration: StaticString = #function, file: String, line: Int
  ) {
    storage = Storage(
      code: code, sentence: sentence, context: context, underlying: underlying,
      declaration: declaration, location: SourceLocation(file: file, line: line))
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// Returns the error with the path of a value in the given values. A path that is already set
  /// stays.
  package func at(valuePath path: String) -> StoreError {
    guard context.valuePath == nil else { return self }
    return StoreError(
      Storage(
        code: code, sentence: storage.sentence.at(path), context: context.with(\.valuePath, path),
        underlying: underlying, declaration: declaration, location: location))
  }

  /// Returns an error about the target of a link with the property that links to it. Another error
  /// stays.
  package func linked(from property: String, of className: String) -> StoreError {
    isAboutTarget ? at(valuePath: "\(className).\(property)") : self
  }

  /// Whether the error may be about the target of a link, and does not name the link.
  package var isAboutTarget: Bool {
    switch code {
    case .objectDeleted, .objectOfOtherStore, .embeddedHasOwner, .embeddedNeedsOwner:
      context.propertyName == nil
    default: false
    }
  }

  /// Returns an error about a temporary file as one about the file that the caller asked for.
  package func describing(_ temporary: String, as path: String) -> StoreError {
    guard context.path == temporary else { return self }
    return StoreError(
      Storage(
        code: code, sentence: storage.sentence.naming(path, insteadOf: temporary),
        context: context.with(\.path, path), underlying: underlying, declaration: declaration,
        location: location))
  }

  /// The kind of the error.
  public var code: Code { storage.code }

  /// The function that declares the error.
  var declaration: StaticString { storage.declaration }

  var sentence: Sentence { storage.sentence }

  /// The action that failed, and the reason.
  public var message: String { storage.sentence.message }

  /// The advice on what to do about the error.
  public var recovery: String { storage.sentence.recovery }

  /// The facts: the path, the class, the property, the object …
  public var context: Context { storage.context }

  /// The error that caused this one, or nil.
  public var underlying: (any Error)? { storage.underlying }

  /// The place in the sources of Whimbrel where the error was created.
  public var location: SourceLocation { storage.location }
}

extension StoreError {
  /// A place in the sources of Whimbrel.
  public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The module and the name of the file, for example `WhimbrelEngine/Catalog.swift`.
    public let file: String
    /// The line number, counted from 1.
    public let line: Int

    /// The file and the line, separated by a colon.
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
  /// The message and the advice.
  public var description: String {
    // A list or an excerpt has no full stop, so the advice gets its own line.
    message + (message.contains("\n") ? "\n" : " ") + recovery
  }

  /// The description, the code and the place in the sources.
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
