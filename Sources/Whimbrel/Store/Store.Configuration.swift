public import Foundation
public import WhimbrelEngine

extension Store {
  /// Where a store is, what is in it, and how it is opened.
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
    /// Where the file is. Its lock file is beside it, under the same name with
    /// `-lock` behind.
    ///
    /// A configuration for a store in memory gets one that leads to no file.
    public var url: URL {
      didSet { inMemoryName = nil }
    }
    /// The name of the store in memory, or nil for a store in a file: see
    /// ``init(inMemory:models:schemaVersion:migration:)``.
    public private(set) var inMemoryName: String?
    /// The models that the store keeps. Classes that the file has besides are left
    /// alone.
    public var models: [any Model.Type]
    /// The number of the schema; it grows with each change of a model. The default
    /// is 0.
    public var schemaVersion: SchemaVersion
    /// Brings the objects of an older file to the new schema. Changes that need no
    /// code are made without it. The default is nil.
    public var migration: MigrationBlock?
    /// Migrations in a row that take the place of ``migration``, or nil. The default is nil.
    public var migrationSteps: MigrationSteps?
    /// Is told how far a migration has come, at most every 50 ms, and when it backs up
    /// and when it finishes; and says whether to go on. The default is nil.
    public var migrationProgress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)?
    /// How long opening waits while another process, or another thread, migrates the
    /// store, or nil for as long as that takes. After it, opening throws
    /// ``StoreError/Code/migrationInProgress`` with the other's process ID.
    ///
    /// The default is 60 seconds, in which tens of millions of objects are migrated by a
    /// block that does little. While it waits, `migrationProgress` is called with the phase
    /// ``MigrationProgress/Phase/waiting``, and may cancel.
    public var migrationTimeout: Duration? = .seconds(60)
    /// Whether the errors of a migration, and what its check finds, show the values that they are about, which may
    /// be private: a value that its new type cannot hold is then in the message and in
    /// ``StoreError/Context/value``, cut off after 100 characters. Primary keys are always
    /// shown. The default is `false`.
    public var describesValues = false
    /// Whether the store is only read. A read-only store is not made if it is
    /// missing, and not migrated: see <doc:ChangingASchema>. The default is `false`.
    public var isReadOnly = false
    /// What a commit waits for. The default is ``Durability/full``.
    public var durability = Durability.full
    /// The size that the file may grow to, in bytes, or nil for what the system
    /// grants: 1 TiB on Linux and macOS, 16 GiB elsewhere. It takes address space,
    /// not memory. The default is nil.
    public var maximumSize: Int?
    /// Whether the structure of every page is checked before the store is read,
    /// which takes about a second for 4 GB; for files that others may have
    /// tampered with. It is always checked before a migration. The default is
    /// `false`.
    public var checksStructure = false
    /// What is checked against its checksum before it is used. The default is
    /// ``Verification/always``.
    public var verification = Verification.always
    /// The UUID and the dates of a new store, for sample stores that are the same
    /// each time. The default is a random UUID and the time that it is.
    public var identity = StoreIdentity()
    /// The store whose copy a new store begins with, or nil for an empty one. The default is nil.
    ///
    /// The seed is copied when there is no store at ``url``, and only then; the copy gets the name
    /// of the store when it is whole and on the disk. It is migrated as any other store is, so that
    /// the seed may be of an older schema version. The seed itself is only read, and may be in a
    /// folder that nobody may write to; it needs no lock file. A seed that is missing or not a
    /// sound store is an error with `seedFailed`, and no store is made then.
    ///
    /// ```swift
    /// configuration.seedFileURL = Bundle.main.url(forResource: "Zones", withExtension: "whimbrel")
    /// ```
    public var seedFileURL: URL?
    /// Says whether the file is compacted before it is opened, or nil for never. The default is
    /// nil.
    ///
    /// Pages that become free are used again, but the file never shrinks by itself. Compacting
    /// writes the objects to a new file, checks all of it, and puts it in the place of the old one;
    /// a process that dies meanwhile leaves the old file or the new one in its place. It takes the
    /// space of the new file, and time in proportion to its size.
    ///
    /// ```swift
    /// configuration.shouldCompact = { usage in
    ///   usage.totalBytes > 100_000_000 && usage.usedBytes < usage.totalBytes / 2
    /// }
    /// ```
    ///
    /// The store is opened as it is while another store of this process or another process has it
    /// open, when the last migration can still be undone, and when the new file cannot be made:
    /// the log says why.
    public var shouldCompact: (@Sendable (FileUsage) -> Bool)?
    /// What is copied before a migration. The default is nil: nothing.
    public var backup: Backup?
    /// What to do when a migration fails. The default is ``MigrationFailureResponse/throw``.
    public var whenMigrationFails = MigrationFailureResponse.throw
    /// Whether what a migration replaces stays in the file, for ``Store/undoMigration()``.
    ///
    /// It stays until the store is opened after it has been written to, until the next
    /// migration, or until ``Store/discardPreviousGeneration()``, and takes the space of
    /// the objects that were rewritten. ``MigrationSteps`` that one opening has taken are
    /// undone together. The default is `false`.
    public var keepsPreviousGeneration = false
    /// What a test does to a migration, or nil.
    package var probe: MigrationProbe?

    /// Makes a configuration; the other settings have their defaults.
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

    /// Makes a configuration that migrates in steps; the other settings have their
    /// defaults.
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

    /// Makes a configuration for a store that is kept in memory; the other settings have their
    /// defaults.
    ///
    /// ```swift
    /// let configuration = Store.Configuration(inMemory: "preview", models: [Zone.self])
    /// let store = try Store(configuration)
    /// ```
    ///
    /// All stores of one name in a process are the same store, and behave as those of a file do:
    /// opened with a higher schema version it is migrated, also while others have it open, which
    /// then get `schemaChangedElsewhere` at their next refresh or write. It is gone when the last
    /// of them is closed or goes away with its objects. Other processes do not see it.
    ///
    /// Its bytes are in `/dev/shm` on Linux, if that has room, which is memory; elsewhere they are
    /// among the temporary files, and nobody waits for the disk. What a process that was killed has
    /// left there is removed when the same user opens the next store in memory.
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

  /// What a commit waits for.
  public enum Durability: Hashable, Sendable {
    /// Everything is on the disk.
    case full
    /// Everything but the last step is on the disk: a loss of power may undo the
    /// last commit, and leaves the store whole.
    case relaxed
  }
}

