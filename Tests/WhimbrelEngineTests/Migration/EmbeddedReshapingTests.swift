import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Random changes of a schema with embedded objects, while the block gives these to other owners,
/// makes new ones and deletes: it sees at each moment what a model in plain Swift says, and so does
/// who opens the store.
struct EmbeddedReshapingTests {
  @Test(arguments: 0..<TestRun.count(40, long: 2_000) as Range<UInt64>)
  func `the block sees and leaves what the model says`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let change = Reshaping(using: &generator)
    var start = ReshapedStore(change, using: &generator)
    let store = try start.make()
    var (model, steps) = (start, [ReshapingStep]())
    for _ in 0..<Int.random(in: 0...24, using: &generator) {
      if let step = model.randomStep(using: &generator) {
        steps.append(step)
        model.run(step)
      }
    }
    let request = TestStore.request(store.path, change.new, version: 2) {
      [start, steps] migration, _ in
      var run = ReshapingRun(migration: migration, model: start, seed: seed)
      for step in steps { try run.next(step) }
    }
    let before = try store.contents()
    let codes = model.errors
    let dryRun = Result { try StoreFile.dryRunMigration(request) }
    #expect(try store.contents() == before, "seed \(seed)")
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(
      storeError { _ = try dryRun.get() }?.description == error?.description, "seed \(seed)")
    guard codes.isEmpty else {
      #expect(error.map { codes.contains($0.code) } == true, "seed \(seed): \(steps)")
      #expect(try store.contents() == before, "seed \(seed)")
      return
    }
    if let error { Issue.record("seed \(seed): \(error)") }
    model.removeOrphans()
    #expect(model.lines(try store.contents()) == model.lines, "seed \(seed): \(steps)")
    #expect(try store.findings() == [], "seed \(seed)")
    #expect(try store.tableNames() == store.contents().tableNames, "seed \(seed)")
    for outcome in try dryRun.get().classes where ["Child", "Part"].contains(outcome.className) {
      let count = try store.contents().objects[outcome.className]?.count
      #expect(outcome.objectsAfter == count, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<TestRun.count(40, long: 1_000) as Range<UInt64>)
  func `without a block, the plan and the check say it before`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let change = Reshaping(using: &generator)
    var model = ReshapedStore(change, using: &generator)
    let store = try model.make()
    let codes = model.errors
    let all = model.objects
    model.removeOrphans()
    let deleted = all.subtracting(model.objects)
    let plan = try store.plan(change.new, version: 2)
    #expect(plan.changes.reduce(0) { $0 + $1.deleted } == deleted.count, "seed \(seed): \(plan)")
    #expect(plan.changes.contains { $0.kind == .needsCode } == !codes.isEmpty, "seed \(seed)")
    let found = try store.check(change.new)
    #expect(found.allSatisfy { $0.rule == .owned } && found.count == deleted.count, "seed \(seed)")
    let error = storeError { try store.open(change.new, version: 2) }
    #expect(error.map { codes.contains($0.code) } ?? codes.isEmpty, "seed \(seed)")
    if error == nil {
      #expect(model.lines(try store.contents()) == model.lines, "seed \(seed)")
      #expect(try store.findings() == [], "seed \(seed)")
    }
  }
}

/// Carries out steps in a block, and compares what it sees with the model.
private struct ReshapingRun {
  let migration: Migration
  var model: ReshapedStore
  let seed: UInt64
  /// The children that the block has created.
  private var created: [Int64: DynamicObject] = [:]

  init(migration: Migration, model: ReshapedStore, seed: UInt64) {
    (self.migration, self.model, self.seed) = (migration, model, seed)
  }

  mutating func next(_ step: ReshapingStep) throws {
    switch step {
    case .give(let child, let place): try give(child, place)
    case .create(let child, let place):
      var values: [String: PropertyValue] = ["number": .int(child)]
      if model.change.needsValue { values["need"] = 1 }
      created[child] = try migration.create("Child", values)
      try give(child, place)
    case .empty(let place):
      let object = try owner(place)
      switch model.change.kind(place) {
      case .link: try object.set(place.property, to: PropertyValue.null)
      case .list: try object.list(place.property).removeAll()
      case .map: try object.map(place.property).removeAll()
      }
    case .delete(let owner): try migration.delete(self.owner(owner))
    case .deleteChild(let child):
      if let object = created[child] {
        try migration.delete(object)
      } else {
        try migration.enumerateObjects(ofType: "Child") { _, new in
          if let new, try new.value("number") == .int(child) { try migration.delete(new) }
        }
      }
    case .deleteAll(let name): try migration.deleteData(forType: name)
    case .visit:
      var visited: [Int64] = []
      try migration.enumerateObjects(ofType: "Child") { _, new in
        guard let new, case .int(let number) = try new.value("number") else { return }
        visited.append(number)
        if model.change.needsValue { try new.set("need", to: 1) }
      }
      #expect(visited == model.visited, "seed \(seed)")
    }
    model.run(step)
    let seen = try model.ownerPlaces.map { place in
      model.line(place, try numbers(owner(place).value(place.property)))
    }
    #expect(seen == model.ownerLines, "seed \(seed), after \(step)")
  }

  private func owner(_ place: ReshapedPlace) throws -> DynamicObject {
    try #require(
      try migration.object(ofType: place.owner, forPrimaryKey: .int(place.key)), "\(place)")
  }

  private func give(_ child: Int64, _ place: ReshapedPlace) throws {
    let link = PropertyValue.link(created[child]?.id ?? ObjectID(rawValue: UInt64(child)))
    let object = try owner(place)
    switch model.change.kind(place) {
    case .link: try object.set(place.property, to: link)
    case .list: try object.list(place.property).append(link)
    case .map: try object.map(place.property).set(link, forKey: "n\(child)")
    }
  }

  /// The numbers of the children that a value leads to: that of one created is more than its ID.
  private func numbers(_ value: PropertyValue) -> [Int64] {
    let numbers = Dictionary(created.map { ($1.id, $0) }) { first, _ in first }
    return value.ownedLinks.map { numbers[$0] ?? Int64($0.rawValue) }
  }
}
