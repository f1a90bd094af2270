public import Foundation

/// Everything that opening a store needs to know.
package struct OpenRequest: Sendable {
  package var path: String
  package var isReadOnly = false
  package var syncsMetaPage = true
  package var maximumSize: Int?
  /// Whether every page of the file is checked before it is read.
  package var checksPages = false
  /// Whether only the pages of the catalog and the roots of the tables are checked, where not
  /// every page is: who reads nothing but the catalog and counts needs no more.
  package var checksCatalogOnly = false
  /// Whether the checksums of records and of their overflow are checked with every read, and not
  /// only before a change.
  package var verifiesReads = true
  package var identity = StoreIdentity()
  /// The steps that lead to the schema declared, or none when one migration does.
  package var steps: [Step] = []
  /// How long to wait for a migration by somebody else, or nil for as long as it takes.
  package var migrationTimeout: Duration? = .seconds(60)
  /// Whether errors about objects show the values that they are about.
  package var describesValues = false
  /// How many migrations bring the file to the schema of the app; this is one of them.
  var stepCount = 1
  /// The versions to which migrations after this one lead.
  var remainingSteps: [SchemaVersion] = []
  /// The classes that the app declares, or nil to take those of the file.
  package var declaration: Declaration?
  package var schemaVersion: SchemaVersion = 0
  package var migration: MigrationBlock?
  package var progress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)?
  /// Where a copy of the file goes before a migration, or nil for none.
  package var backupPath: String?
  /// What a new store begins with, or nil for an empty one.
  package var seedPath: String?
  /// Whether a file is written anew before it is opened, or nil for never.
  package var shouldCompact: (@Sendable (FileUsage) -> Bool)?
  /// The folder in memory that the file is in, or nil.
  package var memory: MemoryFolder?
  /// Where the file goes when its migration fails for good, or nil to throw.
  package var failedStorePath: String?
  /// Whether a migration can be undone.
  package var keepsPreviousGeneration = false
  /// What a test does to a migration, or nil.
  package var probe: MigrationProbe?

  package init(path: String) {
    self.path = path
  }
}

/// The block that brings the objects of an old store to the new schema.
///
/// - Parameters:
///   - migration: the old and new objects, and what can be done with them.
///   - oldVersion: the schema version of the file.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldVersion: SchemaVersion) throws -> Void

/// What a test does to a migration, to see what is left of it then.
package struct MigrationProbe: Sendable {
  /// How many bytes are written before a commit, or nil for as many as usual.
  package var batchSize: Int?
  /// Whether progress is reported for each object.
  package var reportsEachObject = false
  /// Called before each object that the migration's code is shown.
  package var willVisitObject: (@Sendable () throws -> Void)?

  package init() {}
}

/// What a new store is called and which times it notes: given, so that a sample
/// store is the same each time that it is made.
public struct StoreIdentity: Hashable, Sendable {
  /// The UUID of a new store, or nil for a random one.
  public var uuid: UUID?
  /// The time that is noted as that of a store's creation and of migrations, or
  /// nil for the time that it is.
  public var date: Date?

  /// By default a random UUID, and the time that it is.
  public init(uuid: UUID? = nil, date: Date? = nil) {
    self.uuid = uuid
    self.date = date
  }

  var now: Date { date ?? Date() }
}
