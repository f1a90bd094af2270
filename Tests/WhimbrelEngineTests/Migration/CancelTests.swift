import Foundation
import Testing
import WhimbrelEngine

/// Progress, and what remains of a migration that is stopped or fails.
struct CancelTests {
  private static let count = 300

  @Test func `reports go forward, class by class, and end once`() throws {
    let store = try BigMigration.store(1_200)
    let reports = Notes<MigrationProgress>()
    var request = BigMigration.request(store.path)
    request.progress = {
      reports.add($0)
      return .continue
    }
    _ = try StoreFile.open(request)
    let all = reports.all
    #expect(all.allSatisfy { $0.completed >= 0 && $0.completed <= $0.total })
    let phases = all.map(\.phase).reduce(into: [MigrationProgress.Phase]()) { phases, phase in
      if phases.last != phase { phases.append(phase) }
    }
    #expect(phases == [.rewriting, .indexing, .finishing])
    let rewriting = all.filter { $0.phase == .rewriting }
    #expect(rewriting.map(\.completed) == rewriting.map(\.completed).sorted())
    #expect(rewriting.last?.completed == 1_200 && rewriting.last?.total == 1_200)
    #expect(rewriting.allSatisfy { $0.className == "Item" })
    #expect(all.suffix(2).map(\.completed) == [0, 1])
    #expect(all.filter { $0.phase == .finishing }.count == 2)
  }

  // The number of all objects rewritten was reported as that of the class.
  @Test func `a late rename reports no more than there is`() throws {
    let store = try TestStore([
      ClassSchema("A", .required("a", .int)), ClassSchema("B", .required("b", .int)),
    ]) { session in
      for number in 0..<Int64(50) { try session.create("A", ["a": .int(number)]) }
      for number in 0..<Int64(5) { try session.create("B", ["b": .int(number)]) }
    }
    let reports = Notes<MigrationProgress>()
    try store.open(
      [ClassSchema("A", .required("a", .int)), ClassSchema("B", .required("c", .int))], version: 2,
      migration: { migration, _ in
        try migration.enumerateObjects(ofType: "A") { _, _ in }
        try migration.enumerateObjects(ofType: "B") { _, _ in }
        try migration.renameProperty(onType: "B", from: "b", to: "c")
      },
      progress: {
        reports.add($0)
        return .continue
      })
    #expect(reports.all.allSatisfy { $0.completed <= $0.total })
    #expect(try store.contents().values("B", "c") == [0, 1, 2, 3, 4])
  }

  @Test func `cancelled at each report in turn, the store stays as it was`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    for limit in 1..<1_000 {
      let reports = Notes<Int>()
      var request = BigMigration.request(store.path)
      request.progress = { progress in
        reports.add(0)
        return reports.count == limit && progress.phase != .finishing ? .cancel : .continue
      }
      let error = storeError { _ = try StoreFile.open(request) }
      if error == nil { break }
      #expect(error?.code == .migrationCancelled)
      #expect(try store.contents() == before)
      #expect(try store.tableNames() == before.tableNames)
      try #require(limit < 900)
    }
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test func `cancelled at each tenth, the next attempt succeeds`() throws {
    let count = 400
    let original = try BigMigration.store(count)
    for tenth in 0..<10 {
      let store = try TestStore(copying: original.path)
      let before = try store.contents()
      // Reports are 50 ms apart.
      var request = BigMigration.request(store.path) { number in
        if number == count * tenth / 10 { usleep(60_000) }
      }
      let last = Notes<Int>()
      request.progress = { progress in
        guard progress.phase == .rewriting, progress.completed >= count * tenth / 10 else {
          return .continue
        }
        last.add(progress.completed)
        return .cancel
      }
      let error = storeError { _ = try StoreFile.open(request) }
      #expect(error?.code == .migrationCancelled)
      #expect(last.all.first.map { $0 <= count * tenth / 10 + 1 } == true)
      #expect(try store.contents() == before)
      #expect(try store.tableNames() == before.tableNames)
      _ = try StoreFile.open(BigMigration.request(store.path))
      #expect(try BigMigration.problems(store, count, version: 2) == [])
    }
  }

  @Test func `it can no longer be cancelled while it finishes`() throws {
    let store = try BigMigration.store(10)
    var request = BigMigration.request(store.path)
    request.progress = { $0.phase == .finishing ? .cancel : .continue }
    _ = try StoreFile.open(request)
    #expect(try BigMigration.problems(store, 10, version: 2) == [])
  }

  @Test func `an error of the block names the object and changes nothing`() throws {
    let store = try BigMigration.store(1_200)
    let before = try store.contents()
    for number in Array(stride(from: 0, to: 1_200, by: 120)) + [1_199] {
      let error = storeError {
        _ = try StoreFile.open(
          BigMigration.request(store.path) { if $0 == number { throw BlockError() } })
      }
      #expect(error?.code == .migrationBlockFailed)
      #expect(error?.context.className == "Item")
      #expect(error?.context.objectID?.clusteredNumber == Int64(number))
      #expect(error?.context.primaryKey == "\(number)")
      #expect(error?.underlying as? BlockError == BlockError())
      #expect(error?.context.storedVersion == 1 && error?.context.declaredVersion == 2)
      #expect(try store.contents() == before)
      #expect(try store.tableNames() == before.tableNames)
    }
  }
}
