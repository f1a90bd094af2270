internal import WhimbrelEngine

/// A counter of findings per property and rule. It keeps the first five of each
/// group as examples.
struct FindingCollector {
  private struct Key: Hashable {
    let className: String
    let propertyName: String?
    let rule: MigrationFinding.Rule
  }

  private static let exampleLimit = 5

  private var order: [Key] = []
  private var groups: [Key: (count: Int, examples: [MigrationFinding])] = [:]
  /// The number of all findings.
  private(set) var count = 0

  mutating func add(_ finding: MigrationFinding) {
    let key = Key(
      className: finding.className, propertyName: finding.propertyName, rule: finding.rule)
    if groups[key] == nil { order.append(key) }
    count += 1
    groups[key, default: (0, [])].count += 1
    if groups[key]?.examples.count ?? 0 < Self.exampleLimit {
      groups[key]?.examples.append(finding)
    }
  }

  /// The groups, in the order in which their first findings arrived.
  var findings: [MigrationOutlook.Findings] {
    order.compactMap { key in
      groups[key].map { MigrationOutlook.Findings(count: $0.count, examples: $0.examples) }
    }
  }
}
