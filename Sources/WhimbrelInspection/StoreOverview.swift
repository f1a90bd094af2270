public import Foundation
public import WhimbrelEngine

/// What a store says of itself, without its objects: its versions, classes, sizes and history.
///
/// Only the pages that say so are checked and read, so that a store of a gigabyte takes as
/// long as one of a megabyte. A damaged or hostile file is an error all the same; damage of
/// objects is for a ``StoreInspector`` to find, which checks every page.
///
/// ```swift
/// let overview = try StoreOverview(path: "zones.whimbrel")
/// print(try overview.description().classes.map(\.objects))
/// ```
///
/// What is read is the last commit at the time that the overview was made. A lock file that has to
/// be made for it goes with the overview, as that of a ``StoreInspector`` does.
public final class StoreOverview {
  /// The path of the store, as it was given.
  public let path: String
  /// Of which nothing but the catalog and the sizes of tables may be read.
  private var openSession: Session?
  private let trace: LockFileTrace?

  /// Opens a store.
  ///
  /// - Throws: `StoreError` when the file is missing, is no store, is damaged, or
  ///   may not be read.
  /// - Complexity: O(*classes* + *free pages*).
  public init(path: String) throws {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.checksCatalogOnly = true
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
    // Whoever was given something of the session may hold it a moment longer. Without a trace it is
    // not this overview's to close.
    if trace != nil { openSession?.close() }
    openSession = nil
    trace?.remove()
  }

  private var session: Session {
    guard let openSession else { preconditionFailure("The session goes with the overview.") }
    return openSession
  }

  private var header: Header { session.loaded.header }
  var catalog: Catalog { session.loaded.catalog }
  /// The identity of the store; copies share it.
  public var uuid: UUID { header.uuid }

  /// The schema of the store, as the app declared it last, with the classes that
  /// it no longer declares and whose data is still there.
  public var schema: SchemaExport {
    SchemaExport(
      schemaVersion: header.schemaVersion,
      classes: catalog.classes.map { entry in
        SchemaExport.ClassExport(
          name: entry.name, isDeclared: entry.isDeclared, isEmbedded: entry.isEmbedded,
          properties: entry.properties.map(\.schema), indexes: entry.schema.indexes)
      })
  }

  /// The migrations that have been run, oldest first.
  public var migrationHistory: [MigrationHistoryEntry] { catalog.history }

  /// Describes the store; the layouts that records have are not counted.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(*classes* + *free pages*).
  public func description() throws -> StoreDescription { try description { _ in nil } }

  /// - Parameter layouts: how many records of a class have which layout, or nil.
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
        history: catalog.history)
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
