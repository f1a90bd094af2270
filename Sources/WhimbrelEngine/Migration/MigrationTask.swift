internal import WhimbrelLMDB

/// One migration of one file: what is asked for, and what is there.
struct MigrationTask {
  let file: StoreFile
  let request: OpenRequest
  let declaration: Declaration
  let purpose: Purpose
  /// The catalog of the file.
  let loaded: LoadedCatalog
  /// The tables of the file, by their names.
  let tables: [String: Table]
  let start = ContinuousClock.now

  init(
    _ file: StoreFile, _ request: OpenRequest, _ declaration: Declaration, for purpose: Purpose
  ) throws {
    self.file = file
    self.request = request
    self.declaration = declaration
    self.purpose = purpose
    let transaction = try ReadTransaction(file.environment)
    loaded = try file.catalog(in: transaction.view)
    _ = consume transaction
    tables = try file.environment.openTables(loaded.catalog.classes.flatMap(\.tableNames))
  }

  var oldVersion: SchemaVersion { loaded.header.schemaVersion }
  var newVersion: SchemaVersion { request.schemaVersion }

  /// Whether there is code that says what becomes of objects.
  var runsBlock: Bool { request.migration != nil && oldVersion != newVersion }

  /// Whether the file is as the app declares it.
  var isDone: Bool {
    loaded.header.fingerprint == declaration.fingerprint && oldVersion == newVersion
      && !loaded.needsUpgrade
  }

  /// Returns the generator of a property's default values that differ from object to object, or
  /// nil.
  func generator(of property: String, in className: String) -> (@Sendable () -> PropertyValue)? {
    declaration.generators[className]?[property]
  }
}

extension MigrationTask {
  /// The purpose of a migration.
  enum Purpose {
    /// The file is to have the new schema.
    case migration
    /// It is to be known what would happen: all is thrown away before it takes effect.
    case dryRun
    /// It is to be known what would happen, in a copy of a store that has the version given.
    case stepOfDryRun(storeVersion: SchemaVersion)

    /// The version of the store where that is not the file which is migrated.
    var storeVersion: SchemaVersion? {
      if case .stepOfDryRun(let version) = self { version } else { nil }
    }
  }

  /// Whether everything is thrown away before it takes effect.
  var isDryRun: Bool {
    if case .dryRun = purpose { true } else { false }
  }
}
