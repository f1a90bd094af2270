import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Graphs of objects whose class becomes embedded: the plan, the check, the dry run and the
/// opening say the same of each, and it is what the rule says.
struct OwnershipGraphTests {
  /// Nodes that link to each other, and roots that own some.
  struct Graph: Sendable, CustomStringConvertible {
    /// What each node links to, by numbers from 0: a link, and a list.
    var next: [Int?]
    var lists: [[Int]]
    /// What each root links to.
    var roots: [[Int]]

    var description: String { "next \(next), lists \(lists), roots \(roots)" }

    func children(_ node: Int) -> [Int] { (next[node].map { [$0] } ?? []) + lists[node] }
  }

  /// What the rule says of a graph.
  private struct Rule: Equatable {
    /// The nodes that lead back to themselves.
    var circles: Set<Int> = []
    var orphans: Set<Int> = []
    var copies = 0

    init(_ graph: Graph) {
      for node in graph.next.indices {
        var seen: Set<Int> = []
        var waiting = graph.children(node)
        while let found = waiting.popLast() {
          if seen.insert(found).inserted { waiting += graph.children(found) }
        }
        if seen.contains(node) { circles.insert(node) }
      }
      guard circles.isEmpty else { return }
      var visits = 0
      var owned: Set<Int> = []
      func visit(_ node: Int) {
        visits += 1
        owned.insert(node)
        graph.children(node).forEach(visit)
      }
      graph.roots.joined().forEach(visit)
      orphans = Set(graph.next.indices).subtracting(owned)
      copies = visits - owned.count
    }
  }

  private static func classes(_ isEmbedded: Bool) -> [ClassSchema] {
    [
      ClassSchema(
        name: "Node", isEmbedded: isEmbedded,
        properties: [
          .required("number", .int), .link("next", to: "Node"), .list("list", .link(to: "Node")),
        ]),
      ClassSchema("Root", .list("nodes", .link(to: "Node"))),
    ]
  }

  private func store(_ graph: Graph) throws -> TestStore {
    func link(_ node: Int) -> PropertyValue { .link(ObjectID(rawValue: UInt64(node) + 1)) }
    return try TestStore(Self.classes(false)) { session in
      for node in graph.next.indices { try session.create("Node", ["number": .int(Int64(node))]) }
      let table = try session.table("Node")
      for node in graph.next.indices {
        try table.update(ObjectID(rawValue: UInt64(node) + 1)) { encoder in
          try encoder.set(1, graph.next[node].map(link) ?? .null)
          try encoder.set(2, .list(graph.lists[node].map(link)))
        }
      }
      for nodes in graph.roots { try session.create("Root", ["nodes": .list(nodes.map(link))]) }
    }
  }

  /// What can be seen from the roots, as numbers.
  private func views(_ contents: StoreContents) -> [String] {
    func view(_ value: PropertyValue?) -> String {
      switch value {
      case .link(let id)?:
        guard let node = contents.objects["Node"]?[id.rawValue] else { return "missing" }
        return "(\(view(node["number"])) \(view(node["next"])) \(view(node["list"])))"
      case .list(let values)?: return "\(values.map(view))"
      default: return value.map { "\($0)" } ?? "missing"
      }
    }
    return contents.list("Root").map { view($0["nodes"]) }
  }

