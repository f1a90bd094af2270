import Foundation
import Testing
import WhimbrelEngine

/// What is kept of a store that is migrated in steps: backups, and what it takes to undo.
struct StepKeepingTests {
  private static func backup(_ store: TestStore) -> String { store.path + ".before" }

  private static func request(
    _ store: TestStore, failing: SchemaVersion? = nil
  ) -> OpenRequest {
    var request = SteppedMigration.request(store.path) { version, _ in
      if version == failing { throw CancellationError() }
    }
    request.migration.backupPath = backup(store)
    request.migration.keepsPreviousGeneration = true
    return request
  }

  private func version(ofFileAt path: String) throws -> SchemaVersion {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    return try StoreContents(Session(StoreFile.open(request))).version
  }

  @Test func `the first step makes the backup, and steps are undone together`() throws {
    let store = try SteppedMigration.store()
    let before = try store.contents()
    for _ in 0..<2 {
      _ = try StoreFile.open(Self.request(store))
      #expect(try store.contents().version == 3)
      #expect(try version(ofFileAt: Self.backup(store)) == 1)
      try StoreFile.open(OpenRequest(path: store.path)).undoMigration()
      #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
      let tables = try store.contents().tableNames
      #expect(try store.tableNames() == tables)
      #expect(try store.findings() == [])
    }
  }

  @Test func `steps that are resumed leave the backup as it is`() throws {
    let store = try SteppedMigration.store()
    #expect(throws: (any Error).self) { try StoreFile.open(Self.request(store, failing: 3)) }
    #expect(try store.contents().version == 2)
    #expect(try store.contents().catalog.history.last?.remainingSteps == [3])
    _ = try StoreFile.open(Self.request(store))
    #expect(try store.contents().version == 3)
    #expect(try store.contents().catalog.history.map(\.remainingSteps) == [[3], []])
    #expect(try version(ofFileAt: Self.backup(store)) == 1)
    // What the second opening did can be undone by itself.
    try StoreFile.open(OpenRequest(path: store.path)).undoMigration()
    #expect(try store.contents().version == 2)
    let tables = try store.contents().tableNames
    #expect(try store.tableNames() == tables)
  }
}
