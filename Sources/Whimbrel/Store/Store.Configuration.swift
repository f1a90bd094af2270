public import Foundation
public import WhimbrelEngine

extension Store {
  /// The location of a store, its models, and the options for opening it.
  ///
  /// ```swift
  /// let configuration = Store.Configuration(
  ///   url: folder.appending(path: "zones.whimbrel"), models: [Zone.self, Country.self],
  ///   schemaVersion: 2,
  ///   migration: { migration, oldVersion in
  ///     try migration.enumerateObjects(ofType: "Zone") { old, new in … }
  ///   })
  /// ```
  public struct Configuration: Sendable {
    /// The location of the file. Its lock file is beside it and has the same name with `-lock`
    /// appended.
    ///
    /// For a store in memory, the URL does not refer to a file.
    public var url: URL {
      didSet { inMemoryName = nil }
    }
    /// The name of a store in memory; nil for a store in a file. See
    /// ``init(inMemory:models:schemaVersion:migration:)``.
    public private(set) var inMemoryName: String?
    /// The models that the store keeps. Other classes in the file stay unchanged.
    public var models: [any Model.Type]
    /// The version of the schema. Raise it with each change of a model. The default is 0.
    public var schemaVersion: SchemaVersion
    /// The code that migrates the objects of an older file to the new schema. Changes that need no
    /// code do not require it. The default is nil.
    public var migration: MigrationBlock?
    /// The steps of a migration that takes several versions in turn. They replace ``migration``.
    /// The default is nil.
    public var migrationSteps: MigrationSteps?
    /// The rules that convert objects one by one while the app runs. They replace ``migration``.
    /// The default is nil.
    public var onlineMigration: OnlineMigration?
    /// A closure that receives the progress of a migration, at most every 50 ms, and also when the
    /// backup starts and when the migration finishes. It returns whether to continue. The default
    /// is nil.
    public var migrationProgress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)?
    /// The time for which opening waits while another process or thread migrates the store. With
    /// nil, it waits without a limit. After the timeout, opening throws
    /// ``StoreError/Code/migrationInProgress`` with the ID of the other process.
    ///
    /// The default is 60 seconds. In that time a simple block can migrate tens of millions of
    /// objects. During the wait, `migrationProgress` is called with the phase
    /// ``MigrationProgress/Phase/waiting`` and may cancel.
    public var migrationTimeout: Duration? = .seconds(60)
    /// Whether errors and findings of a migration show the values that caused them. The values may
    /// be private. If this is true, a value that its new type cannot hold appears in the message
    /// and in ``StoreError/Context/value``, cut off after 100 characters. Primary keys always
    /// appear. The default is `false`.
    public var describesValues = false
    /// Whether the store is opened only for reading. Opening does not create or migrate the file
    /// then: see <doc:ChangingASchema>. The default is `false`.
    public var isReadOnly = false
    /// The guarantee that a commit gives. The default is ``Durability/full``. If one store of the
    /// file is opened with it, it applies to all stores of the file in the process, until the file
    /// is closed.
    public var durability = Durability.full
    /// The size that the file may grow to while snapshots of it are held, in bytes. It takes
    /// address space, not memory. The default is nil: 1 TiB on Linux and macOS, 16 GiB elsewhere,
    /// and less if many files are open.
    ///
    /// It is not a limit of the disk space: a write that nears it doubles it, unless another store
    /// of the process shows the file. A write that does not fit throws `mapFull`. All stores of a
    /// file in a process share the size of the one that was opened first.
    public var maximumSize: Int?
    /// Whether opening checks the structure of every page, which takes about a second for 4 GB. Use
    /// it for files that others may have tampered with. A migration always checks the structure
    /// first, and so does the first write of a process to a file of up to 256 MiB. The default is
    /// `false`.
    public var checksStructure = false
    /// The objects that are checked against their checksums before they are used. The default is
    /// ``Verification/always``.
    public var verification = Verification.always
    /// The ages at which a snapshot, in this process or another, is reported to the log and at
    /// which it stops writes. See ``Store/activeSnapshots``.
    public var snapshotLimits = SnapshotLimits()
    /// The stores that report reads and changes to Swift's `Observation`, so that SwiftUI shows
    /// changes and `withObservationTracking` works. The default is
    /// ``Store/ObservationTracking/onMainActor``: stores that are opened on the main actor, or on
    /// the main thread.
    ///
    /// ```swift
    /// @MainActor final class ZoneView {
    ///   let zone: Zone
    ///   var text = ""
    ///
    ///   init(_ zone: Zone) { self.zone = zone }
    ///
    ///   func show() {
    ///     withObservationTracking {
    ///       text = zone.comments
    ///     } onChange: {
    ///       Task { @MainActor in self.show() }
    ///     }
    ///   }
    /// }
    /// ```
    ///
    /// Managed objects, results and collections are `Observable`. A change is reported when a write
    /// of the store commits, before the write returns, or when the store moves to a commit of
    /// another store. It is not reported when a property is set inside of a write. After a
    /// rollback, it is reported only if something was read inside of the write.
    ///
    /// - For an object, changes of the properties that were read are reported, and its deletion.
    /// - For results and aggregates, a change is reported if an object is added or removed, or if a
    ///   property that the query or the aggregate reads changes, even if the result stays the same.
    /// - For sections and positions of objects that meet a condition, every commit that changes an
    ///   object of the store is reported.
    ///
    /// From the first tracked read on, a store that is used on the main actor follows the commits
    /// of other stores and processes by itself. Any other store does that only if it is observed
    /// in an actor. Unmanaged objects and dynamic objects are not tracked.
    ///
    /// In a store that tracks, a read of a property costs about 7 ns more while nobody tracks. In
    /// other stores, reads cost nothing more.
    public var observationTracking = ObservationTracking.onMainActor
    /// The UUID and the dates of a new store. Set it to make sample stores that are identical each
    /// time. The default is a random UUID and the current time.
    public var identity = StoreIdentity()
    /// The store that a new store starts as a copy of; nil to start empty. The default is nil.
    ///
    /// The seed is copied only if there is no store at ``url``. The copy gets the name of the store
    /// when it is complete and on the disk. It is then migrated like any other store, so the seed
    /// may have an older schema version. The seed itself is only read. It needs no lock file, and
    /// may be in a folder that is not writable. If the seed is missing or damaged, opening throws
    /// `seedFailed` and does not make a store.
    ///
    /// ```swift
    /// configuration.seedFileURL = Bundle.main.url(forResource: "Zones", withExtension: "whimbrel")
    /// ```
    public var seedFileURL: URL?
    /// A closure that decides whether the file is compacted before it is opened; nil to never
    /// compact. The default is nil.
    ///
    /// Free pages are reused, but the file never shrinks by itself. Compacting writes the objects
    /// to a new file, checks the whole file, and puts it in the place of the old one. A process
    /// that dies during it leaves either the old file or the new one. Compacting needs disk space
    /// for the new file, and time in proportion to its size.
    ///
    /// ```swift
    /// configuration.shouldCompact = { usage in
    ///   usage.totalBytes > 100_000_000 && usage.usedBytes < usage.totalBytes / 2
    /// }
    /// ```
    ///
    /// The store opens without compacting if another store of this process or another process has
    /// it open, if the last migration can still be undone, or if the new file cannot be made. The
    /// log says why.
    public var shouldCompact: (@Sendable (FileUsage) -> Bool)?
    /// The backup to make before a migration. The default is nil: no backup.
    public var backup: Backup?
    /// The response to a migration that fails. The default is ``MigrationFailureResponse/throw``.
    public var whenMigrationFails = MigrationFailureResponse.throw
    /// Whether the file keeps the data that a migration replaces, for ``Store/undoMigration()``.
    ///
    /// The file keeps it until the next migration, until the store is opened after a write, or
    /// until ``Store/discardPreviousGeneration()``. It takes the space of the objects that the
    /// migration rewrote. ``MigrationSteps`` taken by one opening are undone together. The rules of
    /// an ``OnlineMigration`` are not used then: its block migrates stores of all versions. The
    /// default is `false`.
    public var keepsPreviousGeneration = false
    /// The faults that a test injects into a migration, or nil.
    package var probe: MigrationProbe?

