public import Foundation

/// A request to open a store, with everything that the opening depends on.
package struct OpenRequest: Sendable {
  package var path: String
  package var isReadOnly = false
  package var file = FileOptions()
  package var identity = StoreIdentity()
  /// The classes that the app declares, or nil to use those of the file.
  package var declaration: Declaration?
  package var schemaVersion: SchemaVersion = 0
  package var migration = MigrationOptions()
  /// How rules convert objects while the app runs, or nil for a migration at opening. If the
  /// declaration's rules cannot make all changes, the migration block does.
  package var transition: TransitionOptions?

  package init(path: String) {
    self.path = path
  }
}

/// How a store's file is opened, checked and read.
package struct FileOptions: Sendable {
  /// Whether a commit waits until the meta page is on the disk.
  package var syncsMetaPage = true
  /// The size limit of the file in bytes, or nil for the default.
  package var maximumSize: Int?
  /// The memory folder that contains the file, or nil for a file on disk.
  package var memory: MemoryFolder?
  package var checks = Checks.accounts
  /// Whether the checksums of records and of their overflow are checked with every read, and not
  /// only before a change.
  package var verifiesReads = true
  /// The ages at which snapshots are reported and stop writes.
  package var snapshotLimits = SnapshotLimits()
  /// The path of the store that a new store starts from, or nil for an empty one.
  package var seedPath: String?
  /// Decides whether to compact the file before it is opened, or nil to never compact.
  package var shouldCompact: (@Sendable (FileUsage) -> Bool)?

  /// The pages that are checked before the file is read.
  package enum Checks: Sendable {
    /// The table of tables and the free list, which must account for the pages that the newest meta
    /// page claims.
    case accounts
    /// The catalog's pages and the root pages of the tables, for callers that read only the catalog
    /// and counts.
    case catalog
    /// Every page.
    case allPages
  }
}

/// How a transition converts objects.
package struct TransitionOptions: Sendable {
  /// The free space on the disk below which no objects are converted, in bytes.
  package var minimumFreeSpace: Int
  /// Whether the conversion of objects waits to be resumed.
  package var startsPaused: Bool

  package init(minimumFreeSpace: Int = 0, startsPaused: Bool = false) {
    self.minimumFreeSpace = minimumFreeSpace
    self.startsPaused = startsPaused
  }
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
