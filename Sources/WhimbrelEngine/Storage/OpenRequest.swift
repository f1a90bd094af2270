public import Foundation

/// A request to open a store, with everything that the opening depends on.
package struct OpenRequest: Sendable {
  package var path: String
  package var isReadOnly = false
  package var syncsMetaPage = true
  package var maximumSize: Int?
  /// Whether to check every page of the file before it is read.
  package var checksPages = false
  /// Whether to check only the catalog's pages and the root pages of the tables, for callers that
  /// read only the catalog and counts. ``checksPages`` takes precedence.
  package var checksCatalogOnly = false
  /// Whether the checksums of records and of their overflow are checked with every read, and not
  /// only before a change.
  package var verifiesReads = true
  /// The ages at which snapshots are reported and stop writes.
  package var snapshotLimits = SnapshotLimits()
  package var identity = StoreIdentity()
  /// The steps that lead to the declared schema, or empty when one migration does.
  package var steps: [Step] = []
  /// The time to wait for another opener's migration, or nil to wait without limit.
  package var migrationTimeout: Duration? = .seconds(60)
  /// Whether errors about objects show the values concerned.
  package var describesValues = false
  /// The number of migrations that bring the file to the app's schema. This request is one of them.
  var stepCount = 1
  /// The schema versions of the migrations after this one.
  var remainingSteps: [SchemaVersion] = []
  /// The classes that the app declares, or nil to use those of the file.
  package var declaration: Declaration?
  package var schemaVersion: SchemaVersion = 0
  package var migration: MigrationBlock?
  /// Whether objects are converted by the declaration's rules while the app runs. If the rules
  /// cannot make all changes, `migration` does.
  package var isOnline = false
  /// The free space on the disk below which no objects are converted, in bytes.
  package var minimumFreeSpace = 0
  /// Whether the conversion of objects waits to be resumed.
  package var startsPaused = false
  package var progress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)?
  /// The path of a copy to make before a migration, or nil for no copy.
  package var backupPath: String?
  /// The path of the store that a new store starts from, or nil for an empty one.
  package var seedPath: String?
  /// Decides whether to compact the file before it is opened, or nil to never compact.
  package var shouldCompact: (@Sendable (FileUsage) -> Bool)?
  /// The memory folder that contains the file, or nil for a file on disk.
  package var memory: MemoryFolder?
  /// The path for a file whose migration fails permanently, or nil to throw instead.
  package var failedStorePath: String?
  /// Whether a migration keeps the previous generation, so that it can be undone.
  package var keepsPreviousGeneration = false
  /// A test's hooks into the migration, or nil.
  package var probe: MigrationProbe?

  package init(path: String) {
    self.path = path
  }
}

/// A block that turns the objects of an old store into objects of the new schema.
///
/// - Parameters:
///   - migration: The old and new objects, and the operations on them.
///   - oldVersion: The schema version of the file.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldVersion: SchemaVersion) throws -> Void

/// A test's hooks into a migration, for example to stop it half-way.
package struct MigrationProbe: Sendable {
  /// The bytes to write before a commit, or nil for the default.
  package var batchSize: Int?
  /// Whether to report progress for each object.
  package var reportsEachObject = false
  /// A closure to call before the migration block sees each object.
  package var willVisitObject: (@Sendable () throws -> Void)?

  package init() {}
}

/// The UUID and the dates that a new store records. Fixed values make a sample store the same on
/// every run.
public struct StoreIdentity: Hashable, Sendable {
  /// The UUID of a new store, or nil for a random one.
  public var uuid: UUID?
  /// The date recorded for the creation of the store and for migrations, or nil for the current
  /// date.
  public var date: Date?

  /// Creates an identity. The defaults are a random UUID and the current date.
  public init(uuid: UUID? = nil, date: Date? = nil) {
    self.uuid = uuid
    self.date = date
  }

  var now: Date { date ?? Date() }
}
