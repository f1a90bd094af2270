import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Whatever a migration's block deletes, replaces and sets: it reads at once as a store does
/// in which the same was done in a write.
struct RandomDeletionTests {
  /// Copies of a store, one to be migrated and one that has the new schema.
  private struct Pair {
    let migrated: TestStore
    let live: TestStore
  }

  /// How the steps are spread over the block.
  private enum Order: CaseIterable {
    /// Before anything is enumerated.
    case first
    /// While the objects of a class are enumerated, some for each.
    case during
    /// After all has been enumerated.
    case last
  }

  private func pair(
    _ script: inout DeletionScript, _ schema: [ClassSchema]
  ) throws -> Pair {
    let migrated = try TestStore(DeletionScript.schema()) { session in
      var world = LiveWorld(session: session, textClasses: [])
      try script.fill(&world)
      let all = try script.places.filter { (try? world.object($0).value("number")) != nil }
        .filter { !["Address", "Part"].contains($0.className) }
        .map { try world.object($0).reference }
      try session.create("Root", ["key": 1, "all": .list(all)])
    }
    let live = try TestStore(copying: migrated.path)
    try live.open(schema, version: 2)
    return Pair(migrated: migrated, live: live)
  }

  /// The old objects, found without a look at the new ones.
  private static func oldObjects(_ migration: Migration) throws -> [ScriptPlace: DynamicObject] {
    var found: [ScriptPlace: DynamicObject] = [:]
    func add(_ object: DynamicObject?) throws {
      guard let object else { return }
      let place = ScriptPlace(className: object.className, id: object.id)
      if found.updateValue(object, forKey: place) != nil { return }
      for property in object.classSchema.properties {
        switch property.type {
        case .link: try add(object.object(property.name))
        case .list(let element) where element.type.linkTarget != nil:
          for target in try object.list(property.name).objects() { try add(target) }
        case .map(let element) where element.type.linkTarget != nil:
          let map = try object.map(property.name)
          for key in try map.keys() { try add(map.object(forKey: key)) }
        default: break
        }
      }
    }
    let root = try migration.oldObject(ofType: "Root", forPrimaryKey: 1)
    for object in try root?.list("all").objects() ?? [] { try add(object) }
    return found
  }

  @Test(arguments: 0..<TestRun.count(16, long: 400) as Range<UInt64>)
  func `everything reads as in a store`(_ seed: UInt64) throws {
    var script = DeletionScript(seed: seed)
    let converted = Set(DeletionScript.names.filter { _ in script.generator.once(in: 2) })
    let schema = DeletionScript.schema(converting: converted)
    let pair = try pair(&script, schema)
    let before = script.steps.count
    var answers: [Int: Answers] = [:]
    let session = try pair.live.session()
    // What nobody looks at is not put right either.
    let pause = [1, 4, 1_000].randomElement(using: &script.generator) ?? 1
    try session.write {
      var world = LiveWorld(session: session, textClasses: converted)
      for _ in 0..<TestRun.count(25, long: 40) {
        let done = script.steps.count
        try script.step(&world)
        // What a step created on its way has an owner only at its end.
        guard script.steps.count > done, script.generator.once(in: pause) else { continue }
        answers[script.steps.count - before] = Answers(
          places: script.places, lines: world.everything(script.places))
      }
    }
    let order = Order.allCases.randomElement(using: &script.generator) ?? .first
    let visited = DeletionScript.names.randomElement(using: &script.generator) ?? "Person"
    let steps = Array(script.steps.dropFirst(before))
    try pair.migrated.open(schema, version: 2) { [answers] migration, _ in
      var run = ScriptRun(
        world: MigrationWorld(
          migration: migration, textClasses: converted, known: try Self.oldObjects(migration)),
        steps: steps, answers: answers, seed: seed)
      if order != .first {
        try migration.enumerateObjects(ofType: visited) { _, _ in
          if order == .during { try run.next(3) }
        }
      }
      try run.next(.max)
    }
    #expect(try pair.migrated.findings() == [], "seed \(seed)")
    #expect(try pair.live.findings() == [], "seed \(seed)")
    let (found, wanted) = (try pair.migrated.contents().objects, try pair.live.contents().objects)
    for name in DeletionScript.names + ["Root"] {
      #expect(found[name] == wanted[name], "seed \(seed), \(name)")
    }
  }
}

/// What was to be read of some objects.
private struct Answers: Sendable {
  let places: [ScriptPlace]
  let lines: [String]
}

/// Steps that are carried out one after the other, and what is to be read after some.
private struct ScriptRun {
  var world: MigrationWorld
  let steps: [ScriptStep]
  /// By how many steps have been done.
  let answers: [Int: Answers]
  let seed: UInt64
  private var done = 0

  init(
    world: MigrationWorld, steps: [ScriptStep], answers: [Int: Answers], seed: UInt64
  ) {
    (self.world, self.steps, self.answers, self.seed) = (world, steps, answers, seed)
  }

  /// Carries out some steps, or all that are left.
  ///
  /// - Throws: when something reads otherwise than it should.
  mutating func next(_ count: Int) throws {
    for step in steps.dropFirst(done).prefix(count) {
      do { try world.run(step) } catch {
        Issue.record("seed \(seed), step \(done + 1) of \(steps.count), \(step): \(error)")
        throw error
      }
      done += 1
      guard let answers = answers[done] else { continue }
      for (found, wanted) in zip(world.everything(answers.places), answers.lines)
      where found != wanted {
        Issue.record(
          """
          seed \(seed), after step \(done) of \(steps.count), \(step):
          found  \(found)
          wanted \(wanted)
          """)
        throw BlockError()
      }
    }
  }
}
