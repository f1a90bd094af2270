import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// An actor that migrates the file between the commit of its own write and the end of that write.
private actor MigratingWriter {
  private let store: Store
  private let newer: Store.Configuration
  private var migration: Task<Void, any Error>?

  init(_ configuration: Store.Configuration, _ newer: Store.Configuration) throws {
    store = try Store(configuration)
    self.newer = newer
  }

  /// Writes, migrates the file as soon as the write is in it, and changes all objects.
  func write(_ change: @escaping @Sendable (Store) throws -> Void) async throws {
    try await store.asyncWrite {
      store.objects(Shape1.Thing.self).first?.name = "written"
      // The actor runs it while the write waits for the disk.
      migration = Task { try migrate(change) }
    }
  }

  func finish() async throws { try await migration?.value }

  private func migrate(_ change: (Store) throws -> Void) throws {
    let reader = try Store(store.configuration)
    while reader.objects(Shape1.Thing.self).first?.name != "written" { try reader.refresh() }
    try reader.close()
    let migrated = try Store(newer)
    try migrated.write { try change(migrated) }
  }

  var names: [String] { store.objects(Shape1.Thing.self).map(\.name) }

  func refresh() throws { try store.refresh() }

  func writeNothing() throws { try store.write {} }
}

/// A store whose file gets another schema between its commit and its next snapshot.
@Suite struct SchemaChangedAfterWriteTests {
  private func filled() throws -> TestStore {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self])
    let store = try test.open()
    try store.write {
      try store.add(
        (0..<20).map { Shape1.Thing(key: $0, name: "n\($0)", size: $0, note: nil) })
    }
    try store.close()
    return test
  }

  // The store showed the new commit with the tables of before: all names were empty, and the next
  // call reported a damaged file.
  @Test func `a store reads objects that a newer version wrote right after its own commit`()
    async throws
  {
    let test = try filled()
    var newer = test.configuration
    newer.models = [Shape1Ranked.Thing.self, Shape1.Extra.self]
    newer.schemaVersion = 1
    let writer = try MigratingWriter(test.configuration, newer)
    try await writer.write { store in
      for thing in store.objects(Shape1Ranked.Thing.self) { thing.rank = thing.key + 1 }
    }
    let expected = ["written"] + (1..<20).map { "n\($0)" }
    #expect(await writer.names == expected)
    try await writer.refresh()
    try await writer.finish()
    #expect(await writer.names == expected)
    try await writer.writeNothing()
  }

  // The store had no objects any more. It cannot show its own commit, because it holds no snapshot of it.
  @Test func `a store that cannot use the schema after its commit keeps its snapshot`() async throws
  {
    let test = try filled()
    var newer = test.configuration
    newer.models = [Shape2.Thing.self]
    newer.schemaVersion = 1
    newer.migration = { migration, _ in
      try migration.enumerateObjects(ofType: "Thing") { _, new in new?["size"] = .string("x") }
    }
    let writer = try MigratingWriter(test.configuration, newer)
    try await writer.write { _ in }
    try await writer.finish()
    let before = (0..<20).map { "n\($0)" }
    #expect(await writer.names == before)
    for _ in 0..<2 {
      let refreshed = await #expect(throws: StoreError.self) { try await writer.refresh() }
      #expect(refreshed?.code == .schemaChangedElsewhere)
      let written = await #expect(throws: StoreError.self) { try await writer.writeNothing() }
      #expect(written?.code == .schemaChangedElsewhere)
      #expect(await writer.names == before)
    }
  }
}
