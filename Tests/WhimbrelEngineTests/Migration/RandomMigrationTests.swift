import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Random schemas, objects and changes over four versions, some of them skipped, against
/// an oracle.
struct RandomMigrationTests {
  @Test(arguments: 0..<TestRun.count(20, long: 1_000) as Range<UInt64>)
  func `a store holds what the oracle says`(_ seed: UInt64) throws {
    var walk = try RandomMigrationWalk(seed: seed)
    try walk.run()
  }
}

/// One store on its way through random versions.
private struct RandomMigrationWalk {
  private var generator: SeededGenerator
  /// The schema of the store, and its objects.
  private var oracle: MigrationOracle
  private var objects: MigrationOracle.Objects = [:]
  private var nextTag: Int64 = 0
  private let store: TestStore

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    oracle = MigrationOracle(using: &generator)
    store = try TestStore(oracle.schema)
  }

  mutating func run() throws {
    try write(40)
    try check("at the start")
    var next = oracle
    for version in 2...4 {
      let base = next
      next = base.changed(version, using: &generator)
      if version < 4, generator.once(in: 3) { continue }
      // What does not convert is tried, and then left.
      var attempts = 0
      while try !migrate(to: next, version: SchemaVersion(version)) {
        next = (attempts < 3 ? base : oracle).changed(version, using: &generator)
        attempts += 1
        if attempts == 8 { next = oracle }
      }
      next = oracle
      try check("after the migration to version \(version)")
      try write(20)
      try check("after writing at version \(version)")
    }
  }

  /// Compares the whole store with the oracle.
  private func check(_ moment: Comment) throws {
    let contents = try store.contents()
    let found = MigrationOracle.objects(in: contents)
    for name in oracle.classes.map(\.name) {
      for (tag, object) in objects[name] ?? [:] where found[name]?[tag] != object {
        let got = found[name]?[tag] ?? [:]
        let difference = object.filter { got[$0.key] != $0.value }.keys.sorted().map {
          "\($0) is \(got[$0] ?? "missing"), not \(object[$0] ?? "missing")"
        }
        Issue.record("\(moment): \(name) \(tag): \(difference)")
      }
      #expect(found[name]?.count ?? 0 == objects[name]?.count ?? 0, "\(moment): \(name)")
    }
    let findings = try store.findings()
    #expect(findings == [], "\(moment): \(findings.first ?? "")")
    #expect(try store.tableNames() == contents.tableNames, moment)
  }
}

// MARK: - Ordinary writes

extension RandomMigrationWalk {
  private mutating func write(_ count: Int) throws {
    let ids = MigrationOracle.tags(in: try store.contents()).mapValues { tags in
      Dictionary(tags.map { ($1, ObjectID(rawValue: $0)) }) { first, _ in first }
    }
    let session = try store.session()
    var (walk, known) = (self, ids)
    try session.write {
      for _ in 0..<count { try walk.change(in: session, &known) }
    }
    self = walk
  }

  private typealias IDs = [String: [Int64: ObjectID]]

  private mutating func change(in session: Session, _ ids: inout IDs) throws {
    guard let entry = oracle.classes.randomElement(using: &generator) else { return }
    let tags = objects[entry.name]?.keys.sorted() ?? []
    if generator.once(in: 8), let tag = tags.randomElement(using: &generator),
      let id = ids[entry.name]?[tag]
    {
      try session.table(entry.name).remove(id)
      objects[entry.name]?[tag] = nil
      oracle.removeOrphans(&objects)
    } else if !entry.isEmbedded {
      _ = try create(entry, in: session, &ids)
    }
  }

