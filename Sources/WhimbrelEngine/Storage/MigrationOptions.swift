/// How a file is migrated at opening.
package struct MigrationOptions: Sendable {
  package var block: MigrationBlock?
  /// The steps that lead to the declared schema, or empty when one migration does.
  package var steps: [Step] = []
  /// The number of migrations that bring the file to the app's schema. This is one of them.
  var stepCount = 1
  /// The schema versions of the migrations after this one.
  var remainingSteps: [SchemaVersion] = []
  /// The time to wait for another opener's migration, or nil to wait without limit.
  package var timeout: Duration? = .seconds(60)
  package var progress: (@Sendable (MigrationProgress) -> MigrationProgress.Response)?
  /// A closure that throws if the migration must not make the changes of a plan. It gets the plan of
  /// the present file, when no other migration can run any more and before anything is changed.
  package var approval: (@Sendable (MigrationPlan) throws -> Void)?
  /// The path of a copy to make before the migration, or nil for no copy.
  package var backupPath: String?
  /// Whether a migration that fails removes the copy that it has made.
  package var removesBackupOnFailure = false
  /// The path for a file whose migration fails permanently, or nil to throw instead.
  package var failedStorePath: String?
  /// Whether the migration keeps the previous generation, so that it can be undone.
  package var keepsPreviousGeneration = false
  /// Whether errors about objects show the values concerned.
  package var describesValues = false
  /// A test's hooks into the migration, or nil.
  package var probe: MigrationProbe?

  package init() {}

  /// The number of this migration, counted from 1.
  var step: Int { stepCount - remainingSteps.count }
}

extension MigrationOptions {
  /// One of several consecutive migrations, each to its own schema.
  package struct Step: Sendable {
    package var version: SchemaVersion
    package var declaration: Declaration
    package var migration: MigrationBlock?

    package init(
      to version: SchemaVersion, _ declaration: Declaration, _ migration: MigrationBlock? = nil
    ) {
      self.version = version
      self.declaration = declaration
      self.migration = migration
    }
  }
}

/// A block that turns the objects of an old store into objects of the new schema.
///
/// - Parameters:
///   - migration: The old and new objects, and the operations on them.
///   - oldVersion: The schema version of the file.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldVersion: SchemaVersion) throws -> Void

/// A test's hooks into a migration, for example to stop it half-way.
package struct MigrationProbe: Sendable {
  /// The bytes to write before a commit, or nil for the default.
  package var batchSize: Int?
  /// Whether to report progress for each object.
  package var reportsEachObject = false
  /// A closure to call before the migration block sees each object.
  package var willVisitObject: (@Sendable () throws -> Void)?

  package init() {}
}
