import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Backups, fresh starts and undoing, as an app uses them.
@Suite struct KeepingTests {
  private static let migration: MigrationBlock = { migration, _ in
    try migration.enumerateObjects(ofType: "Thing") { old, new in
      guard let old, let new else { return }
      new["size"] = .string("\(try old["size", as: Int.self])")
    }
  }

  /// A store of version 0, and the configuration of version 1.
  private func prepared() throws -> (test: TestStore, next: Store.Configuration) {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self])
    let store = try test.open()
    try store.write {
      try store.add((0..<50).map { Shape1.Thing(key: $0, name: "n\($0)", size: $0, note: nil) })
    }
    var next = test.configuration
    next.models = [Shape2.Thing.self]
    next.schemaVersion = 1
    next.migration = Self.migration
    return (test, next)
  }

  private func beside(_ test: TestStore, _ name: String) -> URL {
    test.url.deletingLastPathComponent().appending(path: name)
  }

  @Test func `a backup is the store of before`() throws {
    var (test, next) = try prepared()
    let url = beside(test, "before.whimbrel")
    next.backup = .before(url)
    let store = try Store(next)
    #expect(store.objects(Shape2.Thing.self).map(\.size) == (0..<50).map(String.init))
    var old = test.configuration
    old.url = url
    old.isReadOnly = true
    let copy = try Store(old)
    #expect(copy.uuid == store.uuid)
    #expect(copy.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    #expect(copy.migrationHistory.isEmpty)
    #expect(try copy.integrityFindings().isEmpty)
  }

  @Test func `a URL that leads to no file is refused before anything is touched`() throws {
    let (test, next) = try prepared()
    let web = try #require(URL(string: "https://example.org/zones"))
    var (first, second) = (next, next)
    first.backup = .before(web)
    second.whenMigrationFails = .startFresh(movingOldTo: web)
    for configuration in [first, second] {
      try expectError(.invalidConfiguration) { try Store(configuration) }
    }
    #expect(try test.open().objects(Shape1.Thing.self).count == 50)
  }

  @Test func `a store that cannot be migrated starts fresh, and says so`() throws {
    var (test, next) = try prepared()
    next.migration = { _, _ in throw RollBack() }
    try expectError(.migrationBlockFailed) { try Store(next) }
    next.whenMigrationFails = .startFresh(movingOldTo: beside(test, "failed.whimbrel"))
    let store = try Store(next)
    let start = try #require(store.freshStart)
    #expect(start.reason.underlying is RollBack)
    #expect(start.oldStore == beside(test, "failed.whimbrel"))
    #expect(store.objects(Shape2.Thing.self).isEmpty)
    #expect(try Store(next).freshStart == nil)
    var old = test.configuration
    old.url = start.oldStore
    #expect(try Store(old).objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
  }

  /// A block that knows only the version before meets an older file. Opening threw each time, so
  /// the app never got a store.
  @Test func `a store that a frozen declaration does not match starts fresh`() throws {
    var (test, next) = try prepared()
    next.migration = { migration, _ in
      try migration.enumerate(Shape2.Thing.self, Shape2.Thing.self) { old, new in
        new.size = old.size
      }
    }
    try expectError(.shapeMismatch) { try Store(next) }
    next.whenMigrationFails = .startFresh(movingOldTo: beside(test, "failed.whimbrel"))
    let start = try #require(try Store(next).freshStart)
    #expect(start.reason.code == .shapeMismatch)
    var old = test.configuration
    old.url = start.oldStore
    #expect(try Store(old).objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
  }

  @Test func `a store opened from a task starts fresh too`() async throws {
    var (test, next) = try prepared()
    next.migration = { _, _ in throw RollBack() }
    next.whenMigrationFails = .startFresh(movingOldTo: beside(test, "failed.whimbrel"))
    let store = try await Store.open(next)
    #expect(store.freshStart != nil)
  }

  @Test func `a migration is undone, and other stores are told`() throws {
    var (test, next) = try prepared()
    next.keepsPreviousGeneration = true
    let store = try Store(next)
    let other = try Store(next)
    #expect(store.canUndoMigration)
    try store.undoMigration()
    try expectError(.storeClosed) { try store.write {} }
    try expectError(.storeClosed) { try store.undoMigration() }

    #expect(other.objects(Shape2.Thing.self).map(\.size) == (0..<50).map(String.init))
    try expectError(.schemaChangedElsewhere) { try other.refresh() }
    try expectError(.schemaChangedElsewhere) { try other.write {} }
    try expectError(.undoNotPossible) { try other.undoMigration() }
    #expect(other.objects(Shape2.Thing.self).count == 50)

    let old = try test.open()
    #expect(old.schemaVersion == 0)
    #expect(old.objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
    #expect(old.migrationHistory.isEmpty)
    try old.write { try old.add(Shape1.Thing(key: 100, name: "new", size: 100, note: nil)) }
    try test.expectWhole()
    #expect(try Store(next).objects(Shape2.Thing.self).count == 51)
  }

  @Test func `a migration that was written to is not undone, and the store stays open`() throws {
    var (test, next) = try prepared()
    next.keepsPreviousGeneration = true
    let store = try Store(next)
    try store.write { try expectError(.nestedWrite) { try store.undoMigration() } }
    #expect(store.canUndoMigration)
    try store.write { store.objects(Shape2.Thing.self).first?.size = "x" }
    #expect(!store.canUndoMigration)
    let error = try expectError(.undoNotPossible) { try store.undoMigration() }
    #expect(error.context.count == 1)
    #expect(store.objects(Shape2.Thing.self).first?.size == "x")
    try store.discardPreviousGeneration()
    try store.write { store.objects(Shape2.Thing.self).first?.size = "y" }
    #expect(try store.integrityFindings().isEmpty)
    withExtendedLifetime(test) {}
  }

  // It was true wherever the file could be undone, also by a store whose call throws.
  @Test func `only a store that can write now can undo a migration`() throws {
    var (test, next) = try prepared()
    next.keepsPreviousGeneration = true
    let store = try Store(next)
    next.isReadOnly = true
    let reader = try Store(next)
    #expect(!reader.canUndoMigration)
    try expectError(.readOnlyStore) { try reader.undoMigration() }
    try store.write { #expect(!store.canUndoMigration) }
    #expect(store.canUndoMigration)
    withExtendedLifetime(test) {}
  }

  @Test func `another process is told too`() async throws {
    var (test, next) = try prepared()
    next.keepsPreviousGeneration = true
    let store = try Store(next)
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let other = try Store(
        Store.Configuration(
          url: URL(fileURLWithPath: path), models: [Shape2.Thing.self], schemaVersion: 1))
      try other.undoMigration()
    }
    #expect(store.objects(Shape2.Thing.self).count == 50)
    try expectError(.schemaChangedElsewhere) { try store.refresh() }
    try store.close()
    #expect(try test.open().objects(Shape1.Thing.self).map(\.size) == Array(0..<50))
  }
}
