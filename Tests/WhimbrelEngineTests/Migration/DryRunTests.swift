import Foundation
import Testing
import WhimbrelEngine

/// Migrations that are carried out and thrown away.
struct DryRunTests {
  private static let count = 400

  /// A dry run that must leave everything as it was.
  private func dryRun(_ store: TestStore, _ request: OpenRequest) throws -> MigrationDryRun {
    let (before, tables) = (try store.contents(), try store.tableNames())
    let result = Result { try StoreFile.dryRunMigration(request) }
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == tables)
    #expect(try store.findings() == [])
    return try result.get()
  }

  @Test func `a dry run leaves the file as it was, and predicts the real one`() throws {
    let store = try BigMigration.store(Self.count)
    let visits = Notes<Int>()
    let request = BigMigration.request(store.path) { visits.add($0) }
    let run = try dryRun(store, request)
    #expect(visits.count == Self.count)
    #expect(run.plan == (try store.plan(BigMigration.new, version: 2)))
    let items = try #require(run.classes.first { $0.className == "Item" })
    #expect(items.objectsBefore == Self.count && items.objectsAfter == Self.count)
    #expect(items.rewritten == Self.count && items.created == 0 && items.deleted == 0)
    let notes = try #require(run.classes.first { $0.className == "Note" })
    #expect(notes.rewritten == 0 && notes.objectsAfter == 1)
    #expect(run.duration > 0)
    let coded = try JSONEncoder().encode(run)
    #expect(try JSONDecoder().decode(MigrationDryRun.self, from: coded) == run)
    _ = try StoreFile.open(request)
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    let record = try #require(try store.contents().catalog.history.last)
    #expect(record.objects == run.objectsRewritten)
    #expect(record.changes == run.changes)
    #expect(run.changes == run.plan.changes.map(\.change.description))
  }

  @Test func `objects that come and go are counted`() throws {
    let old = [
      ClassSchema("A", .key("key"), .link("b", to: "B")), ClassSchema("B", .required("b", .int)),
      ClassSchema("C", .required("c", .int)),
    ]
    let new = [
      ClassSchema("A", .key("key"), .link("b", to: "B")), ClassSchema("B", .required("b", .int)),
      ClassSchema("D", .required("d", .int)),
    ]
    let store = try TestStore(old) { session in
      for number in 0..<Int64(10) {
        let id = try session.create("B", ["b": .int(number)])
        try session.create("A", ["key": .int(number), "b": .link(id)])
        try session.create("C", ["c": .int(number)])
      }
    }
    let request = TestStore.request(store.path, new, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        guard let old, let new else { return }
        if try old["key", as: Int.self] < 3 { try migration.delete(new) }
      }
      try migration.create("A", ["key": 20])
      for number in 0..<Int64(4) { try migration.create("D", ["d": .int(number)]) }
      try migration.deleteData(forType: "C")
      for _ in 0..<2 { migration.report("seen") }
    }
    let run = try dryRun(store, request)
    func outcome(_ name: String) -> [Int] {
      guard let found = run.classes.first(where: { $0.className == name }) else { return [] }
      return [
        found.objectsBefore, found.objectsAfter, found.rewritten, found.created, found.deleted,
      ]
    }
    #expect(outcome("A") == [10, 8, 7, 1, 3])
    #expect(outcome("B") == [10, 10, 0, 0, 0])
    #expect(outcome("C") == [10, 0, 0, 0, 10])
    #expect(outcome("D") == [0, 4, 0, 4, 0])
    #expect(run.description.contains("  'A': 7 rewritten, 1 created, 3 deleted (10 → 8)"))
    #expect(run.description.contains("\n  reported: seen (2 times)"))
    _ = try StoreFile.open(request)
    let contents = try store.contents()
    #expect(contents.catalog.history.last?.marks == run.marks)
    for name in ["A", "B", "C", "D"] {
      #expect(contents.list(name).count == run.classes.first { $0.className == name }?.objectsAfter)
    }
    #expect(contents.catalog.history.last?.objects == run.objectsRewritten)
    #expect(try store.findings() == [])
  }

  @Test func `what fails in the migration fails in the dry run, in the same words`() throws {
    let store = try BigMigration.store(50)
    let failing = BigMigration.request(store.path) { number in
      if number == 30 { throw BlockError(reason: "thirty") }
    }
    let error = storeError { _ = try dryRun(store, failing) }
    #expect(error?.code == .migrationBlockFailed)
    #expect(error?.underlying as? BlockError == BlockError(reason: "thirty"))
    #expect(error?.description == storeError { _ = try StoreFile.open(failing) }?.description)
    // What shows only at the end, and what shows before the beginning.
    let requests = [
      TestStore.request(
        store.path, [ClassSchema("Item", .required("number", .int), .key("text", .int))],
        version: 2
      ) { migration, _ in
        try migration.enumerateObjects(ofType: "Item") { _, new in new?["text"] = 5 }
      },
      TestStore.request(store.path, BigMigration.new, version: 2),
      TestStore.request(store.path, BigMigration.new, version: 1),
      TestStore.request(store.path, BigMigration.old, version: 0),
    ]
    let codes: [StoreError.Code] = [
      .migrationDuplicateKeys, .migrationUnset, .schemaMismatch, .schemaVersionTooNew,
    ]
    for (request, code) in zip(requests, codes) {
      let error = storeError { _ = try dryRun(store, request) }
      #expect(error?.code == code)
      #expect(error?.description == storeError { _ = try StoreFile.open(request) }?.description)
    }
    #expect(try BigMigration.problems(store, 50, version: 1) == [])
  }

  @Test func `readers are not disturbed, and other writers are refused meanwhile`() throws {
    let store = try BigMigration.store(Self.count)
    let reader = try store.session()
    let before = try StoreContents(reader)
    let path = store.path
    let refusals = Notes<StoreError.Code?>()
    var request = BigMigration.request(path) { number in
      guard number == 100 else { return }
      let seen = try store.contents()
      #expect(seen == before)
    }
    request.migration.progress = { progress in
      // No batch is open then, for whose end a writer would wait.
      if progress.phase == .finishing {
        refusals.add(storeError { try store.write { try $0.create("Note", ["item": nil]) } }?.code)
      }
      return .continue
    }
    _ = try StoreFile.dryRunMigration(request)
    #expect(refusals.all == [.migrationInProgress])
    #expect(try StoreContents(reader) == before)
    #expect(try store.contents() == before)
    // The mark is gone, or says that only tables are left to be removed.
    try store.write { try $0.create("Note", ["item": nil]) }
    reader.close()
    _ = try StoreFile.open(BigMigration.request(path))
    #expect(try store.tableNames() == store.contents().tableNames)
    #expect(try store.findings() == [])
  }

  @Test func `a dry run is cancelled as a migration is`() throws {
    let store = try BigMigration.store(Self.count)
    var request = BigMigration.request(store.path)
    request.migration.progress = { _ in .cancel }
    #expect(storeError { _ = try dryRun(store, request) }?.code == .migrationCancelled)
  }

  @Test func `a store that is up to date or missing needs no dry run`() throws {
    let store = try BigMigration.store(10)
    let run = try dryRun(store, TestStore.request(store.path, BigMigration.old, version: 1))
    #expect(run.plan.isEmpty && run.classes.isEmpty && run.objectsRewritten == 0)
    let missing = TestStore.request(store.path + "-missing", BigMigration.old, version: 1)
    #expect(storeError { _ = try StoreFile.dryRunMigration(missing) }?.code == .fileNotFound)
    var readOnly = BigMigration.request(store.path)
    readOnly.isReadOnly = true
    #expect(
      storeError { _ = try StoreFile.dryRunMigration(readOnly) }?.code == .invalidConfiguration)
  }
}
