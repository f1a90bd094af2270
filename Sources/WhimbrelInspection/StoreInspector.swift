public import WhimbrelEngine

/// A store opened to look into it, without the app that wrote it.
///
/// The file is only read, and every page of it is checked before: a damaged or
/// hostile file is an error. What is read is the last commit at the time that
/// the inspector was made, whatever is written meanwhile. Who asks for no objects is
/// served faster by a ``StoreOverview``.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// print(try inspector.description().classes.map(\.name))
/// ```
///
/// LMDB keeps a lock file beside the store, which an inspector has to make if it
/// is not there, unless nothing can write the store and its folder. It goes with the inspector, on
/// Linux, unless somebody else uses the store then.
public final class StoreInspector {
  /// The path of the store, as it was given.
  public let path: String
  private var openSession: Session?
  private let trace: LockFileTrace

  /// The version of this library.
  public static let libraryVersion = Header.libraryVersion

  /// Opens a store.
  ///
  /// - Throws: `StoreError` when the file is missing, is no store, is damaged, or
  ///   may not be read.
  /// - Complexity: O(*pages*).
  public init(path: String) throws {
    self.path = path
    trace = LockFileTrace(path: path)
    do {
      openSession = try Self.session(path)
    } catch {
      trace.remove()
      throw error
    }
  }

  deinit {
    openSession = nil
    trace.remove()
  }

  private static func session(_ path: String) throws -> Session {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.checksPages = true
    return try Session(StoreFile.attach(request))
  }

  /// What the store is read with.
  package var session: Session {
    guard let openSession else { preconditionFailure("The session goes with the inspector.") }
    return openSession
  }

  /// Lets go of the file while `body` runs, and opens what is there then. If that cannot be opened,
  /// every call that reads throws a `StoreError` with `storeClosed`.
  func whileClosed(_ body: () throws -> Void) throws {
    session.close()
    do {
      try body()
    } catch {
      openSession = try Self.session(path)
      throw error
    }
    openSession = try Self.session(path)
  }

  package var header: Header { session.loaded.header }
  package var catalog: Catalog { session.loaded.catalog }

  /// The classes, sorted by name.
  package var tables: [ClassTable] { session.classes.sorted { $0.name < $1.name } }

  /// What the store says of itself; not kept, so that it holds no file open.
  private var overview: StoreOverview { StoreOverview(path: path, session) }

  /// Puts errors of reading into words.
  package func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw session.file.explain(error) }
  }
}

extension StoreInspector {
  /// The schema of the store, as the app declared it last, with the classes that
  /// it no longer declares and whose data is still there.
  public var schema: SchemaExport { overview.schema }

  /// The migrations that have been run, oldest first.
  public var migrationHistory: [MigrationHistoryEntry] { overview.migrationHistory }

  /// Describes the store; the layouts that records have are not counted.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(*classes* + *free pages*).
  public func description() throws -> StoreDescription { try overview.description() }

  /// Describes the store, and counts the records of each layout.
  ///
  /// - Throws: `StoreError`, and ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*objects*), in memory for the layouts.
  public func descriptionWithLayouts(
    monitor: WorkMonitor = .silent
  ) throws -> StoreDescription {
    try overview.description { try self.layoutCounts(of: $0, monitor) }
  }

  private func layoutCounts(
    of table: ClassTable, _ monitor: WorkMonitor
  ) throws -> [StoreDescription.LayoutCount] {
    var counts: [Int: Int] = [:]
    let (total, step) = (try table.count(), "Counting layouts of \(table.name)")
    var completed = 0
    try table.forEachRecord { _, record in
      // A record without a layout is damaged, and for 'whimbrel check' to find.
      if let layout = table.resolved.layout(of: record) {
        counts[Int(layout.layout.id.rawValue), default: 0] += 1
      }
      completed += 1
      if completed % 1_000 == 0 || completed == total {
        try monitor.update(
          step, completed, of: total, orThrow: .cancelled(self.path, "count the layouts of"))
      }
    }
    let current = Int(table.resolved.entry.currentLayout.rawValue)
    return counts.sorted { $0.key < $1.key }.map { number, objects in
      StoreDescription.LayoutCount(layout: number, objects: objects, isWritten: number == current)
    }
  }
}
