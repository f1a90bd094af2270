import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Progress, and what remains of a migration that is stopped or fails.
struct CancelTests {
  private static let count = 300

  @Test func `reports go forward, class by class, and end once`() throws {
    let store = try BigMigration.store(1_200)
    let reports = Notes<MigrationProgress>()
    var request = BigMigration.request(store.path)
    request.migration.progress = {
      reports.add($0)
      return .continue
    }
    _ = try StoreFile.open(request)
    let all = reports.all
    #expect(all.allSatisfy { $0.completed >= 0 && $0.completed <= $0.total })
    let order: [MigrationProgress.Phase] = [.rewriting, .indexing, .finishing]
    let phases = all.compactMap { order.firstIndex(of: $0.phase) }
    #expect(phases == phases.sorted() && phases.count == all.count && phases.first == 0)
    let rewriting = all.filter { $0.phase == .rewriting }
    #expect(rewriting.map(\.completed) == rewriting.map(\.completed).sorted())
    #expect(rewriting.allSatisfy { $0.className == "Item" && $0.total == 1_200 })
    #expect(all.suffix(2).map(\.completed) == [0, 1])
    #expect(all.filter { $0.phase == .finishing }.count == 2)
  }

  // Each index counted its entries from 1 again, after the objects were counted.
  @Test func `the progress of indexes goes forward, whatever their number`() throws {
    let store = try TestStore([
      ClassSchema("Item", .required("a", .int), .required("b", .string), .required("c", .int))
    ]) { session in
      for number in 0..<Int64(40) {
        try session.create(
          "Item", ["a": .int(number), "b": .string("text \(number % 7)"), "c": .int(-number)])
      }
    }
    let new = ClassSchema(
      "Item", .key("a"), .indexed("b", .string), .indexed("c", .int))
    let reports = Notes<MigrationProgress>()
    var request = TestStore.request(store.path, [new], version: 2)
    request.migration.probe = MigrationProbe()
    request.migration.probe?.reportsEachObject = true
    request.migration.progress = {
      reports.add($0)
      return .continue
    }
    _ = try StoreFile.open(request)
    let completed = reports.all.filter { $0.phase == .indexing }.map(\.completed)
    #expect(completed == completed.sorted() && completed.last == 40)
    #expect(Set(completed).count > 30)
  }

  @Test func `reports say how many bytes are written, and how many there will be`() throws {
    let store = try BigMigration.store(1_200)
    let reports = Notes<MigrationProgress>()
    var request = BigMigration.request(store.path)
    request.migration.progress = {
      reports.add($0)
      return .continue
    }
    let plan = try store.plan(BigMigration.new, version: 2)
    _ = try StoreFile.open(request)
    let all = reports.all
    #expect(all.map(\.bytes) == all.map(\.bytes).sorted())
    #expect(all.allSatisfy { $0.bytes <= $0.totalBytes && $0.totalBytes >= plan.bytes })
    let last = try #require(all.last)
    #expect(last.bytes > 1_200 * (BigMigration.textSize - 100))
    // The plan counts pages, of which a text may leave nearly half empty.
    #expect(Double(last.bytes) > 0.45 * Double(plan.bytes))
    #expect(Double(last.bytes) < 1.4 * Double(plan.bytes))
  }

  // The end of each class was reported too: a store of many small classes reported all the
  // time.
  @Test func `reports are 50 ms apart, but for the last`() throws {
    let names = (0..<40).map { "C\($0)" }
    let store = try TestStore(names.map { ClassSchema($0, .required("a", .int)) }) { session in
      for name in names {
        for number in 0..<Int64(20) { try session.create(name, ["a": .int(number)]) }
      }
    }
    let reports = Notes<(MigrationProgress, ContinuousClock.Instant)>()
    try store.open(
      names.map { ClassSchema($0, .indexed("a", .string)) }, version: 2, migration: nil,
      progress: {
        reports.add(($0, .now))
        return .continue
      })
    let before = reports.all.filter { $0.0.phase != .finishing }.map(\.1)
    let gaps = zip(before.dropFirst(), before).map { $0 - $1 }
    #expect(gaps.allSatisfy { $0 > .milliseconds(45) })
    #expect(reports.all.last?.0.completed == 1)
    #expect(try store.findings() == [])
  }

  @Test func `a class that several changes rewrite counts once`() throws {
    let store = try BigMigration.store(50)
    let (one, two) = (
      [ClassSchema("Item", .key("number"), .required("text", .data)), BigMigration.old[1]],
      [
        ClassSchema("Item", .key("number"), .required("text", .data), .required("x", .int)),
        BigMigration.old[1],
      ]
    )
    let plans = try [one, two].map { try store.plan($0, version: 2) }
    #expect(plans[0].bytes > 40 * BigMigration.textSize && plans[0].bytes == plans[1].bytes)
    #expect(plans[1].changes.filter { $0.bytes > 0 }.count == 2)
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
      request.migration.progress = { progress in
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

  @Test(.takesLong) func `cancelled at each tenth, the next attempt succeeds`() throws {
    let count = 400
    let original = try BigMigration.store(count)
    for tenth in 0..<10 {
      let store = try TestStore(copying: original.path)
      let before = try store.contents()
      // Reports are 50 ms apart, and quick objects do not even look at the clock.
      var request = BigMigration.request(store.path) { _ in usleep(1_100) }
      let last = Notes<Int>()
      request.migration.progress = { progress in
        guard progress.phase == .rewriting, progress.completed >= count * tenth / 10 else {
          return .continue
        }
        last.add(progress.completed)
        return .cancel
      }
      let error = storeError { _ = try StoreFile.open(request) }
      #expect(error?.code == .migrationCancelled)
      #expect(last.all.first.map { $0 <= count * tenth / 10 + 60 } == true)
      #expect(try store.contents() == before)
      #expect(try store.tableNames() == before.tableNames)
      _ = try StoreFile.open(BigMigration.request(store.path))
      #expect(try BigMigration.problems(store, count, version: 2) == [])
    }
  }

  @Test func `a migration that finishes can no longer be cancelled`() throws {
    let store = try BigMigration.store(10)
    var request = BigMigration.request(store.path)
    request.migration.progress = { $0.phase == .finishing ? .cancel : .continue }
    _ = try StoreFile.open(request)
    #expect(try BigMigration.problems(store, 10, version: 2) == [])
  }

  @Test(.takesLong) func `an error of the block names the object and changes nothing`() throws {
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
