public import Foundation
public import WhimbrelEngine

/// What migrating a store to a schema would need: what `whimbrel plan` shows.
///
/// ```swift
/// let outlook = try MigrationOutlook(
///   ofStoreAt: "zones.whimbrel", to: try .file(at: "schema.json"), checking: .objects)
/// print(outlook.isReady ? "It needs no code." : outlook.description)
/// ```
///
/// The store is only read. Properties that the schema says have been renamed, with
/// `previousNames`, are; so are those that have another name in a store of the same lineage.
public struct MigrationOutlook: Hashable, Sendable, Encodable {
  /// What opening the store with the schema would do, and what that costs.
  public let plan: MigrationPlan
  /// How many bytes would be written, as an estimate.
  public let bytes: Int
  /// What of the data the schema has no place for, or nil when the objects were not read.
  public let findings: [Findings]?

  /// What is looked at.
  public enum Checking: Hashable, Sendable {
    /// The catalog, and how many objects there are.
    case catalog
    /// Every object, too.
    case objects
  }

  /// What of one property's values does not agree with one rule.
  public struct Findings: Hashable, Sendable, Encodable {
    /// How many objects there are.
    public let count: Int
    /// The first of them.
    public internal(set) var examples: [MigrationFinding]
  }

  /// Whether the store can be opened with the schema without any code: no change needs some or
  /// is impossible, and nothing was found in the data if that was looked at.
  public var isReady: Bool {
    plan.isPossible && !plan.changes.contains { $0.kind == .needsCode }
      && findings?.isEmpty != false
  }

  /// Works out what a migration would need.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - schema: the schema to migrate to.
  ///   - version: its version, or nil for the one that it says.
  ///   - checking: what is looked at.
  ///   - monitor: is asked whether to go on, and told how many findings there are.
  /// - Throws: `StoreError`, and ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*classes*), or O(*n* log *n*) in the number of objects when these are
  ///   looked at; in constant memory.
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
    request.checksCatalogOnly = true
    request.declaration = declaration
    request.schemaVersion = version ?? schema.schema.schemaVersion
    plan = try StoreFile.migrationPlan(request, declaration)
    bytes = plan.bytes
    guard checking == .objects else {
      findings = nil
      return
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

  /// The outlook as JSON: `{"bytes":0,"findings":[{"count":1,"examples":[…]}],"plan":{…},
  /// "ready":true}`, where `findings` is left out if the objects were not read.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

extension MigrationOutlook {
  private enum CodingKeys: String, CodingKey {
    case plan, bytes, findings
    case isReady = "ready"
  }

  /// Writes the outlook.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(plan, forKey: .plan)
    try container.encode(bytes, forKey: .bytes)
    try container.encodeIfPresent(findings, forKey: .findings)
    try container.encode(isReady, forKey: .isReady)
  }
}

extension MigrationOutlook: CustomStringConvertible {
  /// The outlook as text, with a line break at its end.
  public var description: String {
    let lines = plan.description.split(separator: "\n", omittingEmptySubsequences: false)
    var text = lines.map { PlainText.escaped(String($0)) + "\n" }.joined()
    if bytes > 0 { text += "About \((bytes + 1_023) / 1_024) KiB would be written.\n" }
    guard let findings else { return text }
    if findings.isEmpty { return text + "\nThe data has nothing in the way.\n" }
    text += "\nIn the data:\n"
    for group in findings {
      text += group.examples.map { "  \(PlainText.escaped($0.description))\n" }.joined()
      let rest = group.count - group.examples.count
      if rest > 0 { text += "    and \(rest) more\n" }
    }
    return text
  }
}
