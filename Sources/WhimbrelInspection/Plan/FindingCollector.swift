internal import WhimbrelEngine

/// Counts findings by property and rule, and keeps the first of each.
struct FindingCollector {
  private struct Key: Hashable {
    let className: String
    let propertyName: String?
    let rule: MigrationFinding.Rule
  }

  private static let exampleLimit = 5

  private var order: [Key] = []
  private var groups: [Key: (count: Int, examples: [MigrationFinding])] = [:]
  /// How many findings there are in all.
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

  /// The findings, in the order in which the first of each was found.
  var findings: [MigrationOutlook.Findings] {
    order.compactMap { key in
      groups[key].map { MigrationOutlook.Findings(count: $0.count, examples: $0.examples) }
    }
  }
}
