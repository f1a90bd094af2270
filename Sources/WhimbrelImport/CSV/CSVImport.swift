public import WhimbrelEngine
public import WhimbrelInspection

/// Loads the objects of one class from comma-separated values.
///
/// ```swift
/// let load = CSVImport(path: "zones.csv", class: "Zone", into: "zones.whimbrel", .merge(.update))
/// print(try load.run().text)
/// ```
///
/// The first line names the properties, in any order; those that are left out get their defaults.
/// Nothing is nil, and `""` a text without characters. Links are the primary key of the object
/// that they lead to, in the store or in the same file. All else is as
/// ``ObjectTable/writeCSV(_:)`` writes it.
///
/// It is one write transaction: all of it is loaded, or nothing.
public struct CSVImport {
  private let source: Source
  private let target: MergeTarget
  private let destination: ImportDestination
  private let options: Options
  private let className: String

  /// What is read.
  private enum Source {
    case path(String)
    case file(ImportFile)
  }

  /// How the text is to be read.
  public struct Options: Hashable, Sendable {
    /// What stands between fields: a character of ASCII. The default is a comma.
    public var separator: Character = ","
    /// The properties of columns that have other names.
    public var properties: [String: String] = [:]
    /// What becomes of columns that are no properties. The default is that they are an error.
    public var unknown = StoreMerge.UnknownNames.refused

    /// Commas, and columns named like their properties.
    public init() {}
  }

  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - className: the class of all objects.
  ///   - store: the path of the store.
  ///   - destination: whether it is new.
  ///   - options: how the text is to be read.
  ///   - mode: whether anything is changed.
  ///   - monitor: is told how far it is.
  public init(
    path: String, class className: String, into store: String, _ destination: ImportDestination,
    _ options: Options = Options(), mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    self.init(
      .path(path), className, MergeTarget(path: store, mode: mode, monitor: monitor), destination,
      options)
  }

  /// Loads a file whose schema was guessed.
  ///
  /// - Parameters:
  ///   - file: the file that was looked at.
  ///   - guess: what was guessed of it, with the same options.
  ///   - store: the path of the store, where nothing may be yet.
  ///   - identity: what the new store is called.
  ///   - options: how the text is to be read.
  ///   - mode: whether anything is changed.
  ///   - monitor: is told how far it is.
  public init(
    _ file: ImportFile, _ guess: GuessedSchema, into store: String,
    identity: StoreIdentity = StoreIdentity(), _ options: Options = Options(),
    mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    var options = options
    options.properties = (guess.names[guess.className] ?? [:]).filter { $0.key != $0.value }
    self.init(
      .file(file), guess.className, MergeTarget(path: store, mode: mode, monitor: monitor),
      .newStore(guess.schema, identity), options)
  }

  private init(
    _ source: Source, _ className: String, _ target: MergeTarget,
    _ destination: ImportDestination, _ options: Options
  ) {
    self.source = source
    self.className = className
    self.target = target
    self.destination = destination
    self.options = options
  }

  /// Loads the objects.
  ///
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument`, `objectExists`, `fileExists`,
  ///   `cannotRead` or `cancelled`, and `StoreError` with `unknownClass` or `unknownProperty`, or
  ///   for the store. Nothing is changed then.
  /// - Complexity: O(*n* log *n*), in memory for one row, the ID and the primary key of each
  ///   object.
  @discardableResult
  public func run() throws -> MergeSummary {
    let separator = try options.separatorByte
    let input =
      switch source {
      case .path(let path): try RepeatableInput(path: path).opened(target.monitor)
      case .file(let file): file.input
      }
    return try destination.load(into: target) { session in
      try CSVObjects(input, session.table(className), separator: separator, options)
    }
  }
}
