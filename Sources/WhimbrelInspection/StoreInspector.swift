public import WhimbrelEngine

/// A store opened for reading, without the app that wrote it.
///
/// The file is only read. Opening checks every page, so a damaged or hostile file causes an error.
/// The inspector reads the commit that was the last when it was created, even if others write
/// meanwhile. If you need no objects, a ``StoreOverview`` is faster.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// print(try inspector.description().classes.map(\.name))
/// ```
///
/// LMDB keeps a lock file beside the store. An inspector creates it if it is missing, unless
/// neither the store nor its folder is writable. On Linux the inspector removes a lock file that it
/// created, unless someone else uses the store at that time.
public final class StoreInspector {
  /// The path of the store as the caller gave it.
  public let path: String
  private let checksPages: Bool
  private var openSession: Session?
  private let trace: LockFileTrace

  /// The version of this library.
  public static let libraryVersion = Header.libraryVersion

  /// Opens a store.
  ///
  /// - Throws: `StoreError` if the file is missing, is not a store, is damaged, or is not readable.
  /// - Complexity: O(*pages*).
  public convenience init(path: String) throws { try self.init(path: path, checksPages: true) }

  /// Opens a store.
  ///
  /// - Parameter checksPages: Whether to check every page now. Otherwise each page is checked when
  ///   it is read for the first time.
  package init(path: String, checksPages: Bool) throws {
    self.path = path
    self.checksPages = checksPages
    trace = LockFileTrace(path: path)
    do {
      openSession = try Self.session(path, checksPages: checksPages)
    } catch {
      trace.remove()
      throw error
    }
  }

  deinit {
    openSession = nil
    trace.remove()
  }

  private static func session(_ path: String, checksPages: Bool) throws -> Session {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.file.checks = checksPages ? .allPages : .accounts
    return try Session(StoreFile.attach(request))
  }

  /// The session that reads the store.
  package var session: Session {
    guard let openSession else { preconditionFailure("The session goes with the inspector.") }
    return openSession
  }

  /// Closes the file while `body` runs, then opens the file that is now at the path. If that fails,
  /// every later call that reads throws a `StoreError` with `storeClosed`.
  func whileClosed(_ body: () throws -> Void) throws {
    session.close()
    // The file is already replaced then, or the error of `body` says why it is not.
    defer {
      if let session = try? Self.session(path, checksPages: checksPages) { openSession = session }
    }
    try body()
  }

  package var header: Header { session.loaded.header }
  package var catalog: Catalog { session.loaded.catalog }

  /// The class tables, sorted by name.
  package var tables: [ClassTable] { session.classes.sorted { $0.name < $1.name } }

  /// An overview of the store. It is created on each use, because a stored one would keep the file
  /// open.
  private var overview: StoreOverview { StoreOverview(path: path, session) }

  /// Runs `body`, and turns errors of reading into errors that name the file.
  package func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    try session.file.explaining(body)
  }
}

extension StoreInspector {
  /// The schema that the app declared last, and the classes that it no longer declares but that
  /// still have data.
  public var schema: SchemaExport { overview.schema }

  /// The completed migrations, oldest first.
  public var migrationHistory: [MigrationHistoryEntry] { overview.migrationHistory }

  /// Describes the store, without counting the layouts of records.
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
      // A record without a known layout is damaged. Reporting it is up to 'whimbrel check'.
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
