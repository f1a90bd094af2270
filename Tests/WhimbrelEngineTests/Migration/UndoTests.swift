import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Undoing the last migration, as long as nothing is lost by it.
struct UndoTests {
  private static let count = 60

  private static func request(_ path: String) -> OpenRequest {
    var request = BigMigration.request(path)
    request.migration.keepsPreviousGeneration = true
    return request
  }

  /// A store that has been migrated from version 1 to 2, and what it was before.
  private func migrated() throws -> (store: TestStore, before: StoreContents) {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    _ = try StoreFile.open(Self.request(store.path))
    return (store, before)
  }

  private func undo(_ store: TestStore) throws {
    try StoreFile.open(OpenRequest(path: store.path)).undoMigration()
  }

  private func canUndo(_ store: TestStore) throws -> Bool {
    try StoreFile.open(OpenRequest(path: store.path)).canUndoMigration()
  }

  /// Expects that only the tables of the catalog are there.
  private func expectNoLeftovers(
    _ store: TestStore, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let tables = try store.contents().tableNames
    #expect(try store.tableNames() == tables, sourceLocation: sourceLocation)
  }

  private func expectRefused(
    _ store: TestStore, commits: Int?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // Opening it would drop what is of no use.
    let file = try StoreFile.attach(OpenRequest(path: store.path))
    let before = try StoreContents(Session(file))
    #expect(try !file.canUndoMigration(), sourceLocation: sourceLocation)
    let error = storeError { try file.undoMigration() }
    #expect(error?.code == .undoNotPossible, sourceLocation: sourceLocation)
    #expect(error?.context.count == commits, sourceLocation: sourceLocation)
    #expect(try StoreContents(Session(file)) == before, sourceLocation: sourceLocation)
  }

  @Test func `the file is what it was before, and can be migrated again`() throws {
    let (store, before) = try migrated()
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    for _ in 0..<3 {
      try undo(store)
      #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
      #expect(try BigMigration.problems(store, Self.count, version: 1) == [])
      try expectNoLeftovers(store)
      #expect(try !canUndo(store))
      _ = try StoreFile.open(Self.request(store.path))
      #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    }
  }

  // LMDB may end the process when it meets a damaged page, and it was only checked before other
  // writes.
  @Test func `it is refused in a damaged file, which stays as it is`() throws {
    let (store, _) = try migrated()
    let url = URL(filePath: store.path)
    let whole = try Data(contentsOf: url)
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    var checked = OpenRequest(path: store.path)
    (checked.isReadOnly, checked.file.checks) = (true, .allPages)
    var refused = 0
    for page in 2..<whole.count / pageSize where refused < 5 {
      var bytes = whole
      bytes[page * pageSize + 10] ^= 0x40
      try bytes.write(to: url)
      guard (try? StoreFile.open(checked)) == nil,
        let file = try? StoreFile.open(OpenRequest(path: store.path))
      else { continue }
      refused += 1
      #expect(storeError { try file.undoMigration() }?.code == .damaged)
      #expect(storeError { try file.discardPreviousGeneration() }?.code == .damaged)
      #expect(try Data(contentsOf: url) == bytes)
    }
    #expect(refused > 0)
  }

  // The error was that the file does not exist, and that opening the store creates it.
  @Test func `it is refused when the file has been deleted or moved`() throws {
    let (store, _) = try migrated()
    let session = try store.session()
    let moved = URL(filePath: store.path).deletingLastPathComponent().path + "/moved.whimbrel"
    try FileManager.default.moveItem(atPath: store.path, toPath: moved)
    #expect(storeError { try session.file.undoMigration() }?.code == .storeMoved)
    #expect(storeError { try session.file.discardPreviousGeneration() }?.code == .storeMoved)
    try FileManager.default.moveItem(atPath: moved, toPath: store.path)
    session.close()
    #expect(try canUndo(store))
  }

  @Test func `objects written after it get the IDs that they would have got`() throws {
    let classes = [ClassSchema("Thing", .required("a", .int))]
    let store = try TestStore(classes) { session in
      for number in 0..<Int64(3) { try session.create("Thing", ["a": .int(number)]) }
    }
    var request = TestStore.request(store.path, classes, version: 2) { migration, _ in
      for number in 0..<5 { try migration.create("Thing", ["a": .int(Int64(number))]) }
    }
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    #expect(try store.contents().list("Thing").count == 8)
    try undo(store)
    let session = try store.session()
    #expect(try session.table("Thing").nextObjectIDInFile() == 4)
  }

  @Test func `an instant change is undone by the catalog alone`() throws {
    let (old, new) = (
      [ClassSchema("Thing", .required("a", .int), .indexed("b", .int))],
      [
        ClassSchema("Thing", .required("x", .int, was: "a"), .optional("c", .string)),
        ClassSchema("Other", .required("n", .int)),
      ]
    )
    let store = try TestStore(old) { session in
      for number in 0..<Int64(9) {
        try session.create("Thing", ["a": .int(number), "b": .int(-number)])
      }
    }
    let before = try store.contents()
    var request = TestStore.request(store.path, new, version: 2)
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    #expect(try store.contents().generation("Thing") == 1)
    #expect(try store.contents().values("Thing", "c") == Array(repeating: .null, count: 9))
    try undo(store)
    #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
    #expect(try store.findings() == [])
    try expectNoLeftovers(store)
    // The table of the class that came and went is empty when it comes again.
    _ = try StoreFile.open(request)
    #expect(try store.contents().list("Other") == [])
  }

  @Test func `a class whose data was deleted comes back`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    var request = TestStore.request(store.path, [BigMigration.old[0]], version: 2) { migration, _ in
      _ = try migration.deleteData(forType: "Note")
    }
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    #expect(try store.contents().catalog["Note"] == nil)
    try undo(store)
    #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
    #expect(try store.findings() == [])
  }