  /// Creates an object, and the embedded ones that belong to it; returns its tag.
  private mutating func create(
    _ entry: MigrationOracle.Class, in session: Session, _ ids: inout IDs
  ) throws -> Int64 {
    var values: StoreContents.Object = [:]
    for property in entry.properties where !property.isTag {
      values[property.schema.name] = try value(property, in: session, &ids)
    }
    let tag = nextTag
    nextTag += 1
    values["tag"] = .int(tag)
    for property in entry.properties where property.isKey && !property.isTag {
      values[property.schema.name] = MigrationOracle.key(property.schema.type, tag)
    }
    let classID = try session.table(MigrationOracle.linkedByAny).resolved.id
    let known = ids
    let stored = values.reduce(into: StoreContents.Object()) { stored, item in
      let type = entry.properties.first { $0.schema.name == item.key }?.schema.type
      let target = type?.linkedClass ?? MigrationOracle.linkedByAny
      stored[item.key] = MigrationOracle.translate(item.value, classID: classID) { tag in
        known[target]?[Int64(bitPattern: tag)].map { Int64(bitPattern: $0.rawValue) } ?? -1
      }
    }
    ids[entry.name, default: [:]][tag] = try session.create(entry.name, stored)
    objects[entry.name, default: [:]][tag] = values
    return tag
  }

  /// A value of a new object; links are tags.
  private mutating func value(
    _ property: MigrationOracle.Property, in session: Session, _ ids: inout IDs
  ) throws -> PropertyValue {
    let schema = property.schema
    guard let name = schema.type.linkedClass else {
      if schema.isOptional, generator.once(in: 4) { return .null }
      let tags = objects[MigrationOracle.linkedByAny]?.keys.sorted() ?? []
      if schema.type == .any, generator.once(in: 3),
        let tag = tags.randomElement(using: &generator)
      {
        let link = MigrationOracle.reference(tag)
        return generator.once(in: 3) ? .list([link, .int(1), link]) : link
      }
      return MigrationOracle.value(schema, using: &generator)
    }
    var targets: [Int64] = []
    let target = oracle.classes.first { $0.name == name }
    for _ in 0..<(schema.type.isCollection ? Int.random(in: 0...3, using: &generator) : 1) {
      if let target, target.isEmbedded {
        if generator.once(in: 2) { targets.append(try create(target, in: session, &ids)) }
      } else if let tag = objects[name]?.keys.sorted().randomElement(using: &generator) {
        targets.append(tag)
      }
    }
    return switch schema.type {
    case .list: .list(targets.map(MigrationOracle.link))
    case .set: .list(Set(targets).sorted().map(MigrationOracle.link))
    case .map:
      .map(
        targets.enumerated().reduce(into: [:]) {
          $0["l\($1.offset)"] = MigrationOracle.link($1.element)
        })
    default: targets.first.map(MigrationOracle.link) ?? .null
    }
  }
}

// MARK: - Migrations

extension RandomMigrationWalk {
  /// What the block does to a class beside what it must.
  private struct Extra: Sendable {
    var visits = false
    var deletes: Int64?
    /// A property that gets another value.
    var overwrites: MigrationOracle.Property?
    var creates: [StoreContents.Object] = []
  }

  /// A property that the block renames.
  private struct Rename: Sendable {
    var className: String
    var oldName: String
    var newName: String
  }

  /// Everything that is going to happen, and what must come of it.
  private struct Plan {
    var next: MigrationOracle
    var version: SchemaVersion
    var block: MigrationBlock?
    var expected: MigrationOracle.Objects = [:]
    /// The objects that are left when no code runs.
    var left: MigrationOracle.Objects = [:]
    /// What the check of the data must find: class, tag, property, rule.
    var findings: Set<[String]> = []
    /// Whether objects that are left when no code runs lack values.
    var failsWithoutCode = false
    /// Whether the block has to set values.
    var needsCode = false
    /// Whether there are values that the block does not set, and that do not convert.
    var isLost = false
    /// Whether only the block knows what some things are called.
    var renamesInCode = false
    var renamedProperties: [Rename] = []
  }

