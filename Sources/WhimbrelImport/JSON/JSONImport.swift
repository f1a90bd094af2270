internal import WhimbrelEngine
public import WhimbrelInspection

/// An import of objects of one class from plain JSON: lines of objects, or one array of objects.
///
/// ```swift
/// let file = try ImportFile(path: "cities.json")
/// let guess = try GuessedSchema(json: file, class: "City", key: "id")
/// let load = JSONImport(file, class: "City", into: "cities.whimbrel", .newStore(guess.schema))
/// print(try load.run(guess).text)
/// ```
///
/// The members of an object are its properties. Properties that it leaves out get their defaults.
/// Values are plain JSON: a date is ISO 8601, with a time zone or a day alone; data is base 64; a
/// decimal is a number or a text. A link is the primary key of its target, which is in the store or
/// in the same file. An embedded object is an object. A value of type `any` is a number, a text, a
/// truth value, an array or an object as it stands. ``StoreLoad`` reads the output of `whimbrel
/// dump`, which is another format.
///
/// The import is one write transaction: it loads everything or nothing.
public struct JSONImport {
  private let file: ImportFile
  private let className: String
  private let target: MergeTarget
  private let destination: ImportDestination
  private let unknown: StoreMerge.UnknownNames

  /// Makes an import.
  ///
  /// - Parameters:
  ///   - file: The file, or standard input.
  ///   - className: The class of all objects.
  ///   - store: The path of the store.
  ///   - destination: A new store, or one to merge into.
  ///   - unknown: The treatment of members that are not properties. By default they are an error.
  ///   - mode: Whether to commit the changes.
  ///   - monitor: Receives the progress.
  public init(
    _ file: ImportFile, class className: String, into store: String,
    _ destination: ImportDestination, unknown: StoreMerge.UnknownNames = .refused,
    mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    self.file = file
    self.className = className
    target = MergeTarget(path: store, mode: mode, monitor: monitor)
    self.destination = destination
    self.unknown = unknown
  }

  /// Loads the objects.
  ///
  /// - Parameter guess: The guess about the file, which knows members that have other names than
  ///   their properties; nil if all names are the same.
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument`, `objectExists`, `fileExists`,
  ///   `cannotRead` or `cancelled`, and `StoreError` with `unknownClass` or `unknownProperty`, or
  ///   an error of the store. After an error nothing is changed.
  /// - Complexity: O(*n* log *n*), in memory for one object, and the ID and the primary key of
  ///   each.
  @discardableResult
  public func run(_ guess: GuessedSchema? = nil) throws -> MergeSummary {
    try destination.load(into: target) { session in
      let table = try session.table(className)
      if table.resolved.isEmbedded { throw InspectionError.embeddedImport(className) }
      return JSONObjects(
        JSONRecords(file.input), table, names: guess?.names ?? [:], unknown)
    }
  }
}

extension InspectionError {
  /// Returns the error for an import of objects of an embedded class, which need an owner.
  static func embeddedImport(_ className: String) -> InspectionError {
    badArgument(
      className, "the class is embedded, so its objects belong to other objects",
      "Load the objects that they belong to.")
  }
}
