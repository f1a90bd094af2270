extension Migrator {
  /// How far it has come, for the error that ends it.
  var reach: StoreError.MigrationReach {
    StoreError.MigrationReach(
      objectsRewritten: objectsRewritten, step: request.step, stepCount: request.stepCount,
      version: purpose.storeVersion ?? oldVersion)
  }

  /// Throws when objects of any class lack values.
  func requireValues(
    _ find: (MigrationClass) throws -> [StoreError.MissingValues]
  ) throws {
    let missing = try classes.flatMap(find)
    guard !missing.isEmpty else { return }
    throw StoreError.migrationValuesMissing(
      path: file.path, missing, from: oldVersion, to: newVersion, objectsRead: objectsRewritten,
      hasBlock: runsBlock)
  }
}
