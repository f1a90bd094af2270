public import Foundation
public import WhimbrelEngine

/// A forecast of the migration of a store to a schema, as `whimbrel plan` shows it.
///
/// ```swift
/// let outlook = try MigrationOutlook(
///   ofStoreAt: "zones.whimbrel", to: try .file(at: "schema.json"), checking: .objects)
/// print(outlook.isReady ? "It needs no code." : outlook.description)
/// ```
///
/// The store is only read. A property counts as renamed if `previousNames` in the schema says so,
/// or if a store of the same lineage has it under another name.
public struct MigrationOutlook: Hashable, Sendable, Encodable {
  /// The changes that opening the store with the schema makes, and their cost.
  public let plan: MigrationPlan
  /// An estimate of the number of bytes that the migration writes.
  public let bytes: Int
  /// The values that do not fit into the schema, or nil if the objects were not read.
  public let findings: [Findings]?

  /// The part of the store that is read.
  public enum Checking: Hashable, Sendable {
    /// The catalog and the number of objects.
    case catalog
    /// The catalog and all objects.
    case objects
  }

  /// The values of one property that violate one rule of the schema.
  public struct Findings: Hashable, Sendable, Encodable {
    /// The number of objects with such values.
    public let count: Int
    /// The first findings.
    public internal(set) var examples: [MigrationFinding]
  }

  /// Whether the store can be opened with the schema without code: all changes are possible and
  /// none needs code, and the objects, if they were read, have no findings.
  public var isReady: Bool {
    plan.isPossible && !plan.changes.contains { $0.kind == .needsCode }
      && findings?.isEmpty != false
  }

  /// Plans the migration.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - schema: The schema to migrate to.
  ///   - version: The version of the schema. The default is the version in `schema`.
  ///   - checking: The part of the store to read. The default is the catalog.
  ///   - monitor: Receives the number of findings, and can cancel.
  /// - Throws: `StoreError`, and ``InspectionError`` with `cancelled`, or with `notConverted` if
  ///   there are changes, objects are to be read, and an online migration has not yet converted all.
  /// - Complexity: O(*classes*), or O(*n* log *n*) in the number of objects if they are read.
  ///   Constant memory.
  public init(
    ofStoreAt path: String, to schema: SchemaSource, version: SchemaVersion? = nil,
    checking: Checking = .catalog, monitor: WorkMonitor = .silent
  ) throws {
    let trace = LockFileTrace(path: path)
    defer { trace.remove() }
    let lineage = SchemaLineage(from: try .store(at: path), to: schema)
    let declaration = Declaration(lineage.new)
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.file.checks = .catalog
    request.declaration = declaration
    request.schemaVersion = version ?? schema.schema.schemaVersion
    plan = try StoreFile.migrationPlan(request, declaration)
    bytes = plan.bytes
    guard checking == .objects else {
      findings = nil
      return
    }
    if try StoreOverview(path: path).catalog.isInTransition {
      // Objects of any shape stay as they are if nothing changes.
      if plan.isEmpty {
        findings = nil
        return
      }
      // Objects that are not yet converted cannot be read with the schema that is to change.
      try StoreInspector(path: path).requireConverted("check the objects of")
    }
    var collector = FindingCollector()
    try StoreFile.checkMigration(request, plan) { finding in
      collector.add(finding)
      if collector.count % 1_000 == 0 {
        try monitor.update(
          "Checking objects", collector.count, of: nil,
          orThrow: .cancelled(path, "plan the migration of"))
      }
      return true
    }
    findings = collector.findings
  }

  /// Returns the outlook as JSON: `{"bytes":0,"canRunOnline":true,"findings":[{"count":1,
  /// "examples":[…]}],"plan":{…},"ready":true}`. `findings` is missing if the objects were not
  /// read. `onlineObstacles` of the plan tell why it cannot run online.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

extension MigrationOutlook {
  private enum CodingKeys: String, CodingKey {
    case plan, bytes, findings, canRunOnline
    case isReady = "ready"
  }

  /// Encodes the outlook.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(plan, forKey: .plan)
    try container.encode(bytes, forKey: .bytes)
    try container.encodeIfPresent(findings, forKey: .findings)
    try container.encode(isReady, forKey: .isReady)
    try container.encode(plan.canRunOnline, forKey: .canRunOnline)
  }
}

extension MigrationOutlook: CustomStringConvertible {
  /// The lines that say whether rules can make the changes while the app runs. Empty for changes of
  /// the catalog alone, and for changes that nothing can make.
  private var online: String {
    if plan.changes.contains(where: { $0.kind == .impossible }) { return "" }
    if !plan.canRunOnline {
      return "Rules cannot make all changes while the app runs:\n"
        + plan.onlineObstacles.map { "  \(PlainText.escaped($0.description))\n" }.joined()
    }
    let isInstant = plan.changes.allSatisfy { $0.kind == .instant || $0.objects == 0 }
    return isInstant ? "" : "Rules can make all changes while the app runs.\n"
  }

  /// The outlook as text for people, with a line end.
  public var description: String {
    let lines = plan.description.split(separator: "\n", omittingEmptySubsequences: false)
    var text = lines.map { PlainText.escaped(String($0)) + "\n" }.joined()
    if bytes > 0 { text += "About \((bytes + 1_023) / 1_024) KiB would be written.\n" }
    text += online
    guard let findings else { return text }
    if findings.isEmpty { return text + "\nNo data is in the way.\n" }
    text += "\nIn the data:\n"
    for group in findings {
      text += group.examples.map { "  \(PlainText.escaped($0.description))\n" }.joined()
      let rest = group.count - group.examples.count
      if rest > 0 { text += "    and \(rest) more\n" }
    }
    return text
  }
}
