public import WhimbrelEngine
public import WhimbrelInspection

/// An import of objects of one class from comma-separated values.
///
/// ```swift
/// let load = CSVImport(path: "zones.csv", class: "Zone", into: "zones.whimbrel", .merge(.update))
/// print(try load.run().text)
/// ```
///
/// The first line names the properties, in any order. Properties that it leaves out get their
/// defaults. An empty field is nil, and `""` is an empty text. A link is the primary key of its
/// target, which is in the store or in the same file. All other values are written as
/// ``ObjectTable/writeCSV(_:)`` writes them.
///
/// The import is one write transaction: it loads everything or nothing.
public struct CSVImport {
  private let source: Source
  private let target: MergeTarget
  private let destination: ImportDestination
  private let options: Options
  private let className: String

  /// The file to read, by path or already open.
  private enum Source {
    case path(String)
    case file(ImportFile)
  }

  /// The options for reading CSV.
  public struct Options: Hashable, Sendable {
    /// The separator between fields, an ASCII character. The default, nil, is the one that the first
    /// line has: a comma, or else a semicolon or a tab.
    public var separator: Character?
    /// The properties of columns that have other names, by column.
    public var properties: [String: String] = [:]
    /// The treatment of columns that are not properties. By default they are an error.
    public var unknown = StoreMerge.UnknownNames.refused

    /// Makes the default options: the separator of the first line, and columns named like their
    /// properties.
    public init() {}
  }

  /// Makes an import from a file.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - className: The class of all objects.
  ///   - store: The path of the store.
  ///   - destination: A new store, or one to merge into.
  ///   - options: The options for reading the text.
  ///   - mode: Whether to commit the changes.
  ///   - monitor: Receives the progress.
  public init(
    path: String, class className: String, into store: String, _ destination: ImportDestination,
    _ options: Options = Options(), mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    self.init(
      .path(path), className, MergeTarget(path: store, mode: mode, monitor: monitor), destination,
      options)
  }

  /// Makes an import from a file with a guessed schema.
  ///
  /// - Parameters:
  ///   - file: The file that the guess read.
  ///   - guess: The guess about it, made with the same options.
  ///   - store: The path of the new store, which must not exist yet.
  ///   - identity: The identity of the new store.
  ///   - options: The options for reading the text.
  ///   - mode: Whether to commit the changes.
  ///   - monitor: Receives the progress.
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
  ///   an error of the store. After an error nothing is changed.
  /// - Complexity: O(*n* log *n*), in memory for one row, and the ID and the primary key of each
  ///   object.
  @discardableResult
  public func run() throws -> MergeSummary {
    let separator = try options.separatorByte
    let input =
      switch source {
      case .path(let path): try RepeatableInput(path: path, target.monitor)
      case .file(let file): file.input
      }
    return try destination.load(into: target) { session in
      try CSVObjects(input, session.table(className), separator: separator, options)
    }
  }
}
