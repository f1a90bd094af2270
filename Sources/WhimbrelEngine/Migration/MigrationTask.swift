internal import WhimbrelLMDB

/// One migration of one file: the request and the content of the file.
struct MigrationTask {
  let file: StoreFile
  let request: OpenRequest
  let declaration: Declaration
  let purpose: Purpose
  /// The catalog of the file.
  let loaded: LoadedCatalog
  /// The tables of the file, by name.
  let tables: [String: Table]
  let start = ContinuousClock.now

  init(
    _ file: StoreFile, _ request: OpenRequest, _ declaration: Declaration, for purpose: Purpose
  ) throws {
    self.file = file
    self.request = request
    self.declaration = declaration
    self.purpose = purpose
    loaded = try file.currentCatalog()
    tables = try file.environment.openTables(loaded.catalog.tableNames)
  }

  var oldVersion: SchemaVersion { loaded.header.schemaVersion }
  var newVersion: SchemaVersion { request.schemaVersion }

  /// Whether code of the app runs.
  var runsBlock: Bool { request.migration.block != nil && oldVersion != newVersion }

  /// Whether the file has the declared schema.
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
    /// To bring the file to the new schema.
    case migration
    /// To find out what a migration would do. Everything is discarded before it takes effect.
    case dryRun
    /// To find out what a step would do, in a copy of a store that has the given version.
    case stepOfDryRun(storeVersion: SchemaVersion)

    /// The version of the store, if the migrated file is a copy of it.
    var storeVersion: SchemaVersion? {
      if case .stepOfDryRun(let version) = self { version } else { nil }
    }
  }

  /// Whether everything is discarded before it takes effect.
  var isDryRun: Bool {
    if case .dryRun = purpose { true } else { false }
  }
}
