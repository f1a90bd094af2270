internal import WhimbrelLMDB

extension StoreFile {
  /// Upgrades a file of a format before 4. Read-only openers never do.
  ///
  /// Records stay unchanged. Each class of a file of format 1 gets an overflow table. Indexes of
  /// formats before 4 are rebuilt from the records, because their entries have no checksums that
  /// could confirm them. The previous generation that is kept to undo a migration is given up.
  func upgradeFormat(_ request: OpenRequest) throws {
    guard !isReadOnly, try currentCatalog().needsUpgrade else { return }
    try asMigrator(for: request) {
      try explaining {
        // Another process may have upgraded the file meanwhile.
        let loaded = try currentCatalog()
        if loaded.needsUpgrade { try upgrade(request, loaded) }
      }
    }
  }

  private func upgrade(_ request: OpenRequest, _ loaded: LoadedCatalog) throws {
    if loaded.header.formatVersion < Header.formatWithOverflow {
      _ = try environment.createTables(loaded.catalog.classes.map(TableNames.overflow))
    }
    try removeLeftovers()
    // This is a migration to the schema that the file has. It builds the indexes that the new
    // format lacks.
    var plain = OpenRequest(path: request.path)
    plain.schemaVersion = loaded.header.schemaVersion
    plain.identity = request.identity
    plain.migration.progress = request.migration.progress
    plain.file.maximumSize = request.file.maximumSize
    try Migrator(self, plain, Declaration(loaded.catalog.schema)).run()
  }
}

extension LoadedCatalog {
  /// Whether the file is of an earlier format, or has tables of one.
  var needsUpgrade: Bool {
    header.formatVersion < Header.formatWithGuardedIndexes
      || catalog.classes.contains { !$0.guardsIndexes }
  }
}

extension Catalog {
  /// The catalog of a store whose indexes are created now, with checksums.
  var guarded: Catalog {
    var catalog = self
    for index in catalog.classes.indices { catalog.classes[index].guardsIndexes = true }
    return catalog
  }
}