    /// Makes a configuration. The other settings have their defaults.
    public init(
      url: URL, models: [any Model.Type], schemaVersion: SchemaVersion = 0,
      migration: MigrationBlock? = nil,
      migrationProgress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)? = nil
    ) {
      self.url = url
      self.models = models
      self.schemaVersion = schemaVersion
      self.migration = migration
      self.migrationProgress = migrationProgress
    }

    /// Makes a configuration that migrates in steps. The other settings have their defaults.
    public init(
      url: URL, models: [any Model.Type], schemaVersion: SchemaVersion,
      migration steps: MigrationSteps,
      migrationProgress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)? = nil
    ) {
      self.init(
        url: url, models: models, schemaVersion: schemaVersion,
        migrationProgress: migrationProgress)
      migrationSteps = steps
    }

    /// Makes a configuration that migrates while the app runs. The other settings have their
    /// defaults.
    public init(
      url: URL, models: [any Model.Type], schemaVersion: SchemaVersion,
      migration: OnlineMigration
    ) {
      self.init(url: url, models: models, schemaVersion: schemaVersion)
      onlineMigration = migration
    }

    /// Makes a configuration for a store in memory. The other settings have their defaults.
    ///
    /// ```swift
    /// let configuration = Store.Configuration(
    ///   inMemory: "preview", models: [Zone.self, Country.self])
    /// let store = try Store(configuration)
    /// ```
    ///
    /// All stores with the same name in a process are the same store and behave like stores of one
    /// file. Opening with a higher schema version migrates the store, even if others have it open;
    /// those then throw `schemaChangedElsewhere` at their next refresh or write. The store is
    /// deleted when its last store object is closed, or is deallocated together with its objects.
    /// Other processes do not see it.
    ///
    /// On Linux the data is in `/dev/shm`, which is memory, if there is room. Elsewhere it is in
    /// the folder for temporary files, and commits do not wait for the disk. If a process is
    /// killed, its files are removed when the same user next opens a store in memory.
    public init(
      inMemory name: String, models: [any Model.Type], schemaVersion: SchemaVersion = 0,
      migration: MigrationBlock? = nil
    ) {
      var address = URLComponents()
      address.scheme = "memory"
      address.path = name
      self.init(
        url: address.url ?? URL(filePath: "/dev/null"), models: models,
        schemaVersion: schemaVersion, migration: migration)
      inMemoryName = name
    }
  }

  /// The guarantee that a commit gives.
  public enum Durability: Hashable, Sendable {
    /// All data is on the disk when a commit returns.
    case full
    /// All data except the last step is on the disk. A power loss may undo the last commit, and
    /// leaves the store intact.
    case relaxed
  }
}

