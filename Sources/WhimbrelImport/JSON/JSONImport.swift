internal import WhimbrelEngine
public import WhimbrelInspection

/// Loads objects of one class from plain JSON: lines of objects, or one array of them.
///
/// ```swift
/// let file = try ImportFile(path: "cities.json")
/// let guess = try GuessedSchema(json: file, class: "City", key: "id")
/// let load = JSONImport(file, class: "City", into: "cities.whimbrel", .newStore(guess.schema))
/// print(try load.run(guess).text)
/// ```
///
/// The members are the properties; those that are left out get their defaults. Values are what JSON
/// has: dates are ISO 8601, with a zone, or a day alone; data is base 64; a decimal is a number or a
/// text. A link is the primary key of the object that it leads to, in the store or in the same file.
/// An embedded object is an object. A value of any type is a number, a text, a truth value, an
/// array or an object as it stands. ``StoreLoad`` reads what `whimbrel dump` writes, not this.
///
/// It is one write transaction: all of it is loaded, or nothing.
public struct JSONImport {
  private let file: ImportFile
  private let className: String
  private let target: MergeTarget
  private let destination: ImportDestination
  private let unknown: StoreMerge.UnknownNames

  /// - Parameters:
  ///   - file: the file, or standard input.
  ///   - className: the class of all objects.
  ///   - store: the path of the store.
  ///   - destination: whether it is new.
  ///   - unknown: what becomes of members that are no properties. The default is that they are an
  ///     error.
  ///   - mode: whether anything is changed.
  ///   - monitor: is told how far it is.
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
  /// - Parameter guess: what was guessed of the file, which knows members that have other names
  ///   than their properties; nil where all have the same.
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument`, `objectExists`, `fileExists`,
  ///   `cannotRead` or `cancelled`, and `StoreError` with `unknownClass` or `unknownProperty`, or
  ///   for the store. Nothing is changed then.
  /// - Complexity: O(*n* log *n*), in memory for one object, the ID and the primary key of each.
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
  /// Objects of an embedded class were to be loaded alone.
  static func embeddedImport(_ className: String) -> InspectionError {
    badArgument(
      className, "the class is embedded, and its objects belong to others",
      "Load the objects that they belong to.")
  }
}
