import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Migrations that run out of space or memory, sooner or later.
@Suite(.serialized) struct FaultTests {
  private static let count = 120

  // The file may grow by so many pages; each limit fails at another write.
  @Test(arguments: [CrashScenario.rewrite, .instant, .classes])
  func `without space at any point the store is the old or the new one`(
    _ scenario: CrashScenario
  ) async throws {
    let comparison = try Self.comparison(scenario)
    let size = try comparison.original.size()
    var isDone = false
    for pages in Self.pages where !isDone {
      let copy = try TestStore(copying: comparison.original.path)
      await #expect(processExitsWith: .success) {
        [
          path = copy.path as String, scenario = scenario as CrashScenario,
          limit = (size + pages * Self.pageSize) as Int
        ] in
        _ = unsafe signal(SIGXFSZ, SIG_IGN)
        try limitFiles(to: limit)
        if let error = storeError({ try scenario.run(path) }) {
          #expect([.diskQuotaExceeded, .noSpace, .ioError].contains(error.code), "\(error)")
        }
      }
      let result = try comparison.problems(copy)
      #expect(result.problems == [], "\(pages) pages")
      isDone = result.isDone
    }
    #expect(isDone)
  }

  @Test(
    .takesLong,
    .enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"),
    arguments: [CrashScenario.rewrite, .instant, .classes, .dryRun])
  func `on a full disk the store is the old or the new one`(_ scenario: CrashScenario) throws {
    let comparison = try Self.comparison(scenario)
    let disk = try #require(SmallDisk(kibibytes: 32 << 10))
    let copy = try TestStore(copying: comparison.original.path, to: disk.path)
    let original = try Data(contentsOf: URL(filePath: comparison.original.path))
    var isDone = false
    for pages in Self.pages where !isDone {
      try disk.emptyAgain()
      try original.write(to: URL(filePath: copy.path))
      try disk.fill(leaving: pages * Self.pageSize)
      let error = storeError { try scenario.run(copy.path) }
      if let error { #expect([.noSpace, .ioError].contains(error.code), "\(error)") }
      try disk.emptyAgain()
      let result = try comparison.problems(copy)
      #expect(result.problems == [], "\(pages) pages")
      isDone = error == nil
      #expect(result.isDone == isDone || scenario == .dryRun)
    }
    #expect(isDone)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user may not mount a small disk"))
  func `sorting on a full disk is an error and leaves no file`() throws {
    let disk = try #require(SmallDisk(kibibytes: 512))
    var sorter = ExternalSorter(memory: 8_192)
    let error = #expect(throws: LMDBError.self) {
      for number in 0..<100_000 {
        try sorter.add(Array("key \(number)".utf8), spillingBeside: disk.path + "/store")
      }
    }
    #expect(error?.code.rawValue == ENOSPC)
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
  }

  private static let pageSize = 4_096

  /// How much space there is, each time.
  private static var pages: [Int] {
    TestRun.isLong ? Array(0..<20_000) : [0, 1, 2, 5, 20, 100, 20_000]
  }

  private static func comparison(_ scenario: CrashScenario) throws -> CrashComparison {
    let isBig = scenario == .rewrite || scenario == .dryRun
    return try CrashComparison(scenario, isBig ? BigMigration.store(count) : nil)
  }

  @Test func `a small map grows with the migration`() throws {
    let store = try BigMigration.store(Self.count)
    var request = BigMigration.request(store.path)
    request.file.maximumSize = (try store.size() + 65_536) & ~4_095
    _ = try StoreFile.open(request)
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test func `a map that cannot grow leaves the old store`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    do {
      // A snapshot of this process keeps the map from growing.
      var small = OpenRequest(path: store.path)
      small.file.maximumSize = (try store.size() + 65_536) & ~4_095
      let reader = try Session(StoreFile.open(small))
      let error = storeError { _ = try StoreFile.open(BigMigration.request(store.path)) }
      #expect(error?.code == .mapFull)
      #expect(try StoreContents(reader) == before)
    }
    #expect(try store.contents() == before)
    _ = try StoreFile.open(BigMigration.request(store.path))
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }
}
