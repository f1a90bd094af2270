import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// The first shape with an index.
enum Shape1Indexed {
  @Model("Thing") final class Thing {
    @PrimaryKey var key: Int
    @Indexed var name: String
    var size: Int
    var note: String?
  }
}

/// The first shape with a property that only this one has.
enum Shape1Ranked {
  @Model("Thing") final class Thing {
    @PrimaryKey var key: Int
    var name: String
    var size: Int
    var note: String?
    var rank: Int = 0
  }
}

/// An object with collections, whose places in the class change.
private enum Basket1 {
  @Model final class Basket {
    @PrimaryKey var key: Int
    var counts: StoredList<Int>
    var tags: StoredSet<String>
    var notes: StoredMap<String, String>
  }
}

private enum Basket2 {
  @Model final class Basket {
    @PrimaryKey var key: Int
    var name: String = ""
    var others: StoredList<Int>
    var notes: StoredMap<String, String>
    var tags: StoredSet<String>
    var counts: StoredList<Int>
  }
}

private enum Basket3 {
  @Model final class Basket {
    @PrimaryKey var key: Int
    var tags: StoredSet<String>
    var counts: String
  }
}

/// A store that is open while the schema of its file changes.
@Suite struct SchemaChangedElsewhereTests {
  private func opened() throws -> (TestStore, Store) {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self])
    let store = try test.open()
    try store.write {
      try store.add(
        (0..<50).map { Shape1.Thing(key: $0, name: "n\($0)", size: $0, note: nil) })
    }
    return (test, store)
  }

  private static let migration: MigrationBlock = { migration, _ in
    try migration.enumerateObjects(ofType: "Thing") { old, new in
      guard let old, let new else { return }
      new["size"] = .string("\(try old["size", as: Int.self])")
    }
  }

  @Test func `a migration under an open store is an error at refresh and at write`() throws {
    let (test, store) = try opened()
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    let migrated = try test.open([Shape2.Thing.self], version: 1, migration: Self.migration)
    #expect(migrated.objects(Shape2.Thing.self).map(\.size) == (0..<50).map(String.init))
    // The snapshot is that of before.
    #expect(thing.name == "n0")
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))

    for _ in 0..<3 {
      let error = try expectError(.schemaChangedElsewhere) { try store.refresh() }
      #expect(!error.context.changes.isEmpty)
      try expectError(.schemaChangedElsewhere) {
        try store.write { Issue.record("The write must not begin.") }
      }
    }
    try migrated.write { migrated.objects(Shape2.Thing.self).first?.size = "x" }
    #expect(migrated.objects(Shape2.Thing.self).first?.size == "x")
    #expect(try migrated.integrityFindings().isEmpty)
  }

  // The snapshot moved on although the tables were those of before, so that all
  // objects were gone.
  @Test func `a refresh that fails leaves what the store shows`() throws {
    let (test, store) = try opened()
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    let migrated = try test.open([Shape2.Thing.self], version: 1, migration: Self.migration)
    try expectError(.schemaChangedElsewhere) { try store.refresh() }
    #expect(store.objects(Shape1.Thing.self).count == 50)
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    #expect(!thing.isInvalidated)
    try expectError(.schemaChangedElsewhere) { try store.write {} }
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    withExtendedLifetime(migrated) {}
  }

  // The write released the snapshot before it waited. The store then showed no objects, and a live
  // object read as empty.
  @Test func `a write that waits for a migration leaves what the store shows`() throws {
    let (test, store) = try opened()
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    let hasBegun = DispatchSemaphore(value: 0)
    let next = Store.Configuration(
      url: test.url, models: [Shape2.Thing.self], schemaVersion: 1,
      migration: { migration, version in
        hasBegun.signal()
        usleep(200_000)
        try Self.migration(migration, version)
      })
    let migrated = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = try? Store(next)
      migrated.signal()
    }
    hasBegun.wait()
    try expectError(.schemaChangedElsewhere) {
      try store.write { Issue.record("The write must not begin.") }
    }
    migrated.wait()
    #expect(thing.name == "n0")
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    #expect(try store.objects(Shape1.Thing.self).frozen.count == 50)
  }

  // A live object found its table again through the table that it had, which the
  // change of the schema had freed.
  @Test func `live objects survive a compatible change`() throws {
    let (test, store) = try opened()
    let things = Array(store.objects(Shape1.Thing.self))
    #expect(things.map(\.size) == Array(0..<50))
    for round in 0..<5 {
      let models: [any Model.Type] =
        round % 2 == 0
        ? [Shape1.Thing.self, Shape1.Extra.self, Small.self, Odd.self]
        : [Shape1.Thing.self, Shape1.Extra.self]
      let other = try test.open(models)
      if round % 2 == 0 {
        try other.write { try other.create(Small.self, value: ["key": Int64(round)]) }
      }
      #expect(try store.refresh())
      // Reuses what was freed.
      let noise = (0..<2_000).map { [UInt8](repeating: 0xAA, count: 64 + $0 % 512) }
      #expect(things.map(\.size) == Array(0..<50))
      #expect(things.allSatisfy { !$0.isInvalidated })
      #expect(noise.count == 2_000)
      try store.write { for thing in things { thing.note = "\(round)" } }
    }
    #expect(things.allSatisfy { $0.note == "4" })
    try test.expectWhole()
  }

  @Test func `a new class and a new index go through under an open store`() throws {
    let (test, store) = try opened()
    let tuned = try test.open([Shape1Indexed.Thing.self, Shape1.Extra.self, Small.self])
    #expect(tuned.objects(Shape1Indexed.Thing.self).count == 50)
    // The index that was added has to be kept by who knew nothing of it.
    do {
      try store.write {
        try store.add(Shape1.Thing(key: 100, name: "new", size: 1, note: nil))
        store.objects(Shape1.Thing.self).first?.name = "changed"
      }
    } catch StoreError.Code.schemaChangedElsewhere {
      Issue.record("An index that was added is no reason to refuse a write.")
    }
    try tuned.refresh()
    #expect(tuned.objects(Shape1Indexed.Thing.self).count == 51)
    #expect(try tuned.integrityFindings().isEmpty)
  }

  // An app and its widget may declare different models of one file.
  @Test func `a store that does without a model leaves others alone`() throws {
    let (test, store) = try opened()
    let extra = Shape1.Extra(text: "e", thing: nil)
    try store.write { try store.add(extra) }
    let widget = try test.open([Shape1.Thing.self])
    try widget.write { widget.objects(Shape1.Thing.self).first?.size = 70 }
    #expect(try store.refresh())
    #expect(extra.text == "e")
    try store.write {
      extra.thing = store.objects(Shape1.Thing.self).first
      extra.text = "changed"
    }
    #expect(extra.thing?.size == 70)
    try store.write { try store.deleteAll() }
    #expect(store.objects(Shape1.Extra.self).isEmpty)
    #expect(extra.isInvalidated)
    try test.expectWhole()
  }

  // It was taken for a mistake of the code, and stopped the program.
  @Test func `dynamic results of a class that has gone are empty, and the next call says why`()
    throws
  {
    let (test, full) = try opened()
    try full.write { try full.add(Shape1.Extra(text: "e", thing: nil)) }
    try full.close()
    let store = try test.open([Shape1.Thing.self])
    let extras = try store.dynamicObjects("Extra")
    let extra = try #require(extras.first)
    let migrated = try test.open([Shape1.Thing.self], version: 1) { migration, _ in
      try migration.deleteData(forType: "Extra")
    }
    #expect(try store.refresh())
    let reads: [() -> Bool] = [
      { extras.count == 0 }, { extras.isEmpty }, { extras.first == nil }, { extras.last == nil },
      { extras.ids.isEmpty }, { extras.map(\.id).isEmpty }, { extras.limit(1).isEmpty },
      { extra["text"] == .null },
    ]
    for read in reads {
      #expect(read())
      try expectError(.unknownClass) { try store.refresh() }
    }
    #expect(extra.className == "Extra" && "\(extras)".contains("'Extra'"))
    try expectError(.unknownClass) { try extra.value("text") }
    try expectError(.unknownClass) { try store.write { try store.delete(extra) } }
    try expectError(.unknownClass) { try store.write { try store.delete(extras) } }
    #expect(store.objects(Shape1.Thing.self).count == 50)
    withExtendedLifetime(migrated) {}
  }

  // They kept the position of their property, and read and changed the one that is there now.
  @Test func `dynamic collections follow their property when another store changes the schema`()
    throws
  {
    let test = try TestStore([Basket1.Basket.self])
    let first = try test.open()
    try first.write {
      let basket = Basket1.Basket(key: 1)
      basket.counts.append(objectsIn: [1, 2])
      basket.tags.insert("t")
      basket.notes["k"] = "v"
      try first.add(basket)
    }
    try first.close()
    let store = try test.open([])
    let basket = try #require(try store.dynamicObjects("Basket").first)
    let (counts, tags, notes) = (
      try basket.list("counts"), try basket.set("tags"), try basket.map("notes")
    )
    #expect(try counts.values() == [1, 2])

    _ = try test.open([Basket2.Basket.self], version: 1)
    #expect(try store.refresh())
    #expect(try counts.values() == [1, 2])
    #expect(try tags.values() == ["t"])
    #expect(try notes.values() == ["k": "v"])
    try store.write {
      try counts.append(3)
      try tags.insert("u")
      try notes.set("w", forKey: "l")
    }
    #expect(try basket.value("counts") == .list([1, 2, 3]))
    #expect(try basket.value("tags") == .list(["t", "u"]))
    #expect(try basket.value("notes") == .map(["k": "v", "l": "w"]))
    #expect(try basket.value("others") == .list([]))

    _ = try test.open([Basket3.Basket.self], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Basket") { _, new in try new?.set("counts", to: "") }
    }
    #expect(try store.refresh())
    try expectError(.wrongType) { try counts.count() }
    try expectError(.wrongType) { try store.write { try counts.removeAll() } }
    try expectError(.unknownProperty) { try notes.keys() }
    #expect(try tags.values() == ["t", "u"])
  }

  @Test func `dynamic results by a property that has gone are empty, and the next call says why`()
    throws
  {
    let (test, store) = try opened()
    _ = try test.open([Shape1Ranked.Thing.self, Shape1.Extra.self], version: 1)
    #expect(try store.refresh())
    let things = try store.dynamicObjects("Thing")
    let sorted = try things.sorted(by: "rank")
    let thing = try #require(sorted.first)
    #expect(sorted.count == 50 && thing["rank"] == 0)
    _ = try test.open([Shape1.Thing.self, Shape1.Extra.self], version: 2)
    #expect(try store.refresh())
    let reads: [() -> Bool] = [
      { sorted.count == 0 }, { sorted.first == nil }, { sorted.ids.isEmpty },
      { sorted.map(\.id).isEmpty }, { thing["rank"] == .null },
    ]
    for read in reads {
      #expect(read())
      try expectError(.unknownProperty) { try store.refresh() }
    }
    #expect(things.count == 50 && thing["name"] == "n0")
  }

  // Models find properties by their positions.
  @Test func `another order of the properties goes through under an open store`() throws {
    let (test, store) = try opened()
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    let tuned = try test.open([Shape1Tuned.Thing.self, Shape1.Extra.self])
    #expect(try store.refresh())
    #expect(thing.name == "n0" && thing.size == 0 && thing.note == nil)
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    try store.write {
      thing.size = 70
      thing.note = "changed"
      try store.add(Shape1.Thing(key: 100, name: "new", size: 1, note: "x"))
    }
    try tuned.refresh()
    let same = try #require(tuned.object(ofType: Shape1Tuned.Thing.self, forPrimaryKey: 0))
    #expect(same.size == 70 && same.name == "n0" && same.note == "changed")
    let new = try #require(tuned.object(ofType: Shape1Tuned.Thing.self, forPrimaryKey: 100))
    #expect(new.size == 1 && new.name == "new" && new.note == "x")
    #expect(try tuned.integrityFindings().isEmpty)
  }

  @Test func `another process adds a class under an open store`() async throws {
    let (test, store) = try opened()
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let configuration = Store.Configuration(
        url: URL(fileURLWithPath: path),
        models: [Shape1.Thing.self, Shape1.Extra.self, Small.self])
      let other = try Store(configuration)
      try other.write {
        try other.add(Small(key: 1))
        other.objects(Shape1.Thing.self).first?.size = 77
      }
    }
    #expect(thing.size == 0)
    #expect(try store.refresh())
    #expect(thing.size == 77)
    try store.write { thing.size = 78 }
    try test.expectWhole()
  }

  @Test func `another process migrates under an open store`() async throws {
    let (test, store) = try opened()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let configuration = Store.Configuration(
        url: URL(fileURLWithPath: path), models: [Shape2.Thing.self], schemaVersion: 1,
        migration: SchemaChangedElsewhereTests.migration)
      let other = try Store(configuration)
      #expect(other.objects(Shape2.Thing.self).count == 50)
    }
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    try expectError(.schemaChangedElsewhere) { try store.write {} }
    try expectError(.schemaChangedElsewhere) { try store.refresh() }
    let now = try test.open([Shape2.Thing.self], version: 1)
    #expect(now.objects(Shape2.Thing.self).map(\.size) == (0..<50).map(String.init))
    #expect(try now.integrityFindings().isEmpty)
  }

  /// A migration that says when it is about to take effect, and waits before it does.
  private static func slow(_ path: String) -> Store.Configuration {
    Store.Configuration(
      url: URL(fileURLWithPath: path), models: [Shape2.Thing.self], schemaVersion: 1,
      migration: Self.migration,
      migrationProgress: { progress in
        // No batch is open then, for whose end a writer would wait.
        guard progress.phase == .finishing, progress.completed == 0 else { return .continue }
        Signal.send(path + ".begun")
        try? Signal.wait(for: path + ".go")
        return .continue
      })
  }

  @Test(.oneAtATime)
  func `while another process migrates, an open store shows what it did before`() async throws {
    let (test, store) = try opened()
    let path = test.url.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      _ = try Store(SchemaChangedElsewhereTests.slow(path))
    }
    try await Signal.arrival(of: path + ".begun")
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    try store.refresh()
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    let error = try expectError(.migrationInProgress) {
      try store.write { Issue.record("The write must not begin.") }
    }
    #expect(error.context.processID != nil && error.context.processID != getpid())
    #expect(thing.name == "n0" && store.objects(Shape1.Thing.self).count == 50)
    Signal.send(path + ".go")
    _ = await child
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    #expect(store.objects(Shape1.Thing.self).map(\.name) == (0..<50).map { "n\($0)" })
    for _ in 0..<2 {
      let change = SchemaChange.propertyRetyped(
        class: "Thing", property: "size", from: .int, to: .string)
      let refusal = try expectError(.schemaChangedElsewhere) { try store.refresh() }
      #expect(refusal.context.changes.contains(change))
      try expectError(.schemaChangedElsewhere) {
        try store.write { Issue.record("The write must not begin.") }
      }
    }
    #expect(thing.size == 0 && store.objects(Shape1.Thing.self).count == 50)
    let now = try test.open([Shape2.Thing.self], version: 1)
    #expect(now.objects(Shape2.Thing.self).map(\.size) == (0..<50).map(String.init))
  }
}