extension Store {
  /// The choice of when objects are checked against their checksums.
  public enum Verification: Hashable, Sendable {
    /// Before a value of an object is read, changed, deleted or copied. A damaged object reads as
    /// empty, and the next call that can throw names it.
    case always
    /// Before an object is changed, so that damage does not get a right checksum. Values that are
    /// read may be wrong when the disk has damaged the file; entries of indexes are still checked.
    /// It makes reading somewhat faster.
    case writes
  }

  /// The backup that a migration makes.
  public enum Backup: Hashable, Sendable {
    /// A copy of the file, written to a URL before the migration changes anything.
    ///
    /// The copy is the store as it was. It opens with the old models, and is on the disk before the
    /// migration begins. It is made when the schema version changes, and not for changes without a
    /// new version. It stays until you delete it, also if the migration fails. The next backup of the
    /// same store replaces it, unless it has a higher schema version; put the version in the name to
    /// keep several. With ``MigrationSteps``, the first step makes the backup; if the steps are
    /// interrupted, the next attempt keeps it. Any other file at the URL and a missing folder throw
    /// `backupFailed`, and too little space throws `noSpace`. The store is then unchanged.
    ///
    /// A fresh start moves the backup, too: see ``FreshStart/oldBackup``. If you delete a store with
    /// ``Store/deleteFiles(at:)``, delete its backup as well: otherwise the next migration of a new
    /// store at the same URL throws `backupFailed`.
    ///
    /// ```swift
    /// configuration.backup = .before(folder.appending(path: "zones-before.whimbrel"))
    /// ```
    case before(URL)
  }

