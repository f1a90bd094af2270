public import Foundation
public import WhimbrelEngine

extension Store {
  /// Returns the schema version of a file without opening the file as a store.
  ///
  /// ```swift
  /// if try Store.schemaVersion(at: url) < 3 { explainWhatTakesLong() }
  /// ```
  ///
  /// Nothing is written, and no lock file is made. Others may have the store open.
  ///
  /// - Throws: ``StoreError``, with `fileNotFound` if there is no file.
  /// - Complexity: O(1).
  public static func schemaVersion(at url: URL) throws -> SchemaVersion {
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: url.absoluteString, reason: "its URL is not a file URL")
    }
    return try StoreFile.headerWithoutOpening(url.path).schemaVersion
  }

  /// Returns what opening a store would do to the file, without doing it.
  ///
  /// The file is opened read-only. If it is missing, the call throws.
  ///
  /// For ``MigrationSteps``, the plan describes the first step to take.
  /// ``MigrationPlan/remainingSteps`` lists the versions of the steps after it.
  ///
  /// - Throws: ``StoreError``.
  public static func migrationPlan(for configuration: Configuration) throws -> MigrationPlan {
    var request = try configuration.request()
    guard let declaration = request.declaration else {
      throw StoreError.invalidConfiguration(path: request.path, reason: "it has no models")
    }
    request.isReadOnly = true
    return try StoreFile.migrationPlan(request, declaration)
  }

  /// Runs a complete migration and discards the result.
  ///
  /// ```swift
  /// print(try Store.dryRunMigration(configuration))
  /// ```
  ///
  /// The migration block runs in full, and so do all checks at the end. The new objects go to
  /// separate tables, which are removed again. Readers are not disturbed. Other writers are refused
  /// meanwhile, as in a migration. The file may grow, and its format is upgraded to the format of
  /// this library. The app sees the same schema and objects as before.
  ///
  /// If there are several ``MigrationSteps`` to take, each step needs the objects that the previous
  /// step leaves. They run in a copy of the file, which stands beside the file and takes as much
  /// space. Others can then write. ``MigrationDryRun/nextSteps`` has the results of the later
  /// steps. A process that dies during the call leaves the copy, whose name is the name of the
  /// store with `.dry-run-` and a UUID appended, until the store is opened the next time.
  ///
  /// - Throws: ``StoreError``: the errors that opening the store would throw.
  /// - Complexity: As the migration itself.
  public static func dryRunMigration(_ configuration: Configuration) throws -> MigrationDryRun {
    try StoreFile.dryRunMigration(configuration.request())
  }
}
