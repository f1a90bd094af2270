import Foundation
import Testing
import WhimbrelEngine

/// Migrations that run out of space or memory, sooner or later.
@Suite(.serialized) struct FaultTests {
  private static let count = 120

  // The file may grow by so many pages; each limit fails at another write.
  @Test func `without space at any point the store is the old or the new one`() async throws {
    let original = try BigMigration.store(Self.count)
    let size = try original.size()
    let page = 4_096
    var failures = 0
    var pages = 0
    while true {
      let store = try BigMigration.store(0)
      try FileManager.default.removeItem(atPath: store.path)
      try FileManager.default.removeItem(atPath: store.path + "-lock")
      try FileManager.default.copyItem(atPath: original.path, toPath: store.path)
      await #expect(processExitsWith: .success) {
        [path = store.path as String, limit = (size + pages * page) as Int] in
        _ = unsafe signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
        let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        #expect(code == 0)
        let error = storeError { _ = try StoreFile.open(BigMigration.request(path)) }
        if let error {
          let codes: [StoreError.Code] = [.diskQuotaExceeded, .noSpace, .ioError]
          #expect(codes.contains(error.code))
        }
      }
      let version = try store.contents().version
      #expect(try BigMigration.problems(store, Self.count, version: version) == [])
      _ = try StoreFile.open(BigMigration.request(store.path))
      #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
      #expect(try store.tableNames() == store.contents().tableNames)
      if version == 2 { break }
      failures += 1
      pages += isLongRun ? (pages < 20 ? 1 : 37) : (pages < 4 ? 2 : 97)
      try #require(pages < 20_000)
    }
    #expect(failures >= 3)
  }

  @Test func `a small map grows with the migration`() throws {
    let store = try BigMigration.store(Self.count)
    var request = BigMigration.request(store.path)
    request.maximumSize = (try store.size() + 65_536) & ~4_095
    _ = try StoreFile.open(request)
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
  }

  @Test func `a map that cannot grow leaves the old store`() throws {
    let store = try BigMigration.store(Self.count)
    let before = try store.contents()
    do {
      // A snapshot of this process keeps the map from growing.
      var small = OpenRequest(path: store.path)
      small.maximumSize = (try store.size() + 65_536) & ~4_095
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
