internal import Foundation
public import WhimbrelEngine

/// Brings a store to another schema where that needs no code: what `whimbrel migrate` does.
///
/// ```swift
/// let migration = try SchemaMigration(
///   ofStoreAt: "zones.whimbrel", to: .file(at: "schema.json"), version: 5)
/// print(migration.outlook)
/// try migration.run()
/// ```
///
/// Every object is looked at first. A migration is refused when a change needs code or is
/// impossible, when data is in the way, and when data would be deleted and nobody has allowed that.
public struct SchemaMigration {
  /// What the migration needs, with what is in the way in the data.
  public let outlook: MigrationOutlook
  private let path: String
  private let declaration: Declaration
  private let version: SchemaVersion

  /// What becomes of data that has no place in the new schema.
  public enum Deletions: Hashable, Sendable {
    /// It is an error that names the changes.
    case refused
    /// It is deleted.
    case allowed
  }

  /// Looks at a store; nothing is changed.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - schema: the schema to migrate to.
  ///   - version: its version, or nil for the one that it says.
  ///   - monitor: is asked whether to go on, and told how many findings there are.
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

  /// Throws unless the store can be brought to the schema without code.
  ///
  /// - Throws: ``InspectionError`` with `needsCode` or `deletesData`.
  public func requirePossible(_ deletions: Deletions = .refused) throws {
    if !outlook.isReady { throw InspectionError.needsCode(path, obstacles) }
    let deleting = outlook.plan.changes.filter { $0.kind == .destructive && $0.objects > 0 }
    if deletions == .refused, !deleting.isEmpty {
      throw InspectionError.deletesData(path, deleting.map { "\($0.change)" })
    }
  }

  /// What stands in the way, a sentence each.
  private var obstacles: [String] {
    let plan = outlook.plan
    var obstacles = plan.changes.filter { $0.kind == .needsCode || $0.kind == .impossible }.map {
      ["\($0.change)", $0.note].compactMap(\.self).joined(separator: " ")
    }
    if plan.fromVersion > plan.toVersion {
      obstacles.append(
        "The store has schema version \(plan.fromVersion), and the schema \(plan.toVersion).")
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
  ///   - deletions: what becomes of data that has no place in the new schema.
  ///   - backup: where a copy of the store goes before that, where nothing may be yet; nil for none.
  ///   - progress: is told how far it is, and says whether to go on.
  /// - Throws: ``InspectionError`` with `needsCode`, `deletesData` or `fileExists`, and `StoreError`
  ///   as opening the store with the schema throws. The store is as it was then.
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
    request.checksPages = true
    request.declaration = declaration
    request.schemaVersion = version
    request.backupPath = backup
    request.progress = progress
    _ = try StoreFile.open(request)
  }
}

extension InspectionError.Code {
  /// A store cannot be brought to a schema without code.
  public static let needsCode = Self("needsCode")
  /// A migration would delete data.
  public static let deletesData = Self("deletesData")
}

extension InspectionError {
  static func needsCode(_ path: String, _ obstacles: [String]) -> InspectionError {
    let list = obstacles.map { "\n  - \(PlainText.escaped($0))" }.joined()
    return InspectionError(
      .needsCode, "Could not migrate the store \(PlainText.quoted(path)) without code:\(list)",
      "Let the app migrate it, with a migration block, or change the schema. Nothing was changed.")
  }

  static func deletesData(_ path: String, _ changes: [String]) -> InspectionError {
    let list = changes.map { "\n  - \(PlainText.escaped($0))" }.joined()
    return InspectionError(
      .deletesData, "Could not migrate the store \(PlainText.quoted(path)) without loss:\(list)",
      "Say '--allow-loss' to have that data deleted. Nothing was changed.")
  }
}