  private func check(_ graph: Graph, isRewritten: Bool) throws {
    let store = try store(graph)
    let rule = Rule(graph)
    let schema = Self.classes(true)
    let change = try #require(try store.plan(schema, version: 2).changes.first, "\(graph)")
    #expect(change.deleted == rule.orphans.count || !rule.circles.isEmpty, "\(graph)")
    #expect(change.copied == rule.copies || !rule.circles.isEmpty, "\(graph)")
    #expect((change.circular > 0) == !rule.circles.isEmpty, "\(graph)")
    let findings = try store.check(schema)
    func found(_ wanted: MigrationFinding.Rule) -> Set<Int> {
      Set(findings.filter { $0.rule == wanted }.map { Int($0.objectID.rawValue) - 1 })
    }
    #expect(found(.circle).isSubset(of: rule.circles), "\(graph)")
    #expect(found(.circle).count == change.circular && found(.owned).count == change.deleted)
    #expect(found(.ownedOnce).isEmpty == (change.copied == 0), "\(graph)")
    let block: MigrationBlock = { migration, _ in
      try migration.enumerateObjects(ofType: "Node") { _, _ in }
    }
    let request = TestStore.request(
      store.path, schema, version: 2, migration: isRewritten ? block : nil)
    guard rule.circles.isEmpty else {
      let before = try store.contents()
      for open in [
        { _ = try StoreFile.dryRunMigration(request) }, { _ = try StoreFile.open(request) },
      ] {
        let error = storeError { try open() }
        #expect(error?.code == .embeddedHasOwner, "\(graph)")
        let id = try #require(error?.context.objectID, "\(graph)")
        #expect(rule.circles.contains(Int(id.rawValue) - 1), "\(graph)")
      }
      #expect(try store.contents() == before, "\(graph)")
      return
    }
    #expect(found(.owned) == rule.orphans, "\(graph)")
    let before = try store.contents()
    let outcome = try #require(
      try StoreFile.dryRunMigration(request).classes.first { $0.className == "Node" }, "\(graph)")
    #expect(outcome.orphaned == rule.orphans.count && outcome.copied == rule.copies, "\(graph)")
    _ = try StoreFile.open(request)
    let after = try store.contents()
    #expect(views(after) == views(before), "\(graph)")
    #expect(
      after.list("Node").count == graph.next.count - rule.orphans.count + rule.copies, "\(graph)")
    #expect(try store.findings() == [], "\(graph)")
  }

  /// All graphs of two nodes, each with at most one link by the property and one by the list, and
  /// a root that owns none, either or both.
  @Test(.takesLong) func `all small graphs follow the rule`() throws {
    let targets: [Int?] = [nil, 0, 1]
    for first in targets {
      for second in targets {
        for (number, list) in targets.enumerated() {
          for roots in [[], [[0]], [[1]], [[0, 1]], [[0], [0]]] as [[[Int]]] {
            let graph = Graph(
              next: [first, second], lists: [list.map { [$0] } ?? [], []], roots: roots)
            try check(graph, isRewritten: number == 0)
          }
        }
      }
    }
  }

  @Test(arguments: [
    // owner → a → b → a
    Graph(next: [1, 0], lists: [[], []], roots: [[0]]),
    // a ↔ b, and nobody owns them
    Graph(next: [1, 0], lists: [[], []], roots: []),
    // a → a
    Graph(next: [0], lists: [[]], roots: []),
    // A long circle, and one that hangs off an orphan
    Graph(next: [1, 2, 3, 4, 0], lists: [[], [], [], [], []], roots: []),
    Graph(next: [1, 2, 1], lists: [[], [], []], roots: []),
    // A circle that leads to what a root owns
    Graph(next: [1, 0, nil], lists: [[], [2], []], roots: [[2]]),
    // An orphan that leads to what a root owns
    Graph(next: [1, 2, nil], lists: [[], [], []], roots: [[1], [2]]),
  ])
  func `graphs that once broke the rule follow it`(_ graph: Graph) throws {
    try check(graph, isRewritten: false)
    try check(graph, isRewritten: true)
  }

  @Test(arguments: 0..<TestRun.count(25, long: 600) as Range<UInt64>)
  func `random graphs follow the rule`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...7, using: &generator)
    // Half of them have no circles: links lead to later nodes only.
    let isForward = generator.once(in: 2)
    func targets(_ node: Int, _ most: Int) -> [Int] {
      (0..<Int.random(in: 0...most, using: &generator)).compactMap { _ in
        let range = isForward ? node + 1..<max(count, node + 1) : 0..<count
        return range.randomElement(using: &generator)
      }
    }
    let graph = Graph(
      next: (0..<count).map { targets($0, 1).first },
      lists: (0..<count).map { targets($0, generator.once(in: 3) ? 2 : 0) },
      roots: (0..<Int.random(in: 0...2, using: &generator)).map { _ in targets(-1, 3) })
    try check(graph, isRewritten: generator.once(in: 2))
  }
}
