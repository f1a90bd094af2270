internal import Foundation
public import WhimbrelEngine

/// Migrations that bring a file from version to version, each to models of its own.
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
/// A file is brought through all steps that lead above its version: a block has to know one
/// old shape only, or those of the versions between two steps. A single block that goes from
/// each old version to the newest is faster when several steps would rewrite the same objects.
///
/// - The versions of the steps ascend. The last is the schema version of the configuration,
///   and its models have the same schema as the configuration's; the models of a step may be
///   Swift classes of their own, or the same as those of other steps.
/// - Each step is a complete migration, with its own entry in the history. When one fails,
///   is cancelled, or the process dies in it, the store stays at the version of the step
///   before, which an app of that version opens; the next attempt begins with the step that
///   failed.
/// - Other processes that open the store wait until all steps are done.
/// - A new store is made with the newest models, and runs no step.
public struct MigrationSteps: Sendable {
  /// The steps, in the order of their versions.
  public let steps: [MigrationStep]

  /// Makes a migration of steps, which are checked when the store is opened.
  public static func steps(_ steps: [MigrationStep]) -> MigrationSteps {
    MigrationSteps(steps: steps)
  }
}

/// One of the steps of a migration: see ``MigrationSteps``.
public struct MigrationStep: Sendable {
  /// The schema version to which the step leads.
  public let version: SchemaVersion
  /// The models as they were at that version.
  public let models: [any Model.Type]
  /// Brings the objects to that version, or nil when no code is needed.
  public let migration: MigrationBlock?

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - version: the schema version to which it leads.
  ///   - models: the models as they were at that version.
  ///   - migration: brings the objects there, from the version that the file has. The
  ///     default is nil, which is enough where the changes need no code.
  public static func step(
    to version: SchemaVersion, models: [any Model.Type], migration: MigrationBlock? = nil
  ) -> MigrationStep {
    MigrationStep(version: version, models: models, migration: migration)
  }
}

extension Store.Configuration {
  /// The steps as the engine sees them.
  func stepRequests() throws -> [OpenRequest.Step] {
    try (migrationSteps?.steps ?? []).map { step in
      var configuration = self
      configuration.models = step.models
      return OpenRequest.Step(to: step.version, try configuration.declaration(), step.migration)
    }
  }
}