  /// The response to a migration that fails.
  public enum MigrationFailureResponse: Hashable, Sendable {
    /// Opening the store throws the error. The file is unchanged.
    case `throw`
    /// The file is moved to a URL, and a new, empty store takes its place.
    ///
    /// The file is never deleted. If another file exists at the URL, the new name gets a number, so
    /// no file is overwritten. ``Store/freshStart`` has the final URL and the reason.
    ///
    /// The store starts fresh after errors that would occur again: the migration's code threw an
    /// error or left properties unset, primary keys are not unique, values cannot be converted, the
    /// models have changed without a new schema version, or objects are damaged. Opening still
    /// throws if the migration was cancelled (also by a `CancellationError` from its code), if the
    /// disk is full, if the system reports an error, if a newer app has migrated the file, or if
    /// the file cannot be opened at all.
    ///
    /// Opening throws `freshStartRefused` while another store of this process or another process
    /// has the file open.
    case startFresh(movingOldTo: URL)
  }
}

extension Store.Configuration {
  private func filePath(_ url: URL, _ purpose: String) throws -> String {
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: self.url.path, reason: "the URL of its \(purpose) is not a file URL")
    }
    return url.path
  }

  /// Returns the models as the engine needs them.
  func declaration() throws -> Declaration {
    let schemas = models.map { $0._$schema }.sorted { $0.name < $1.name }
    let text = schemas.map(\.fingerprintText).joined(separator: "\n")
    return Declaration(
      StoreSchema(classes: schemas.map(\.classSchema)),
      generators: Dictionary(keepingFirst: schemas.map { ($0.name, $0.generators) }),
      fingerprint: Fingerprint(of: text), modelTypes: ModelRegistry(models))
  }

  /// Returns the models with the rules that convert their objects.
  func declarationWithRules() throws -> Declaration {
    var declaration = try declaration()
    declaration.rules = try ruleBook()
    declaration.schemaVersion = schemaVersion
    return declaration
  }

  /// Returns a request that only says where the file is.
  private func locatedRequest() throws -> OpenRequest {
    if let inMemoryName {
      let memory = try MemoryFolder.named(inMemoryName)
      var request = OpenRequest(path: memory.path)
      request.file.memory = memory
      return request
    }
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: url.absoluteString, reason: "its URL is not a file URL")
    }
    return OpenRequest(path: url.path)
  }

  func request() throws -> OpenRequest {
    try validateModels()
    var request = try locatedRequest()
    request.isReadOnly = isReadOnly
    request.file.syncsMetaPage = durability == .full
    request.migration.steps = try stepRequests()
    request.migration.timeout = migrationTimeout
    request.migration.describesValues = describesValues
    request.file.maximumSize = maximumSize
    request.file.checks = checksStructure ? .allPages : .accounts
    request.file.verifiesReads = verification == .always
    request.identity = identity
    request.file.snapshotLimits = snapshotLimits
    request.declaration = try declarationWithRules()
    request.schemaVersion = schemaVersion
    request.migration.block = onlineMigration?.otherwise ?? migration
    request.transition = onlineMigration.map {
      TransitionOptions(minimumFreeSpace: $0.minimumFreeSpace, startsPaused: $0.startsPaused)
    }
    request.migration.progress = migrationProgress
    request.migration.keepsPreviousGeneration = keepsPreviousGeneration
    request.migration.probe = probe
    request.file.shouldCompact = shouldCompact
    request.file.seedPath = try seedFileURL.map { try filePath($0, "seed store") }
    if case .before(let url) = backup { request.migration.backupPath = try filePath(url, "backup") }
    if case .startFresh(let url) = whenMigrationFails {
      request.migration.failedStorePath = try filePath(url, "failed store")
    }
    return request
  }
}