  @Test func `undoing is refused after a write, which stays`() throws {
    let (store, _) = try migrated()
    try store.write { session in try session.create("Note", ["item": .null]) }
    try expectRefused(store, commits: 1)
    let session = try Session(StoreFile.attach(OpenRequest(path: store.path)))
    for _ in 0..<2 { try session.write { _ = try session.create("Note", ["item": .null]) } }
    try expectRefused(store, commits: 3)
    #expect(try store.contents().list("Note").count == 4)
    #expect(try store.contents().list("Item").count == Self.count)
  }

  @Test func `what is kept goes when it is of no use, with the next opening`() throws {
    let (store, _) = try migrated()
    let tables = try store.contents().tableNames
    #expect(try store.tableNames().isStrictSuperset(of: tables))
    try store.write { session in try session.create("Note", ["item": .null]) }
    _ = try StoreFile.open(BigMigration.request(store.path))
    try expectNoLeftovers(store)
    try expectRefused(store, commits: nil)
  }

  @Test func `a write that changes nothing, and openings, do not stand in its way`() throws {
    let (store, before) = try migrated()
    try store.write { _ in }
    let session = try store.session()
    _ = storeError {
      try session.write {
        try session.create("Note", ["item": .null])
        throw StoreError.nestedWrite()
      }
    }
    for _ in 0..<3 { _ = try StoreFile.open(Self.request(store.path)) }
    #expect(try canUndo(store))
    session.close()
    try undo(store)
    #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
  }

