internal import WhimbrelEngine
public import WhimbrelInspection

/// Loads what Realm Studio exports as JSON, so that an app can leave Realm.
///
/// ```swift
/// let schema = try SchemaExport(json: Data(contentsOf: schemaURL))
/// let load = RealmImport(path: "export.json", into: "app.whimbrel", .newStore(schema))
/// print(try load.run().text)
/// ```
///
/// It reads what Realm Studio 3.5 to 15 export. Up to version 4 links are the primary key of the
/// object that they lead to; up to 11 linked objects stand where they are linked to, with `$refId`
/// where they form circles; later ones write [flatted](https://github.com/WebReflection/flatted)
/// JSON. Linked objects are found by their primary keys; of a class without one, by `$refId` where
/// the export has it, else by their values, which is told where several objects have the same.
///
/// Values are converted to the types that the schema declares. In values of any type dates, UUIDs
/// and the like stay text, as the export has them.
///
/// What cannot be carried over is an error that lists it with class, object and property: data of
/// versions that lose it, NaN and infinity, and objects in values of any type whose class is not
/// said. ``Options/losses`` has the rest loaded all the same. Properties that the schema has not,
/// inverse ones among them, are an error too, unless ``Options/unknown`` says to leave them out.
///
/// It is one write transaction: all of it is loaded, or nothing.
public struct RealmImport {
  private let input: RepeatableInput
  private let target: MergeTarget
  private let destination: ImportDestination
  private let options: Options

  /// What is not to stop the import.
  public struct Options: Hashable, Sendable {
    /// What becomes of classes and properties that the store has not. The default is that they
    /// are an error.
    public var unknown = StoreMerge.UnknownNames.refused
    /// What becomes of values that cannot be carried over. The default is that they are an
    /// error.
    public var losses = Losses.refused

    /// Everything stops it.
    public init() {}

    /// What becomes of values that cannot be carried over.
    public enum Losses: Hashable, Sendable {
      /// They are an error that lists them.
      case refused
      /// They are nil, empty or 0, and notes of the summary.
      case allowed
    }
  }

  /// - Parameters:
  ///   - path: the export, or `-` for standard input.
  ///   - store: the path of the store.
  ///   - destination: whether it is new.
  ///   - options: what is not to stop the import.
  ///   - mode: whether anything is changed.
  ///   - monitor: is told how far it is.
  public init(
    path: String, into store: String, _ destination: ImportDestination,
    _ options: Options = Options(), mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    input = RepeatableInput(path: path)
    target = MergeTarget(path: store, mode: mode, monitor: monitor)
    self.destination = destination
    self.options = options
  }

  /// Loads the export.
  ///
  /// - Throws: ``InspectionError`` with `badImport`, `lossyImport`, `schemaMismatch`,
  ///   `objectExists`, `fileExists`, `cannotRead` or `cancelled`, and `StoreError` for the schema
  ///   or the store. Nothing is changed then.
  /// - Complexity: O(*n* log *n*), in memory for one object, and the ID and the primary key of
  ///   each; for versions from 12 on, all of the export, some five times its size.
  @discardableResult
  public func run() throws -> MergeSummary {
    let input = try input.opened(target.monitor)
    let document = try RealmFormat.document(input)
    return try destination.load(into: target) { session in
      RealmObjects(document, session, options)
    }
  }
}
