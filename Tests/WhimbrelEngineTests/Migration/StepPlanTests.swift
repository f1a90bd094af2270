import Foundation
import Testing
import WhimbrelEngine

/// What is known of steps before they are taken.
struct StepPlanTests {
  @Test func `the plan is that of the first step, and names those after it`() throws {
    let store = try SteppedMigration.store()
    let request = SteppedMigration.request(store.path)
    let plan = try StoreFile.migrationPlan(request, try #require(request.declaration))
    #expect(plan.fromVersion == 1 && plan.toVersion == 2 && plan.remainingSteps == [3])
    #expect(plan.changes.map(\.change) == [.propertyAdded(class: "Item", property: "length")])
    #expect(plan.description.hasPrefix("From version 1 to 2, then to 3:\n"))
    #expect(try store.contents().version == 1)
    _ = try store.open(SteppedMigration.second, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { _, new in new?["length"] = 0 }
    }
    let last = try StoreFile.migrationPlan(request, try #require(request.declaration))
    #expect(last.fromVersion == 2 && last.toVersion == 3 && last.remainingSteps.isEmpty)
    #expect(last.description.hasPrefix("From version 2 to 3:\n"))
  }

  @Test func `the check is that of the first step`() throws {
    let store = try TestStore([ClassSchema("A", .optional("a", .int))]) { session in
      try session.create("A", ["a": nil])
    }
    var request = TestStore.request(
      store.path, [ClassSchema("A", .optional("a", .int))], version: 3)
    let strict = Declaration(StoreSchema(classes: [ClassSchema("A", .required("a", .int))]))
    request.migration.steps = [
      MigrationOptions.Step(to: 2, strict),
      MigrationOptions.Step(to: 3, try #require(request.declaration)),
    ]
    var rules: [MigrationFinding.Rule] = []
    try withoutActuallyEscaping({ (finding: MigrationFinding) in rules.append(finding.rule) }) {
      body in
      try StoreFile.checkMigration(
        request, StoreFile.migrationPlan(request, #require(request.declaration))
      ) {
        body($0)
        return true
      }
    }
    #expect(rules == [.required])
  }

  @Test func `a dry run takes all steps in a copy, of which nothing remains`() throws {
    let store = try SteppedMigration.store()
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
    let run = try StoreFile.dryRunMigration(SteppedMigration.request(store.path))
    #expect(run.plan.toVersion == 2 && run.plan.remainingSteps == [3])
    #expect(run.classes.map(\.rewritten) == [5] && run.marks.map(\.text) == ["to 2"])
    let next = try #require(run.nextSteps.first)
    #expect(run.nextSteps.count == 1 && next.plan.fromVersion == 2 && next.plan.toVersion == 3)
    #expect(next.classes.map(\.rewritten) == [5] && next.marks.map(\.text) == ["to 3"])
    #expect(run.description.contains("reported: to 2"))
    #expect(run.description.contains("From version 2 to 3:"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        == ["Test.whimbrel", "Test.whimbrel-lock"])
  }

  @Test func `a dry run fails as the migration does, and the store has its version`() throws {
    let store = try SteppedMigration.store()
    let folder = URL(fileURLWithPath: store.path).deletingLastPathComponent().path
    let request = SteppedMigration.request(store.path) { version, number in
      if version == 3, number == 4 { throw BlockError() }
    }
    let error = storeError { _ = try StoreFile.dryRunMigration(request) }
    #expect(error?.code == .migrationBlockFailed)
    #expect(error?.context.migrationReach?.step == 2)
    #expect(
      error?.recovery.hasSuffix("step 2 of 2 failed, and the store stays at version 1.") == true)
    #expect(try store.contents().list("Item") == SteppedMigration.objects(version: 1))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
  }

  // It read the pages of the store again, without a snapshot, and called them damaged when another
  // process wrote meanwhile. Here they are damaged indeed, as soon as there is a copy.
  @Test(arguments: [false, true])
  func `a dry run in a copy does not read the store again`(isOnline: Bool) throws {
    let part = ClassSchema.embedded("Part", .required("number", .int))
    func classes(_ size: PropertyType) -> [ClassSchema] {
      [part, ClassSchema("Item", .required("size", size), .link("part", to: "Part"))]
    }
    let store = try TestStore(classes(.int)) { session in
      for number in 0..<Int64(20) {
        let id = try session.create("Part", ["number": .int(number)])
        try session.create("Item", ["size": .int(number), "part": .link(id)])
      }
    }
    let path = store.path
    var request = TestStore.request(path, classes(.string), version: 3)
    if isOnline { request.transition = TransitionOptions() }
    request.migration.steps = [
      MigrationOptions.Step(to: 2, Declaration(StoreSchema(classes: classes(.int)))) { _, _ in
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
        for number in 2..<(try handle.seekToEnd() / page) {
          try handle.seek(toOffset: number * page)
          try handle.write(contentsOf: Data(repeating: 0xA5, count: 64))
        }
        try handle.close()
      },
      MigrationOptions.Step(to: 3, Declaration(StoreSchema(classes: classes(.string)))),
    ]
    let run = try StoreFile.dryRunMigration(request)
    #expect(run.nextSteps.map(\.objectsRewritten) == [20])
  }

  @Test func `a dry run of the last step needs no copy`() throws {
    let store = try SteppedMigration.store()
    #expect(
      storeError {
        _ = try StoreFile.open(
          SteppedMigration.request(store.path) { version, _ in
            if version == 3 { throw BlockError() }
          })
      } != nil)
    let run = try StoreFile.dryRunMigration(SteppedMigration.request(store.path))
    #expect(run.plan.fromVersion == 2 && run.nextSteps.isEmpty)
    #expect(try store.contents().version == 2)
  }
}

/// Steps that contradict themselves.
struct StepMistakeTests {
  private static func step(
    _ version: SchemaVersion, _ classes: [ClassSchema] = SteppedMigration.third
  ) -> MigrationOptions.Step {
    MigrationOptions.Step(to: version, Declaration(StoreSchema(classes: classes)))
  }

  static let cases: [([MigrationOptions.Step], [String])] = [
    ([step(3), step(2), step(3)], ["a migration step to version 2 follows one to version 3"]),
    ([step(2), step(3), step(3)], ["a migration step to version 3 follows one to version 3"]),
    (
      [step(2)], ["its last migration step leads to version 2, but its schema version is 3"]
    ),
    (
      [step(4)], ["its last migration step leads to version 4, but its schema version is 3"]
    ),
    (
      [step(3, SteppedMigration.second)],
      [
        "after its last migration step, property 'Item.length' has been removed",
        "after its last migration step, property 'Item.text' has been renamed to 'label'",
        "after its last migration step, property 'Item.half' has been added",
      ]
    ),
    (
      [step(5), step(4)],
      [
        "a migration step to version 4 follows one to version 5",
        "its last migration step leads to version 4, but its schema version is 3",
      ]
    ),
  ]

  @Test(arguments: cases)
  func `all mistakes are told before the file is touched`(
    steps: [MigrationOptions.Step], mistakes: [String]
  ) throws {
    let store = try SteppedMigration.store()
    let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
    var request = SteppedMigration.request(store.path)
    request.migration.steps = steps
    let ready = request
    let declaration = try #require(request.declaration)
    let plan = try StoreFile.migrationPlan(SteppedMigration.request(store.path), declaration)
    let uses: [() throws -> Void] = [
      { _ = try StoreFile.open(ready) },
      { _ = try StoreFile.migrationPlan(ready, declaration) },
      { _ = try StoreFile.dryRunMigration(ready) },
      { try StoreFile.checkMigration(ready, plan) { _ in true } },
    ]
    for use in uses {
      let error = storeError(use)
      #expect(error?.code == .invalidConfiguration)
      #expect(error?.context.problems == mistakes)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
  }

  @Test func `a block beside steps is a mistake`() throws {
    let store = try SteppedMigration.store()
    var request = SteppedMigration.request(store.path)
    request.migration.block = { _, _ in }
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(error?.context.problems == ["it has both a migration block and migration steps"])
  }

  @Test func `the schemas of all steps are checked, and all problems told at once`() throws {
    let store = try SteppedMigration.store()
    var request = SteppedMigration.request(store.path)
    request.migration.steps[0] = Self.step(
      2, [ClassSchema("Item", .key("a"), .key("b"), .required("", .int))])
    let error = storeError { _ = try StoreFile.open(request) }
    #expect(error?.code == .invalidSchema)
    #expect(
      error?.context.problems == [
        "In the step to version 2: The name of a property in class 'Item' is empty.",
        "In the step to version 2: Class 'Item' has several primary keys: 'a', 'b'.",
      ])
  }
}