  // The tables that the block looks objects up in are removed after the flip; that counts
  // for no write.
  @Test func `a reader that keeps tables from being removed does not stand in its way`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    let reader = try store.session()
    var request = TestStore.request(store.path, BigMigration.new, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        _ = try migration.object(ofType: "Item", forPrimaryKey: 3)
        try new?.set("length", to: 1)
      }
    }
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    #expect(try canUndo(store))
    #expect(try StoreContents(reader) == before)
    reader.close()
    _ = try StoreFile.open(request)
    #expect(try canUndo(store))
    let late = try store.session()
    try undo(store)
    #expect(try StoreContents(late).version == 2)
    #expect(try late.refresh())
    #expect(try StoreContents(late).withoutNextNumbers == before.withoutNextNumbers)
    late.close()
    _ = try StoreFile.open(TestStore.request(store.path, BigMigration.old, version: 1))
    try expectNoLeftovers(store)
  }

  // The other process had the tables still under their old names, which a second migration
  // would have used again.
  @Test func `another process that has the store open can migrate it again`() async throws {
    let store = try BigMigration.store(Self.count)
    let reader = try store.session()
    var request = Self.request(store.path)
    let extra = ClassSchema("Extra", .indexed("a", .int))
    request.declaration = Declaration(StoreSchema(classes: BigMigration.new + [extra]))
    let block = request.migration.block
    for round in 0..<3 {
      request.migration.block = { migration, version in
        try block?(migration, version)
        // A table that is not empty when it is dropped, and is made again by the flip.
        for number in 0..<(round == 0 ? 50 : 0) {
          try migration.create("Extra", ["a": .int(Int64(number))])
        }
      }
      _ = try StoreFile.open(request)
      #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
      await #expect(processExitsWith: .success) { [path = store.path as String] in
        let file = try StoreFile.open(OpenRequest(path: path))
        try file.undoMigration()
        let session = try Session(file)
        #expect(try StoreContents(session).version == 1)
        #expect(try Set(file.environment.tableNames()) == StoreContents(session).tableNames)
      }
      #expect(try reader.refresh())
      #expect(try BigMigration.problems(store, Self.count, version: 1) == [])
    }
    _ = try StoreFile.open(request)
    for number in 0..<Int64(5) {
      try store.write { session in try session.create("Extra", ["a": .int(number)]) }
    }
    #expect(try store.contents().values("Extra", "a") == [0, 1, 2, 3, 4])
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test func `without the setting nothing is kept`() throws {
    let store = try BigMigration.store(5)
    _ = try StoreFile.open(BigMigration.request(store.path))
    try expectNoLeftovers(store)
    try expectRefused(store, commits: nil)
  }

  @Test(arguments: [true, false])
  func `the next migration replaces what is kept`(_ isKept: Bool) throws {
    let (store, _) = try migrated()
    let second = try store.contents()
    var request = TestStore.request(
      store.path, [ClassSchema("Item", .key("number"), .required("text", .string))], version: 3
    ) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { _, new in new?["text"] = "short" }
    }
    request.migration.keepsPreviousGeneration = isKept
    _ = try StoreFile.open(request)
    if isKept {
      try undo(store)
      #expect(try store.contents().withoutNextNumbers == second.withoutNextNumbers)
      try expectRefused(store, commits: nil)
    } else {
      try expectRefused(store, commits: nil)
    }
    try expectNoLeftovers(store)
    #expect(try store.findings() == [])
  }

  @Test func `what is kept can be dropped`() throws {
    let (store, _) = try migrated()
    let file = try StoreFile.open(OpenRequest(path: store.path))
    try file.discardPreviousGeneration()
    try expectNoLeftovers(store)
    try expectRefused(store, commits: nil)
    try file.discardPreviousGeneration()
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test func `a store opened for reading only is not undone`() throws {
    let (store, _) = try migrated()
    var request = OpenRequest(path: store.path)
    request.isReadOnly = true
    let file = try StoreFile.open(request)
    #expect(storeError { try file.undoMigration() }?.code == .readOnlyStore)
    #expect(storeError { try file.discardPreviousGeneration() }?.code == .readOnlyStore)
    #expect(try file.canUndoMigration())
  }

  // LMDB numbers the transactions of a compacted copy anew: after some writes the number
  // was that of the migration again, and the writes would have been lost.
  @Test func `a compacted copy is never undone`() throws {
    let (store, _) = try migrated()
    let copy = store.path + ".copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try StoreFile.open(OpenRequest(path: store.path)).environment.copy(to: copy, isCompacted: true)
    for _ in 0..<40 {
      let session = try Session(StoreFile.open(OpenRequest(path: copy)))
      #expect(try !session.file.canUndoMigration())
      _ = try session.write { try session.create("Note", ["item": .null]) }
    }
    #expect(try canUndo(store))
  }

  @Test(arguments: [0, 8, 16, 20, 24, 60, 200])
  func `damage of what is kept is no more than a refusal`(_ offset: Int) throws {
    let (store, _) = try migrated()
    let file = try StoreFile.attach(OpenRequest(path: store.path))
    try file.environment.write { view throws(LMDBError) in
      var bytes = try view.reading.value(.main, MainKey.previous)?.array ?? []
      if offset < bytes.count { bytes[offset] ^= 0xFF }
      if offset == 0 { bytes.removeLast(bytes.count - 7) }
      try view.put(.main, MainKey.previous, bytes)
    }
    try expectRefused(store, commits: nil)
    _ = try StoreFile.open(BigMigration.request(store.path))
    try expectNoLeftovers(store)
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test(arguments: 0..<TestRun.count(25, long: 300))
  func `random changes are undone exactly`(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let old = MigrationModel.schema(using: &generator)
    let new = MigrationModel.changed(old, version: 2, using: &generator)
    let store = try TestStore(old) { session in
      for tag in 0..<Int64(30) {
        for schema in old {
          var values: StoreContents.Object = ["tag": .int(tag)]
          for property in schema.properties where property.name != "tag" {
            values[property.name] = MigrationModel.value(property.type, using: &generator)
          }
          try session.create(schema.name, values)
        }
      }
    }
    let before = try store.contents()
    var request = TestStore.request(store.path, new, version: 2) { migration, _ in
      for (before, after) in zip(old, new) where MigrationModel.needsCode(before, after) {
        try migration.enumerateObjects(ofType: after.name) { _, new in
          for property in after.properties where property.name != "tag" {
            try new?.set(property.name, to: MigrationModel.computed(property, 3))
          }
        }
      }
    }
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    let after = try store.contents()
    try undo(store)
    #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
    #expect(try store.findings() == [])
    try expectNoLeftovers(store)
    _ = try StoreFile.open(request)
    #expect(try store.contents().objects == after.objects)
    #expect(try store.findings() == [])
  }
}
