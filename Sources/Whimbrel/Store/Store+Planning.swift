public import Foundation
public import WhimbrelEngine

extension Store {
  /// The schema version of a file, without opening it as a store.
  ///
  /// ```swift
  /// if try Store.schemaVersion(at: url) < 3 { explainWhatTakesLong() }
  /// ```
  ///
  /// Nothing is written, and no lock file is made; others may have the store open.
  ///
  /// - Throws: ``StoreError``; with `fileNotFound` when there is no file.
  /// - Complexity: O(1).
  public static func schemaVersion(at url: URL) throws -> SchemaVersion {
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: url.absoluteString, reason: "its URL is not that of a file")
    }
    return try StoreFile.headerWithoutOpening(url.path).schemaVersion
  }

  /// What opening a store would do to the file, without doing it.
  ///
  /// The file is opened read-only; a file that is missing is an error.
  ///
  /// Of ``MigrationSteps`` the plan is that of the step which would be taken first;
  /// ``MigrationPlan/remainingSteps`` has the versions of those after it.
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

  /// Carries out a migration to the end, and throws it away before it takes effect.
  ///
  /// ```swift
  /// print(try Store.dryRunMigration(configuration))
  /// ```
  ///
  /// The migration block runs for real, with all checks at the end; the objects that it
  /// writes go to tables of their own, which are removed again. Readers are not disturbed,
  /// and other writers are refused meanwhile, as in a migration. The file may have grown
  /// by then, and its format is brought to that of this library; what the app sees in it
  /// is as before.
  ///
  /// Where several ``MigrationSteps`` would be taken, each needs the objects that the one
  /// before leaves: they are carried out in a copy of the file, which stands beside it
  /// meanwhile and takes as much space, and ``MigrationDryRun/nextSteps`` has what comes of
  /// the later ones. Others can write then. A process that dies meanwhile leaves the copy,
  /// which has the name of the store with `.dry-run-` and a UUID behind.
  ///
  /// - Throws: ``StoreError``, the same that opening the store would throw.
  /// - Complexity: that of the migration.
  public static func dryRunMigration(_ configuration: Configuration) throws -> MigrationDryRun {
    try StoreFile.dryRunMigration(configuration.request())
  }
}
