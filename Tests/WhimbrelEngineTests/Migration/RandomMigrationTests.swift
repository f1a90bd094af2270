import Testing
import WhimbrelEngine

/// Random schemas, objects and changes over four versions, some of them skipped,
/// against an oracle.
struct RandomMigrationTests {
  @Test(arguments: 0..<(isLongRun ? 1_000 : 20))
  func `a store holds what the oracle says`(_ seed: Int) throws {
    var walk = try RandomMigrationWalk(seed: UInt64(seed))
    try walk.run()
  }
}

/// One store on its way through random versions.
private struct RandomMigrationWalk {
  private var generator: SeededGenerator
  private var classes: [ClassSchema]
  private var objects: MigrationModel.Objects = [:]
  private var nextTag: Int64 = 0
  private let store: TestStore

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    classes = MigrationModel.schema(using: &generator)
    store = try TestStore(classes)
  }

  mutating func run() throws {
    try write(30)
    var next = classes
    for version in 2...4 {
      next = MigrationModel.changed(next, version: version, using: &generator)
      if version < 4, generator.once(in: 3) { continue }
      try migrate(to: next, version: version)
      try check("after the migration to version \(version)")
      try write(15)
      try check("after writing at version \(version)")
    }
  }

  private func check(_ moment: Comment) throws {
    let found = try MigrationModel.objects(in: store.contents())
    for (name, expected) in objects {
      for (tag, object) in expected where found[name]?[tag] != object {
        Issue.record("\(moment): \(name) \(tag) is \(found[name]?[tag] ?? [:]), not \(object)")
      }
      #expect(found[name]?.count ?? 0 == expected.count, moment)
    }
    let findings = try store.findings()
    #expect(findings == [], "\(moment): \(findings.first ?? "")")
    #expect(try store.tableNames() == store.contents().tableNames, moment)
  }

  // MARK: Ordinary writes

  private mutating func write(_ count: Int) throws {
    let session = try store.session()
    var walk = self
    try session.write {
      for _ in 0..<count { try walk.change(in: session) }
    }
    self = walk
    MigrationModel.removeDanglingLinks(&objects, classes)
  }

  private mutating func change(in session: Session) throws {
    guard let schema = classes.randomElement(using: &generator) else { return }
    let table = try session.table(schema.name)
    func object(_ className: String, _ tag: Int64) throws -> ObjectID? {
      let table = try session.table(className)
      guard let position = table.resolved.position(of: "tag") else { return nil }
      return try table.objectIDs().first { id in
        try table.record(id).map { try table.value(position, of: $0, id) } == .int(tag)
      }
    }
    if generator.once(in: 4),
      let tag = objects[schema.name]?.keys.sorted().randomElement(using: &generator),
      let id = try object(schema.name, tag)
    {
      try table.remove(id)
      objects[schema.name]?[tag] = nil
      MigrationModel.removeDanglingLinks(&objects, classes)
      return
    }
    let values = values(of: schema)
    var stored = values
    for property in schema.properties {
      guard let target = property.type.linkTarget, case .int(let tag)? = values[property.name]
      else {
        continue
      }
      stored[property.name] = try object(target, tag).map { .link($0) } ?? .null
    }
    try session.create(schema.name, stored)
    if case .int(let tag)? = values["tag"] { objects[schema.name, default: [:]][tag] = values }
  }

  /// Values of a new object; links are tags.
  private mutating func values(of schema: ClassSchema) -> StoreContents.Object {
    var values: StoreContents.Object = [:]
    for property in schema.properties {
      if property.name == "tag" {
        values["tag"] = .int(nextTag)
      } else if let target = property.type.linkTarget {
        let tags = objects[target]?.keys.sorted() ?? []
        values[property.name] = tags.randomElement(using: &generator).map { .int($0) } ?? .null
      } else if property.isOptional, generator.once(in: 3) {
        values[property.name] = .null
      } else {
        values[property.name] = MigrationModel.value(property.type, using: &generator)
      }
    }
    nextTag += 1
    return values
  }

  // MARK: Migrations

  /// What the block does to a class beside what it must.
  private struct Extra: Sendable {
    var visits: Bool
    var deletes: Int64?
    var creates: [StoreContents.Object]
  }

  private mutating func migrate(to new: [ClassSchema], version: Int) throws {
    var extras: [String: Extra] = [:]
    let old = classes
    var expected: MigrationModel.Objects = [:]
    for (before, after) in zip(old, new) {
      let needsCode = MigrationModel.needsCode(before, after)
      var extra = Extra(visits: needsCode || generator.once(in: 3), deletes: nil, creates: [])
      if extra.visits, generator.once(in: 2) {
        extra.deletes = Int64.random(in: 0..<5, using: &generator)
      }
      expected[after.name] = MigrationModel.migrated(
        objects[after.name] ?? [:], from: before, to: after
      ).filter { tag, _ in extra.deletes.map { tag % 5 != $0 } ?? true }
      extras[after.name] = extra
    }
    for schema in new where generator.once(in: 3) {
      for _ in 0..<3 {
        var values = values(of: schema)
        for property in schema.properties where property.type.linkTarget != nil {
          values[property.name] = .null
        }
        extras[schema.name]?.creates.append(values)
        if case .int(let tag)? = values["tag"] { expected[schema.name]?[tag] = values }
      }
    }
    MigrationModel.removeDanglingLinks(&expected, new)
    let plan = extras
    let block: MigrationBlock = { migration, _ in
      for (before, after) in zip(old, new) {
        guard let extra = plan[after.name] else { continue }
        for values in extra.creates { try migration.create(after.name, values) }
        if extra.visits { try Self.visit(migration, before, after, extra) }
      }
    }
    let isEmpty = !extras.values.contains { $0.visits || !$0.creates.isEmpty }
    try store.open(new, version: SchemaVersion(version), isEmpty && version % 2 == 0 ? nil : block)
    (classes, objects) = (new, expected)
  }

  private static func visit(
    _ migration: Migration, _ before: ClassSchema, _ after: ClassSchema, _ extra: Extra
  ) throws {
    try migration.enumerateObjects(ofType: after.name) { old, new in
      guard let old, let new else { return }
      let tag = Int64(try old["tag", as: Int.self])
      if tag % 5 == extra.deletes { return try migration.delete(new) }
      var values: StoreContents.Object = [:]
      for property in before.properties { values[property.name] = try old.value(property.name) }
      for property in after.properties {
        let source = MigrationModel.source(of: property, in: before, after)
        if MigrationModel.value(of: property, source, for: values) == nil {
          try new.set(property.name, to: MigrationModel.computed(property, tag))
        }
      }
    }
  }
}