  /// Migrates the store, or finds that it cannot be and must not change.
  private mutating func migrate(to next: MigrationOracle, version: SchemaVersion) throws -> Bool {
    var plan = Plan(next: next, version: version)
    predict(&plan)
    let kept = next.removed.filter { _ in generator.once(in: 2) }
    // What leads to others goes for good.
    let dropped = next.removed.filter { name in
      !kept.contains(name) || hasLinks(name)
    }
    if generator.once(in: 2) { renamePropertiesInCode(&plan) }
    let needsBlock =
      plan.failsWithoutCode || plan.needsCode || plan.renamesInCode || !dropped.isEmpty
      || !plan.findings.isEmpty
    plan.expected = next.migrated(objects)
    if needsBlock || generator.once(in: 2) { addBlock(to: &plan, dropping: dropped) }
    var settled = plan.expected
    // Shared embedded objects are not of this test.
    if next.removeOrphans(&settled) { return false }
    plan.expected = settled
    try checkFindings(plan)
    try dryRunWithoutCode(plan)
    if plan.isLost {
      try expectFailure(plan, plan.block)
      return false
    }
    try dryRun(plan)
    let old = try store.contents()
    let changes = try store.plan(plan.next.schema, version: version).changes
    try store.open(plan.next.schema, version: version, plan.block)
    try checkInstant(changes, plan, old)
    (oracle, objects) = (plan.next, plan.expected)
    oracle.adoptDeclaredSchema()
    return true
  }

  /// Leaves it to the block to rename what has not got another type too.
  private func renamePropertiesInCode(_ plan: inout Plan) {
    for (index, entry) in plan.next.classes.enumerated() {
      for (position, property) in entry.properties.enumerated() {
        guard let old = property.old, old.name != property.schema.name,
          old.type == property.schema.type
        else { continue }
        plan.next.classes[index].properties[position].schema.previousNames = []
        plan.renamedProperties.append(
          Rename(className: entry.name, oldName: old.name, newName: property.schema.name))
        plan.renamesInCode = true
      }
    }
  }

  private func hasLinks(_ oldName: String) -> Bool {
    oracle.classes.first { $0.name == oldName }.map { entry in
      entry.isEmbedded
        || entry.properties.contains {
          $0.schema.type.linkedClass != nil || $0.schema.type == .any
            || $0.schema.type.elementType?.type == .any
        }
    } ?? true
  }

  /// Predicts what is found in the data, and whether it converts. What is deleted as it belongs to
  /// nobody need not.
  private func predict(_ plan: inout Plan) {
    plan.left = plan.next.left(of: objects, in: oracle)
    // The block deletes the classes that are no longer declared.
    var staying = plan.next.migrated(objects)
    plan.next.removeOrphans(&staying)
    let isUndecided = plan.next.leavesLinksToCode(objects)
    for entry in plan.next.classes {
      guard let oldName = entry.oldName else { continue }
      plan.renamesInCode = plan.renamesInCode || oldName != entry.name
      for (tag, object) in objects[oldName] ?? [:] {
        let isLeft = plan.left[entry.name]?[tag] != nil
        let stays = staying[entry.name]?[tag] != nil
        for property in entry.properties {
          let outcome = MigrationOracle.outcome(property, object)
          var rule: MigrationFinding.Rule?
          switch outcome {
          case .value(let value): if Self.isNoCase(value, property) { rule = .knownCase }
          case .missing: rule = .required
          case .lost: rule = .convertible
          case .code: break
          }
          if let rule, isLeft || isUndecided {
            plan.findings.insert([entry.name, "\(tag)", property.schema.name, rule.rawValue])
          }
          if case .value = outcome { continue }
          if isLeft { plan.failsWithoutCode = true }
          if stays, outcome == .lost { plan.isLost = true } else if stays { plan.needsCode = true }
        }
      }
    }
  }

  /// Whether a value is none of the cases that are new.
  private static func isNoCase(
    _ value: PropertyValue, _ property: MigrationOracle.Property
  ) -> Bool {
    guard let cases = property.schema.cases, let old = property.old, old.cases != cases,
      case .string(let text) = value
    else { return false }
    return !cases.contains(text)
  }
}

// MARK: - The block