extension Store {
  /// When objects are checked against their checksums.
  public enum Verification: Hashable, Sendable {
    /// Before a value of an object is read, changed, deleted or copied. A damaged object reads as
    /// empty, and the next call that can throw names it.
    case always
    /// Before an object is changed, so that damage does not get a right checksum. What is read may be
    /// wrong when the disk has damaged the file. It makes reading somewhat faster.
    case writes
  }

  /// What is copied when a store is migrated.
  public enum Backup: Hashable, Sendable {
    /// The file, to a URL, before a migration changes anything.
    ///
    /// The copy is the store as it was: it opens with the old models, and is on the disk
    /// before the migration begins. It is made when the schema version changes, and not
    /// for changes that keep it. A copy of the same store which has the same or a lower
    /// schema version, of an earlier migration, is replaced: name it after the version to
    /// keep several. Of ``MigrationSteps`` the first makes it, and when they were interrupted
    /// it stays as it is. Anything else at the URL is an error with `backupFailed`, and so is
    /// a missing folder; too little space is `noSpace`. The store is then unchanged.
    ///
    /// ```swift
    /// configuration.backup = .before(folder.appending(path: "zones-before.whimbrel"))
    /// ```
    case before(URL)
  }

  /// What to do when a migration fails.
  public enum MigrationFailureResponse: Hashable, Sendable {
    /// Opening the store throws the error; the file is as it was.
    case `throw`
    /// The file is moved to a URL, and a new, empty store is made in its place.
    ///
    /// It is never deleted, and never moved over another file: if there is one, the name
    /// gets a number. ``Store/freshStart`` says where it is and why. This is done for what
    /// would fail again: the migration's code threw an error, left properties unset or
    /// keys that are not unique, values cannot be converted, the models have changed and
    /// the schema version has not, or objects are damaged. A cancelled migration, also by
    /// a `CancellationError` of its code, a full disk, an error of the system, a file that
    /// a newer app has migrated or one that cannot be opened at all: they throw as ever.
    ///
    /// While another store of this process or another process has the file open, opening
    /// throws `freshStartRefused`.
    case startFresh(movingOldTo: URL)
  }
}

extension Store.Configuration {
  private func filePath(_ url: URL, _ purpose: String) throws -> String {
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: self.url.path, reason: "the URL of its \(purpose) is not that of a file")
    }
    return url.path
  }

  /// The models as the engine sees them.
  func declaration() throws -> Declaration {
    let schemas = models.map { $0._$schema }.sorted { $0.name < $1.name }
    let text = schemas.map(\.fingerprintText).joined(separator: "\n")
    return Declaration(
      StoreSchema(classes: schemas.map(\.classSchema)),
      generators: Dictionary(
        schemas.map { ($0.name, $0.generators) }, uniquingKeysWith: { first, _ in first }),
      fingerprint: Fingerprint(of: text), modelTypes: ModelRegistry(models))
  }

  /// The request to open the file, with nothing but where that is.
  private func locatedRequest() throws -> OpenRequest {
    if let inMemoryName {
      let memory = try MemoryFolder.named(inMemoryName)
      var request = OpenRequest(path: memory.path)
      request.memory = memory
      return request
    }
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: url.absoluteString, reason: "its URL is not that of a file")
    }
    return OpenRequest(path: url.path)
  }

  func request() throws -> OpenRequest {
    try validateInverses()
    var request = try locatedRequest()
    request.isReadOnly = isReadOnly
    request.syncsMetaPage = durability == .full
    request.steps = try stepRequests()
    request.migrationTimeout = migrationTimeout
    request.describesValues = describesValues
    request.maximumSize = maximumSize
    request.checksPages = checksStructure
    request.verifiesReads = verification == .always
    request.identity = identity
    request.declaration = try declaration()
    request.schemaVersion = schemaVersion
    request.migration = migration
    request.progress = migrationProgress
    request.keepsPreviousGeneration = keepsPreviousGeneration
    request.probe = probe
    request.shouldCompact = shouldCompact
    request.seedPath = try seedFileURL.map { try filePath($0, "seed store") }
    if case .before(let url) = backup { request.backupPath = try filePath(url, "backup") }
    if case .startFresh(let url) = whenMigrationFails {
      request.failedStorePath = try filePath(url, "failed store")
    }
    return request
  }
}
