internal import Foundation
public import WhimbrelEngine

/// A migration of a store to another schema without code, as `whimbrel migrate` does it.
///
/// ```swift
/// let migration = try SchemaMigration(
///   ofStoreAt: "zones.whimbrel", to: .file(at: "schema.json"), version: 5)
/// print(migration.outlook)
/// try migration.run()
/// ```
///
/// It first checks every object. It refuses to run if a change needs code or is impossible, if data
/// does not fit into the new schema, or if data would be deleted without permission.
public struct SchemaMigration {
  /// The forecast of the migration, including the objects that do not fit.
  public let outlook: MigrationOutlook
  private let path: String
  private let declaration: Declaration
  private let version: SchemaVersion

  /// The treatment of data that has no place in the new schema.
  public enum Deletions: Hashable, Sendable {
    /// The migration fails with an error that names the changes.
    case refused
    /// The data is deleted.
    case allowed
  }

  /// Plans the migration. The store does not change.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - schema: The schema to migrate to.
  ///   - version: The version of the schema. The default is the version in `schema`.
  ///   - monitor: Receives the number of findings, and can cancel.
  /// - Throws: `StoreError`, and ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*n* log *n*) in the number of objects, in constant memory.
  public init(
    ofStoreAt path: String, to schema: SchemaSource, version: SchemaVersion? = nil,
    monitor: WorkMonitor = .silent
  ) throws {
    let lineage = SchemaLineage(from: try .store(at: path), to: schema)
    declaration = Declaration(lineage.new)
    self.path = path
    self.version = version ?? schema.schema.schemaVersion
    outlook = try MigrationOutlook(
      ofStoreAt: path, to: schema, version: version, checking: .objects, monitor: monitor)
  }

  /// Throws an error unless the migration can run without code.
  ///
  /// - Parameter deletions: The treatment of data that has no place in the new schema.
  /// - Throws: ``InspectionError`` with `needsCode` or `deletesData`.
  public func requirePossible(_ deletions: Deletions = .refused) throws {
    if !outlook.isReady {
      let plan = outlook.plan
      let isOld =
        plan.fromVersion > plan.toVersion
        || plan.fromVersion == plan.toVersion && plan.changes.contains { $0.kind == .impossible }
      throw InspectionError.needsCode(path, obstacles, above: isOld ? plan.fromVersion : nil)
    }
    if deletions == .refused { try Self.requireNoDeletions(outlook.plan, path) }
  }

  private static func requireNoDeletions(_ plan: MigrationPlan, _ path: String) throws {
    let deleting = plan.changes.filter { $0.kind == .destructive && $0.objects > 0 }
    if deleting.isEmpty { return }
    throw InspectionError.deletesData(path, deleting.map { "\($0.change)" })
  }

  /// The reasons why the migration cannot run, one sentence each.
  private var obstacles: [String] {
    let plan = outlook.plan
    var obstacles = plan.changes.filter { $0.kind == .needsCode || $0.kind == .impossible }.map {
      ["\($0.change)", $0.note].compactMap(\.self).joined(separator: " ")
    }
    if plan.fromVersion > plan.toVersion {
      obstacles.append(
        "The store has schema version \(plan.fromVersion), but the schema has version "
          + "\(plan.toVersion).")
    }
    for group in outlook.findings ?? [] {
      obstacles += group.examples.prefix(3).map(\.description)
      if group.count > 3 { obstacles.append("\(group.count - 3) more of this kind.") }
    }
    return obstacles
  }

  /// Migrates the store.
  ///
  /// - Parameters:
  ///   - deletions: The treatment of data that has no place in the new schema. The default is to
  ///     refuse.
  ///   - backup: The path of a copy to make first, where no file may exist. If the migration fails,
  ///     the copy is removed. Without a path, no copy is made. The default is nil.
  ///   - progress: Receives the progress, and returns whether to continue.
  /// - Throws: ``InspectionError`` with `needsCode`, `deletesData` or `fileExists`, and the
  ///   `StoreError` of opening the store with the schema. The store has not changed then.
  public func run(
    _ deletions: Deletions = .refused, backup: String? = nil,
    progress: @escaping @Sendable (MigrationProgress) -> MigrationProgress.Response = { _ in
      .continue
    }
  ) throws {
    try requirePossible(deletions)
    if let backup, FileManager.default.fileExists(atPath: backup) {
      throw InspectionError.fileExists(backup, "copy the store to")
    }
    var request = OpenRequest(path: path)
    request.file.checks = .allPages
    request.declaration = declaration
    request.schemaVersion = version
    request.migration.backupPath = backup
    // The store does not change then. A left-over backup would make the next attempt fail.
    request.migration.removesBackupOnFailure = true
    request.migration.progress = progress
    if deletions == .refused {
      // An app may have written or migrated the store since the plan was made.
      request.migration.approval = { [path] in try Self.requireNoDeletions($0, path) }
    }
    _ = try StoreFile.open(request)
  }
}

extension InspectionError.Code {
  /// The store cannot be migrated to the schema without code.
  public static let needsCode = Self("needsCode")
  /// The migration would delete data.
  public static let deletesData = Self("deletesData")
}

extension InspectionError {
  /// - Parameter version: The version of the store if the schema needs a higher one, or nil.
  static func needsCode(
    _ path: String, _ obstacles: [String], above version: SchemaVersion?
  ) -> InspectionError {
    let list = obstacles.map { "\n  - \(PlainText.escaped($0))" }.joined()
    let name = PlainText.quoted(path)
    if let version {
      return InspectionError(
        .needsCode, "Could not migrate the store \(name) without a higher version:\(list)",
        "Raise the version above \(version): in the schema, or with '--to-version'. "
          + "Nothing was changed.")
    }
    return InspectionError(
      .needsCode, "Could not migrate the store \(name) without code:\(list)",
      "Migrate it in the app with a migration block, or change the schema. Nothing was changed.")
  }

  static func deletesData(_ path: String, _ changes: [String]) -> InspectionError {
    let list = changes.map { "\n  - \(PlainText.escaped($0))" }.joined()
    return InspectionError(
      .deletesData, "Could not migrate the store \(PlainText.quoted(path)) without loss:\(list)",
      "Use '--allow-loss' to delete that data. Nothing was changed.")
  }
}
