import WhimbrelLMDB

extension CollectionTree {
  /// Checks all invariants, and returns the violations as sentences.
  ///
  /// - Throws: Errors of the node store.
  /// - Complexity: O(*n*).
  package func check() throws -> [String] {
    var report = Report(next: 1)
    do {
      guard let root = try root() else { return [] }
      report.next = root.next
      _ = try root.total()
      try check(root, isLast: true, &report)
    } catch let damage as DamagedRecord {
      report.problems.append(damage.detail)
    }
    return report.problems
  }

  /// The findings of a check.
  private struct Report {
    var next: UInt32
    var seen: Set<UInt32> = []
    var problems: [String] = []

    mutating func require(_ holds: Bool, _ number: UInt32, _ predicate: String) {
      if !holds { problems.append(DamagedRecord(node: number, predicate).detail) }
    }
  }

  private func check(_ node: CollectionNode, isLast: Bool, _ report: inout Report) throws {
    let draft = try NodeDraft(node)
    let isRoot = node.number == 0
    report.require(
      isRoot ? node.next > 0 : node.next == 0, node.number, "has a wrong next number")
    report.require(
      node.number < report.next, node.number, "has a number that was never assigned")
    let size = (CollectionNode.headerSize + draft.payload + 7) & ~7
    report.require(
      node.bytes.count == size, node.number, "has \(node.bytes.count) bytes instead of \(size)")
    let fits = draft.payload <= capacity || node.width == 0 && node.count == 1
    report.require(fits, node.number, "is larger than a node may be")
    report.require(
      isRoot || isLast || node.width == 0 || !isSmall(draft), node.number, "is not full enough")
    report.require(!isRoot || node.isLeaf || node.count > 1, 0, "has a single child")
    if !node.isLeaf { try checkChildren(of: node, isLast: isLast, &report) }
  }

  /// Checks all children, even after a damaged one.
  private func checkChildren(
    of node: CollectionNode, isLast: Bool, _ report: inout Report
  ) throws {
    for slot in 0..<node.count {
      do {
        let child = try node.child(slot)
        guard report.seen.insert(child.number).inserted else {
          report.require(false, child.number, "is the child of two nodes")
          continue
        }
        let isLastChild = isLast && slot == node.count - 1
        try check(self.node(child, level: node.level - 1), isLast: isLastChild, &report)
      } catch let damage as DamagedRecord {
        report.problems.append(damage.detail)
      }
    }
  }
}
