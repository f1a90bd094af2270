import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Random graphs of objects whose classes become embedded: whoever follows the links from
/// an object that stays sees the same before and after.
struct RandomSharingTests {
  private static func classes(_ isEmbedded: Bool) -> [ClassSchema] {
    let links: [PropertySchema] = [
      .link("next", to: "Node"), .list("list", .link(to: "Node")), .map("map", .link(to: "Leaf")),
    ]
    let leaf = PropertySchema.required("number", .int)
    return [
      ClassSchema(name: "Leaf", isEmbedded: isEmbedded, properties: [leaf]),
      ClassSchema(
        name: "Node", isEmbedded: isEmbedded,
        properties: [.required("text", .string)] + links + [.link("leaf", to: "Leaf")]),
      ClassSchema(name: "Root", properties: links),
      ClassSchema(name: "Other", properties: [.list("list", .link(to: "Node"))]),
    ]
  }

  /// Objects that link to earlier ones only, so that there are no circles.
  private func fill(_ session: Session, using generator: inout SeededGenerator) throws {
    var ids: [String: [ObjectID]] = ["Leaf": [], "Node": []]
    func link(to name: String) -> PropertyValue {
      guard generator.once(in: 2), let id = ids[name]?.suffix(6).randomElement(using: &generator)
      else { return .null }
      return .link(id)
    }
    func list(_ name: String) -> [PropertyValue] {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in link(to: name) }
        .filter { $0 != .null }
    }
    for number in 0..<Int64(6) {
      ids["Leaf"]?.append(try session.create("Leaf", ["number": .int(number)]))
    }
    for number in 0..<12 {
      let map = Dictionary(list("Leaf").enumerated().map { ("k\($0)", $1) }) { first, _ in first }
      let text = String(repeating: "n\(number)", count: generator.once(in: 4) ? 700 : 1)
      var values: [String: PropertyValue] = ["next": link(to: "Node"), "map": .map(map)]
      values["list"] = .list(list("Node"))
      if number < 9 {
        values["text"] = .string(text)
        values["leaf"] = link(to: "Leaf")
        ids["Node"]?.append(try session.create("Node", values))
      } else {
        try session.create("Root", values)
        try session.create("Other", ["list": .list(list("Node"))])
      }
    }
  }

  /// What can be seen from an object, as text without IDs.
  private func view(_ value: PropertyValue, of name: String, _ contents: StoreContents) -> String {
    switch value {
    case .link(let id):
      guard let object = contents.objects[name]?[id.rawValue] else { return "missing" }
      return view(object, of: name, contents)
    case .list(let values): return "\(values.map { view($0, of: name, contents) })"
    case .map(let values):
      return
        "\(values.sorted { $0.key < $1.key }.map { $0.key + view($0.value, of: name, contents) })"
    default: return "\(value)"
    }
  }

  private func view(
    _ object: StoreContents.Object, of name: String, _ contents: StoreContents
  ) -> String {
    let schema = contents.catalog[name]?.schema
    return object.sorted { $0.key < $1.key }.map { property, value in
      "\(property):\(view(value, of: schema?[property]?.type.linkedName ?? "", contents))"
    }.joined(separator: " ")
  }

  private func views(_ contents: StoreContents) -> [String] {
    ["Root", "Other"].flatMap { name in
      contents.list(name).map { view($0, of: name, contents) }
    }
  }

  @Test(arguments: 0..<TestRun.count(15, long: 1_000) as Range<UInt64>)
  func `every owner sees what it saw, and shares nothing`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let store = try TestStore(Self.classes(false)) { try fill($0, using: &generator) }
    let before = try store.contents()
    let new = Self.classes(true)
    let findings = try store.check(new)
    let block: MigrationBlock = { migration, _ in
      try migration.enumerateObjects(ofType: "Node") { _, _ in }
    }
    let request = TestStore.request(
      store.path, new, version: 2, migration: generator.once(in: 2) ? block : nil)
    let dryRun = try StoreFile.dryRunMigration(request)
    _ = try StoreFile.open(request)
    let after = try store.contents()
    #expect(views(after) == views(before))
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == after.tableNames)
    for name in ["Leaf", "Node"] {
      let outcome = try #require(dryRun.classes.first { $0.className == name })
      #expect(after.list(name).count == outcome.objectsAfter)
      #expect(outcome.created == outcome.copied && outcome.deleted == outcome.orphaned)
      let change = try #require(dryRun.plan.changes.first { $0.change.className == name })
      #expect(change.deleted == outcome.orphaned && change.copied == outcome.copied)
      let orphans = findings.filter { $0.className == name && $0.rule == .owned }
      #expect(orphans.count == change.deleted)
      #expect(
        orphans.allSatisfy { after.objects[name]?[$0.objectID.rawValue] == nil })
    }
  }
}

extension PropertyType {
  /// The class that a link, or a collection of links, leads to.
  fileprivate var linkedName: String? { linkTarget ?? elementType?.type.linkTarget }
}
