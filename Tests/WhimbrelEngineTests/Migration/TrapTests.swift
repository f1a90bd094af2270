import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Traps that other embedded stores fell into, as far as no other test has them.
struct TrapTests {
  private static let old = [
    ClassSchema("A", .key("key"), .required("text", .string), .list("list", .int)),
    ClassSchema("B", .link("a", to: "A")),
  ]
  private static let new = [
    ClassSchema("A", .key("key"), .required("note", .string), .list("list", .string)), old[1],
  ]

  private func store() throws -> TestStore {
    try TestStore(Self.old) { session in
      for number in 0..<Int64(60) {
        let id = try session.create(
          "A",
          [
            "key": .int(number), "text": .string(String(repeating: "t", count: 40)),
            "list": [.int(number), 1],
          ])
        try session.create("B", ["a": .link(id)])
      }
    }
  }

  private static let block: MigrationBlock = { migration, _ in
    try migration.enumerateObjects(ofType: "A") { old, new in
      new?["note"] = .string("\(try #require(old)["text", as: String.self].count)")
    }
  }

  // Trap 1: classes that the opened schema lacks were deleted.
  @Test func `opening with fewer classes deletes nothing, at any version`() throws {
    let store = try store()
    let before = try store.contents()
    for version in [1, 2, 3] as [SchemaVersion] { try store.open([], version: version) }
    try store.open(Self.old, version: 4)
    #expect(try store.contents().objects == before.objects)
    #expect(try store.findings() == [])
  }

  // Trap 2: a new index was empty until objects were written.
  @Test func `an index that is added has every object, whatever else changes`() throws {
    let store = try store()
    let indexed = [
      ClassSchema("A", .key("key"), .indexed("text", .string), .list("list", .string)), Self.old[1],
    ]
    try store.open(indexed, version: 2)
    // The check compares each index with the records.
    #expect(try store.findings() == [])
    #expect(try store.tableNames().contains { $0.hasPrefix("c1.") && $0.contains(".i") })
  }

  // Trap 4: the version lay outside of the file, and a copy had none.
  @Test func `the version is in the file, and goes with a copy of it`() throws {
    let store = try store()
    try store.open(Self.new, version: 7, Self.block)
    let copy = store.path + "-copy"
    try FileManager.default.copyItem(atPath: store.path, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let called = Notes<SchemaVersion>()
    var request = TestStore.request(copy, Self.new, version: 8) { _, version in called.add(version)
    }
    _ = try StoreFile.open(request)
    #expect(called.all == [7])
    request.schemaVersion = 7
    #expect(storeError { _ = try StoreFile.open(request) }?.code == .schemaVersionTooNew)
  }

  // Trap 6: data that is not as expected ended the process.
  @Test func `a damaged file is an error in a migration that checks it, never a crash`() throws {
    let store = try store()
    let healthy = try Data(contentsOf: URL(fileURLWithPath: store.path))
    let good = try store.contents()
    var refused = 0
    let step = TestRun.isLong ? 64 : 1_024
    for (round, offset) in stride(from: 8_192, to: healthy.count - 8, by: step).enumerated() {
      var bytes = healthy
      let place = offset + round % 8 * 8
      for index in place..<min(place + 8, bytes.count) { bytes[index] ^= UInt8(1 + round % 255) }
      let path = store.path + "-\(round)"
      defer {
        try? FileManager.default.removeItem(atPath: path)
        try? FileManager.default.removeItem(atPath: path + "-lock")
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      var request = TestStore.request(path, Self.new, version: 2, migration: Self.block)
      var reading = OpenRequest(path: path)
      (request.file.checks, reading.file.checks) = (.allPages, .allPages)
      do {
        _ = try StoreFile.dryRunMigration(request)
        _ = try StoreFile.open(request)
        let session = try Session(StoreFile.open(reading))
        // What was hit then belongs to nothing that the objects have.
        #expect(try StoreContents(session).values("A", "key") == good.values("A", "key"))
      } catch {
        #expect(error is StoreError, "\(error)")
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  // Trap 10: the error of an open said nothing.
  @Test func `an error of an open has both versions and the first difference`() throws {
    let store = try store()
    let error = try #require(storeError { try store.open(Self.new, version: 1) })
    #expect(error.context.storedVersion == 1)
    #expect(error.context.changes.first == .propertyRemoved(class: "A", property: "text"))
    #expect(error.message.contains("Property 'A.text' has been removed."))
    let older = try #require(storeError { try store.open(Self.old, version: 0) })
    #expect(older.context.storedVersion == 1 && older.context.declaredVersion == 0)
  }

  // Trap 17: IDs that were given out in the code's own file collided when branches met.
  @Test func `files that got their classes in another order are the same to the code`() throws {
    let branches = [Self.old, Self.old.reversed()]
    let stores = try branches.map { order in
      let store = try TestStore([])
      for count in 1...order.count {
        let known = Array(order.prefix(count))
        // B links to A: it comes with it.
        let classes = known.contains { $0.name == "A" } ? known : Self.old
        try store.open(classes, version: SchemaVersion(UInt64(count + 1)))
      }
      try store.write { session in
        let id = try session.create("A", ["key": 1, "text": "t", "list": []])
        try session.create("B", ["a": .link(id)])
      }
      return store
    }
    for store in stores {
      try store.open(Self.new, version: 9, Self.block)
      #expect(try store.contents().values("A", "note") == ["1"])
      #expect(try store.findings() == [])
    }
  }
}
