public import Foundation
public import WhimbrelEngine

/// An overview of a store without its objects: its versions, classes, sizes and history.
///
/// Only the pages with these facts are checked and read, so a store of a gigabyte opens as fast as
/// one of a megabyte. A damaged or hostile file still causes an error. Damage to objects is found
/// by a ``StoreInspector``, which checks every page.
///
/// ```swift
/// let overview = try StoreOverview(path: "zones.whimbrel")
/// print(try overview.description().classes.map(\.objects))
/// ```
///
/// The overview reads the commit that was the last when it was created. It removes a lock file that
/// it created, as a ``StoreInspector`` does.
public final class StoreOverview {
  /// The path of the store as the caller gave it.
  public let path: String
  private var openSession: Session?
  private let trace: LockFileTrace?

  /// Opens a store.
  ///
  /// - Throws: `StoreError` if the file is missing, is not a store, is damaged, or is not readable.
  /// - Complexity: O(*classes* + *free pages*).
  public init(path: String) throws {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.file.checks = .catalog
    let trace = LockFileTrace(path: path)
    self.path = path
    self.trace = trace
    do {
      openSession = try Session(StoreFile.attach(request))
    } catch {
      trace.remove()
      throw error
    }
  }

  init(path: String, _ session: Session) {
    self.path = path
    openSession = session
    trace = nil
  }

  deinit {
    // An explicit close: someone may still hold a part of the session for a moment. Without a trace
    // the session belongs to an inspector.
    if trace != nil { openSession?.close() }
    openSession = nil
    trace?.remove()
  }

  /// The session. Only the catalog and the sizes of tables may be read, because other pages are not
  /// checked.
  var session: Session {
    guard let openSession else { preconditionFailure("The session goes with the overview.") }
    return openSession
  }

  private var header: Header { session.loaded.header }
  var catalog: Catalog { session.loaded.catalog }
  /// The identity of the store. Copies share it.
  public var uuid: UUID { header.uuid }

  /// The schema that the app declared last, and the classes that it no longer declares but that
  /// still have data.
  public var schema: SchemaExport {
    SchemaExport(
      schemaVersion: header.schemaVersion,
      classes: catalog.classes.map { entry in
        SchemaExport.ClassExport(
          name: entry.name, isDeclared: entry.isDeclared, isEmbedded: entry.isEmbedded,
          properties: entry.properties.map(\.schema), indexes: entry.schema.indexes)
      })
  }

  /// The completed migrations, oldest first.
  public var migrationHistory: [MigrationHistoryEntry] { catalog.history }

  /// Describes the store, without counting the layouts of records.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(*classes* + *free pages*).
  public func description() throws -> StoreDescription { try description { _ in nil } }

  /// - Parameter layouts: Returns the number of records of a class per layout, or nil.
  func description(
    layouts: (ClassTable) throws -> [StoreDescription.LayoutCount]?
  ) throws -> StoreDescription {
    do {
      let size = try session.file.statistics()
      return StoreDescription(
        path: path, formatVersion: Int(header.formatVersion), schemaVersion: header.schemaVersion,
        uuid: header.uuid, created: header.creation, lastWriter: header.lastWriter,
        fileSize: size.fileSize, pageSize: size.pageSize, usedPages: size.usedPages,
        freePages: size.freePages, readers: size.otherReaders,
        classes: try session.classes.sorted { $0.name < $1.name }.map { table in
          try describe(table, pageSize: size.pageSize, layouts: layouts(table))
        },
        history: catalog.history, transition: try describeTransition(session))
    } catch {
      throw session.file.explain(error)
    }
  }

  private func describe(
    _ table: ClassTable, pageSize: Int, layouts: [StoreDescription.LayoutCount]?
  ) throws -> StoreDescription.ClassDescription {
    let entry = table.resolved.entry
    return StoreDescription.ClassDescription(
      name: entry.name, isDeclared: entry.isDeclared, isEmbedded: entry.isEmbedded,
      objects: try table.count(), bytes: try table.pageCount() * pageSize,
      layouts: entry.layouts.count, layoutsInUse: layouts, properties: entry.properties.count,
      primaryKey: entry.primaryKeyIndex.map { entry.properties[$0].name })
  }
}