extension RandomMigrationWalk {
  /// Makes the block, and applies to the objects expected what it does.
  private mutating func addBlock(to plan: inout Plan, dropping dropped: [String]) {
    var extras: [String: Extra] = [:]
    for entry in plan.next.classes {
      var extra = Extra(visits: plan.needsCode || generator.once(in: 2))
      let properties = entry.properties.filter {
        !$0.isKey && $0.schema.type.linkedClass == nil && $0.schema.cases == nil
      }
      // What the block deletes or sets anew need not convert.
      let mayChange = extra.visits && !plan.isLost
      if mayChange, generator.once(in: 3) {
        extra.deletes = Int64.random(in: 0..<5, using: &generator)
      }
      if mayChange, generator.once(in: 3) {
        extra.overwrites = properties.randomElement(using: &generator)
      }
      apply(extra, to: entry, &plan.expected)
      if !entry.isEmbedded, generator.once(in: 3) {
        for _ in 0..<3 {
          let values = entry.properties.reduce(into: StoreContents.Object()) {
            $0[$1.schema.name] = MigrationOracle.computed($1, nextTag)
          }
          extra.creates.append(values.merging(["tag": .int(nextTag)]) { $1 })
          plan.expected[entry.name, default: [:]][nextTag] = extra.creates.last
          nextTag += 1
        }
      }
      extras[entry.name] = extra
    }
    let (next, old, before, after, all) = (plan.next, oracle, objects, plan.expected, extras)
    let left = plan.left
    let renames = plan.renamedProperties
    plan.block = { migration, _ in
      for entry in next.classes { try Self.rename(entry, migration) }
      for rename in renames { try Self.rename(rename, migration) }
      for name in dropped { try migration.deleteData(forType: name) }
      for entry in next.classes where all[entry.name]?.visits == true {
        try Self.visit(entry, all[entry.name] ?? Extra(), migration)
      }
      for entry in next.classes {
        for values in all[entry.name]?.creates ?? [] { try migration.create(entry.name, values) }
      }
      try MigrationOracle.lookUp(in: old, before, next, left: left, after, migration)
    }
  }

  private func apply(
    _ extra: Extra, to entry: MigrationOracle.Class, _ objects: inout MigrationOracle.Objects
  ) {
    objects[entry.name] = objects[entry.name]?.filter { tag, _ in
      extra.deletes.map { tag % 5 != $0 } ?? true
    }
    guard let property = extra.overwrites else { return }
    for tag in (objects[entry.name] ?? [:]).keys {
      objects[entry.name]?[tag]?[property.schema.name] = MigrationOracle.computed(property, tag)
    }
  }

  /// Renames a class, every other one through a name that no version has.
  private static func rename(_ entry: MigrationOracle.Class, _ migration: Migration) throws {
    guard let oldName = entry.oldName, oldName != entry.name else { return }
    guard oldName.utf8.count % 2 == 0 else {
      return try migration.renameClass(from: oldName, to: entry.name)
    }
    try migration.renameClass(from: oldName, to: "Between" + entry.name)
    try migration.renameClass(from: "Between" + entry.name, to: entry.name)
  }

  private static func rename(_ rename: Rename, _ migration: Migration) throws {
    let between = rename.oldName.utf8.count % 2 == 0 ? rename.newName : "between"
    try migration.renameProperty(
      onType: rename.className, from: rename.oldName, to: between)
    guard between != rename.newName else { return }
    try migration.renameProperty(onType: rename.className, from: between, to: rename.newName)
  }

  private static func visit(
    _ entry: MigrationOracle.Class, _ extra: Extra, _ migration: Migration
  ) throws {
    try migration.enumerateObjects(ofType: entry.name) { old, new in
      guard let old, let new else { return }
      let tag = Int64(try old["tag", as: Int.self])
      if tag % 5 == extra.deletes { return try migration.delete(new) }
      var values: StoreContents.Object = [:]
      for property in entry.properties {
        guard let name = property.old?.name else { continue }
        values[name] = try old.value(name)
      }
      for property in entry.properties {
        let isOverwritten = property.schema.name == extra.overwrites?.schema.name
        let outcome = MigrationOracle.outcome(property, values)
        if isOverwritten || outcome == .code || outcome == .missing {
          try new.set(property.schema.name, to: MigrationOracle.computed(property, tag))
        }
      }
    }
  }
}

