internal import WhimbrelEngine
public import WhimbrelInspection

/// An import of a JSON export of Realm Studio, so that an app can leave Realm.
///
/// ```swift
/// let schema = try SchemaExport(json: Data(contentsOf: schemaURL))
/// let load = RealmImport(path: "export.json", into: "app.whimbrel", .newStore(schema))
/// print(try load.run().text)
/// ```
///
/// It reads the exports of Realm Studio 3.5 to 15. Up to version 4, a link is the primary key of
/// its target. Up to version 11, linked objects are written in full, with `$refId` in cycles. Later
/// versions write [flatted](https://github.com/WebReflection/flatted) JSON. A linked object is
/// found by its primary key. Without a primary key it is found by `$refId` where the export has
/// one, else by its values; a note says where several objects have the same values.
///
/// Values are converted to the types that the schema declares. In values of type `any`, dates,
/// UUIDs and the like stay text, as the export has them.
///
/// An error lists values that cannot be imported, with class, object and property: data from
/// versions that lose it, NaN and infinity, and objects of an unnamed class in values of type
/// `any`. ``Options/losses`` allows the import without them. Properties that are not in the schema,
/// such as inverse ones, are an error too, unless ``Options/unknown`` says to leave them out.
///
/// The import is one write transaction: it loads everything or nothing.
public struct RealmImport {
  private let path: String
  private let target: MergeTarget
  private let destination: ImportDestination
  private let options: Options

  /// Options for problems that need not stop the import.
  public struct Options: Hashable, Sendable {
    /// The treatment of classes and properties that the store does not have. By default they are an
    /// error.
    public var unknown = StoreMerge.UnknownNames.refused
    /// The treatment of values that cannot be imported. By default they are an error.
    public var losses = Losses.refused

    /// Makes the default options: every problem stops the import.
    public init() {}

    /// A treatment of values that cannot be imported.
    public enum Losses: Hashable, Sendable {
      /// An error lists them.
      case refused
      /// They become nil, empty or 0, and the summary has a note for each.
      case allowed
    }
  }

  /// Makes an import.
  ///
  /// - Parameters:
  ///   - path: The export, or `-` for standard input.
  ///   - store: The path of the store.
  ///   - destination: A new store, or one to merge into.
  ///   - options: Options for problems that need not stop the import.
  ///   - mode: Whether to commit the changes.
  ///   - monitor: Receives the progress.
  public init(
    path: String, into store: String, _ destination: ImportDestination,
    _ options: Options = Options(), mode: MergeMode = .commit, monitor: WorkMonitor = .silent
  ) {
    self.path = path
    target = MergeTarget(path: store, mode: mode, monitor: monitor)
    self.destination = destination
    self.options = options
  }

  /// Loads the export.
  ///
  /// - Throws: ``InspectionError`` with `badImport`, `lossyImport`, `schemaMismatch`,
  ///   `objectExists`, `fileExists`, `cannotRead` or `cancelled`, and `StoreError` for the schema
  ///   or the store. After an error nothing is changed.
  /// - Complexity: O(*n* log *n*), in memory for one object, and the ID and the primary key of
  ///   each. From version 12 on, the whole export is in memory, some five times its size.
  @discardableResult
  public func run() throws -> MergeSummary {
    let document = try RealmFormat.document(RepeatableInput(path: path, target.monitor))
    return try destination.load(into: target) { session in
      RealmObjects(document, session, options)
    }
  }
}
