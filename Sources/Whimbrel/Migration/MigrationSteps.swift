internal import Foundation
public import WhimbrelEngine

/// A migration that takes a file from version to version in steps, each with its own models.
///
/// ```swift
/// let configuration = Store.Configuration(
///   url: url, models: [SchemaV3.Zone.self, SchemaV3.Country.self], schemaVersion: 3,
///   migration: .steps([
///     .step(to: 2, models: [SchemaV2.Zone.self]) { migration, oldVersion in … },
///     .step(to: 3, models: [SchemaV3.Zone.self, SchemaV3.Country.self]) {
///       migration, oldVersion in …
///     },
///   ]))
/// ```
///
/// A file goes through all steps above its version. A block therefore needs to know only one old
/// schema, or the schemas between two steps. A single block that migrates every old version to the
/// newest is faster if several steps would rewrite the same objects.
///
/// - There is at least one step. The versions of the steps ascend. The last one is the schema
///   version of the configuration, and its models have the same schema as the models of the
///   configuration. A step may have its own Swift classes, or share them with other steps.
/// - Each step is a complete migration with its own entry in the history. If a step fails, is
///   cancelled, or the process dies during it, the store stays at the version of the previous step,
///   and an app of that version can open it. The next attempt starts with the step that failed.
/// - Other processes that open the store wait until all steps are done.
/// - A new store is made with the newest models, and does not run any step.
public struct MigrationSteps: Sendable {
  /// The steps, in the order of their versions.
  public let steps: [MigrationStep]

  /// Returns a migration with the given steps. Opening the store validates them.
  public static func steps(_ steps: [MigrationStep]) -> MigrationSteps {
    MigrationSteps(steps: steps)
  }
}

/// One step of a migration: see ``MigrationSteps``.
public struct MigrationStep: Sendable {
  /// The schema version that the step migrates to.
  public let version: SchemaVersion
  /// The models as they were at that version.
  public let models: [any Model.Type]
  /// The code that migrates the objects to that version; nil if the changes need no code.
  public let migration: MigrationBlock?

  /// Returns a step.
  ///
  /// - Parameters:
  ///   - version: The schema version that the step migrates to.
  ///   - models: The models as they were at that version.
  ///   - migration: The code that migrates the objects from the version of the file. The default is
  ///     nil, for changes that need no code.
  public static func step(
    to version: SchemaVersion, models: [any Model.Type], migration: MigrationBlock? = nil
  ) -> MigrationStep {
    MigrationStep(version: version, models: models, migration: migration)
  }
}

extension Store.Configuration {
  func stepRequests() throws -> [MigrationOptions.Step] {
    guard let steps = migrationSteps?.steps else { return [] }
    if steps.isEmpty {
      throw StoreError.invalidConfiguration(
        path: url.path, reason: "its list of migration steps is empty")
    }
    return try steps.map { step in
      var configuration = self
      configuration.models = step.models
      return MigrationOptions.Step(
        to: step.version, try configuration.declaration(), step.migration)
    }
  }
}