// MARK: - What else must be true

extension RandomMigrationWalk {
  private func request(_ plan: Plan, _ block: MigrationBlock?) -> OpenRequest {
    TestStore.request(store.path, plan.next.schema, version: plan.version, migration: block)
  }

  /// What the check finds is what the oracle says, object by object.
  private func checkFindings(_ plan: Plan) throws {
    // It knows nothing of what the block renames.
    if plan.renamesInCode { return }
    let tags = MigrationOracle.tags(in: try store.contents())
    var found: Set<[String]> = []
    for finding in try store.check(plan.next.schema, version: plan.version) {
      guard let property = finding.propertyName else { continue }
      let oldName = plan.next.classes.first { $0.name == finding.className }?.oldName ?? ""
      let tag = tags[oldName]?[finding.objectID.rawValue] ?? -1
      found.insert([finding.className, "\(tag)", property, finding.rule.rawValue])
    }
    #expect(found == plan.findings)
  }

  /// Without code, a migration fails if objects that are left lack values, and else does not.
  private func dryRunWithoutCode(_ plan: Plan) throws {
    if plan.renamesInCode { return }
    if plan.failsWithoutCode { return try expectFailure(plan, nil) }
    let run = try StoreFile.dryRunMigration(request(plan, nil))
    for entry in plan.next.classes where entry.oldName != nil {
      let outcome = run.classes.first { $0.className == entry.name }
      let count = plan.left[entry.name]?.count ?? 0
      #expect((outcome?.objectsAfter ?? 0) - (outcome?.copied ?? 0) == count, "\(entry.name)")
    }
  }

  private func expectFailure(_ plan: Plan, _ block: MigrationBlock?) throws {
    let before = try store.contents()
    let error = storeError { _ = try StoreFile.open(request(plan, block)) }
    let codes: [StoreError.Code] = [.migrationNil, .migrationUnset, .conversionFailed]
    #expect(error.map { codes.contains($0.code) } == true, "\(error.map { "\($0)" } ?? "done")")
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
  }

  /// A dry run says what becomes of the objects, and leaves them as they are.
  private func dryRun(_ plan: Plan) throws {
    let before = try store.contents()
    let run = try StoreFile.dryRunMigration(request(plan, plan.block))
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
    for entry in plan.next.classes {
      let old = Set((entry.oldName.flatMap { objects[$0] } ?? [:]).keys)
      let new = Set((plan.expected[entry.name] ?? [:]).keys)
      let outcome = run.classes.first { $0.className == entry.name }
      #expect(outcome?.objectsBefore ?? 0 == old.count, "\(entry.name)")
      #expect(outcome?.objectsAfter ?? 0 == new.count, "\(entry.name)")
      #expect(outcome?.created ?? 0 == new.subtracting(old).count, "\(entry.name)")
      #expect(outcome?.deleted ?? 0 == old.subtracting(new).count, "\(entry.name)")
    }
  }

  /// Without code, only those classes are written whose changes the plan calls a rewrite;
  /// embedded ones also when their objects go.
  private func checkInstant(
    _ changes: [MigrationPlan.Change], _ plan: Plan, _ old: StoreContents
  ) throws {
    guard plan.block == nil else { return }
    let new = try store.contents()
    for entry in plan.next.classes where !entry.isEmbedded && !entry.wasEmbedded {
      guard let oldName = entry.oldName else { continue }
      let isRewritten = changes.contains { change in
        change.change.className == entry.name && [.rewrite, .needsCode].contains(change.kind)
      }
      if isRewritten { continue }
      #expect(new.generation(entry.name) == old.generation(oldName), "\(entry.name)")
    }
  }
}

extension MigrationOracle.Property {
  /// Whether objects are found by their tags.
  var isPrimaryTag: Bool { isTag && schema.isPrimaryKey }
}
