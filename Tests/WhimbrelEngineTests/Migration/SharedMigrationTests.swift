import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Migrations beside readers, writers and other migrations.
@Suite(.serialized) struct SharedMigrationTests {
  private static let count = 400

  @Test func `a reader of this process keeps its snapshot until it refreshes`() throws {
    let store = try BigMigration.store(Self.count)
    let reader = try store.session()
    let before = try StoreContents(reader)
    let path = store.path
    _ = try StoreFile.open(
      BigMigration.request(path) { number in
        guard number == 300 else { return }
        let seen = try store.contents()
        #expect(seen == before)
      })
    #expect(try StoreContents(reader) == before)
    #expect(try reader.refresh())
    #expect(try StoreContents(reader).version == 2)
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    // The reader had kept old tables from being dropped; the next open does it.
    reader.close()
    _ = try StoreFile.open(BigMigration.request(path))
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test(.takesLong, .oneAtATime)
  func `a reader of another process keeps its snapshot, and a writer is refused`()
    async throws
  {
    let store = try BigMigration.store(Self.count)
    let path = store.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      let session = try Session(StoreFile.open(OpenRequest(path: path)))
      let before = try StoreContents(session)
      Signal.send(path + ".reading")
      try Signal.wait(for: path + ".migrating")
      #expect(try StoreContents(session) == before)
      // A session of its own, for a write moves the snapshot.
      let writer = try Session(StoreFile.open(OpenRequest(path: path)))
      let error = storeError {
        _ = try writer.write { try writer.create("Note", ["item": nil]) }
      }
      #expect(error?.code == .migrationInProgress)
      Signal.send(path + ".refused")
      try Signal.wait(for: path + ".migrated")
      #expect(try StoreContents(session) == before)
      #expect(try session.refresh())
      #expect(try StoreContents(session).version == 2)
      #expect(try IntegrityCheck.run(session).isEmpty)
      _ = try session.write { try session.create("Note", ["item": nil]) }
    }
    try await Signal.arrival(of: path + ".reading")
    var request = BigMigration.request(path)
    request.migration.progress = { progress in
      // Before the flip no batch is open, for whose end a writer would wait.
      guard progress.phase == .finishing, progress.completed == 0 else { return .continue }
      Signal.send(path + ".migrating")
      try? Signal.wait(for: path + ".refused")
      return .continue
    }
    _ = try StoreFile.open(request)
    Signal.send(path + ".migrated")
    _ = await child
    #expect(try store.contents().list("Note").count == 2)
  }

  @Test func `of threads that migrate at once one does it, and all succeed`() async throws {
    let store = try BigMigration.store(Self.count)
    let path = store.path
    let visits = Notes<Int>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let error = storeError {
            _ = try StoreFile.open(BigMigration.request(path) { visits.add($0) })
          }
          #expect(error == nil)
        }
      }
    }
    #expect(visits.count == Self.count)
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test func `of processes that migrate at once one does it, and all succeed`() async throws {
    let store = try BigMigration.store(Self.count)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = store.path as String] in
            let session = try Session(StoreFile.open(BigMigration.request(path)))
            #expect(try StoreContents(session).version == 2)
          }
        }
      }
    }
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    #expect(try store.contents().catalog.history.count == 1)
  }

  // Who had waited for a newer app's migration then migrated back to its own,
  // lower version.
  @Test(.oneAtATime)
  func `who waits for a migration to a newer version does not undo it`() async throws {
    let store = try BigMigration.store(20)
    let path = store.path
    async let newer = Task.detached {
      storeError {
        _ = try StoreFile.open(
          TestStore.request(path, BigMigration.old, version: 3) { _, _ in
            Signal.send(path + ".begun")
            usleep(300_000)
          })
      }
    }.value
    try await Signal.arrival(of: path + ".begun")
    let error = storeError { _ = try StoreFile.open(BigMigration.request(path)) }
    #expect(error?.code == .schemaVersionTooNew)
    #expect(await newer == nil)
    #expect(try BigMigration.problems(store, 20, version: 3) == [])
  }

  // What a writer had committed after the migration had counted the objects, and
  // before it had put its mark, was left out: objects lost, an empty index.
  @Test(.oneAtATime, arguments: 0..<TestRun.count(12, long: 300))
  func `a writer at the begin of a migration loses nothing`(_ round: Int) async throws {
    let store = try TestStore(BigMigration.old)
    let path = store.path
    let indexed = [
      ClassSchema("Item", .key("number"), .indexed("text", .string)), BigMigration.old[1],
    ]
    let writer = try store.session()
    let begun = path + ".begun"
    let migrator = Task { [store] in
      try await Signal.arrival(of: begun)
      usleep(UInt32(round * 37 % 600))
      if round % 2 == 0 {
        _ = try StoreFile.open(BigMigration.request(path))
      } else {
        try store.open(indexed, version: 1)
      }
    }
    var written = 0
    for number in 0..<200 {
      if number == 1 { Signal.send(begun) }
      let error = storeError {
        try writer.write {
          guard writer.loaded.header.catalogRevision == 1 else { throw BlockError() }
          try writer.create(
            "Item",
            ["number": .int(Int64(number)), "text": .string(BigMigration.text(number))])
          written = number + 1
        }
      }
      if error?.code == .migrationInProgress { break }
      if try store.contents().catalog.classes != StoreContents(writer).catalog.classes { break }
    }
    try await migrator.value
    #expect(try store.findings() == [])
    #expect(try store.contents().list("Item").count >= written - 1)
    if round % 2 == 0 {
      let lengths = try store.contents().values("Item", "length")
      #expect(lengths == lengths.indices.map { .int(Int64(BigMigration.length($0))) })
    }
  }
}
