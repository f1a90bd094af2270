import Foundation
import Testing

@testable import WhimbrelLMDB

@Suite struct GrowthTests {
  private static let tiny = 64 << 10

  @Test func `a write many times the size of the map is replayed until it fits`() throws {
    let file = try EnvironmentTestFile(mapSize: Self.tiny)
    let lease = try file.open(mapSize: Self.tiny)
    let environment = lease.environment
    let table = try environment.numbers
    let value = [UInt8](repeating: 3, count: 1_000)
    var runs = 0
    let sum = try environment.write { view throws(LMDBError) in
      runs += 1
      var sum = 0
      for key in 0..<2_000 {
        try PageBytes.with(value) { value throws(LMDBError) in
          _ = try view.put(table, UInt64(key), value)
        }
        sum += key
      }
      return sum
    }
    #expect(sum == 1_999_000)
    #expect(runs > 3, "the map was large enough at once, and nothing was tested")
    let found = try environment.marks()
    #expect(found.marks == [3] && found.count == 2_000)
    #expect(try environment.information().mapSize >= 2_000_000)
    _ = try FileStructure.inspect(path: file.path).checkPages()
  }

  // Each took 1 TiB of the 128 TiB that a process has. The 148th file could not be opened, and the
  // program stopped at its next large allocation.
  @Test func `many open files leave address space to the program`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StructureTestFolder()
      var options = Environment.Options()
      options.syncsCommits = false
      var environments: [Environment] = []
      for number in 0..<200 {
        let path = folder.file("\(number).mdb")
        environments.append(try Environment.openUnregistered(path: path, options: options))
      }
      for environment in environments {
        #expect(try environment.information().mapSize >= 1 << 34)
      }
      try Environment.requireAddressSpace(1 << 38)
      withExtendedLifetime(folder) {}
    }
  }

  @Test func `growing waits for transactions, and gives up`() throws {
    let file = try EnvironmentTestFile(mapSize: Self.tiny)
    let environment = try file.environment(mapSize: Self.tiny)
    let reader = try ReadTransaction(environment)
    #expect(throws: LMDBError(code: .mapFull, function: "mdb_env_set_mapsize")) {
      try environment.grow(to: Self.tiny * 4, patience: .milliseconds(20))
    }
    #expect(try environment.information().mapSize == Self.tiny)
    _ = consume reader
    try environment.grow(to: Self.tiny * 4, patience: .milliseconds(20))
    #expect(try environment.information().mapSize == Self.tiny * 4)
  }

  @Test func `growing happens once a snapshot has been reset`() async throws {
    let file = try EnvironmentTestFile(mapSize: Self.tiny)
    let lease = try file.open(mapSize: Self.tiny)
    let environment = lease.environment
    try environment.fill(0..<10, mark: 1)
    var reader = try ReadTransaction(environment)
    let table = try environment.numbers
    try reader.renew()
    async let grown: Void = onThread {
      try environment.grow(to: Self.tiny * 16, patience: .seconds(10))
    }
    try await Task.sleep(for: .milliseconds(30))
    #expect(try reader.view.marks(table).count == 10)
    reader.reset()
    try await grown
    try reader.renew()
    #expect(try reader.view.marks(table).count == 10)
  }

  // A snapshot of this process would be waited for, for half a minute.
  @Test func `a damaged meta page that claims a larger file is an error at once`() throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    try lease.environment.fill(0..<10, mark: 1)
    let reader = try ReadTransaction(lease.environment)
    let bytes = try #require(FileHandle(forUpdatingAtPath: file.path))
    let pageSize = try lease.environment.information().pageSize
    for page in 0..<2 {
      for offset in [FileStructure.MetaPage.mapSizeOffset, FileStructure.MetaPage.lastPageOffset] {
        try bytes.seek(toOffset: UInt64(page * pageSize + offset))
        try bytes.write(contentsOf: [0, 0, 0, 0, 0, 1, 0, 0])
      }
    }
    let start = ContinuousClock.now
    let error = #expect(throws: LMDBError.self) { _ = try ReadTransaction(lease.environment) }
    #expect(error?.damage != nil)
    #expect(throws: LMDBError.self) { _ = try WriteTransaction(lease.environment) }
    #expect(ContinuousClock.now - start < Environment.growthPatience)
    #expect(try reader.view.marks(lease.environment.numbers).count == 10)
  }

  @Test func `a growth that finds no address space leaves the map in use`() throws {
    let file = try EnvironmentTestFile(mapSize: Self.tiny)
    let environment = try file.environment(mapSize: Self.tiny)
    try environment.fill(0..<10, mark: 5)
    // More than any process has.
    #expect(throws: LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")) {
      try environment.grow(to: 1 << 50)
    }
    #expect(try environment.marks().count == 10)
    try environment.fill(10..<20, mark: 5)
    #expect(try environment.marks().count == 20)
  }

  @Test func `room is made before a write, if nothing stands in the way`() throws {
    let file = try EnvironmentTestFile(mapSize: Self.tiny)
    let environment = try file.environment(mapSize: Self.tiny)
    try environment.ensureRoom(1 << 20)
    let size = try environment.information().mapSize
    #expect(size >= 1 << 20)
    let reader = try ReadTransaction(environment)
    try environment.ensureRoom(size * 4)
    #expect(try environment.information().mapSize == size)
    _ = consume reader
  }

  @Test func `writers and readers on many threads outgrow a small map`() async throws {
    let file = try EnvironmentTestFile(mapSize: Self.tiny)
    let lease = try file.open(mapSize: Self.tiny)
    let environment = lease.environment
    let table = try environment.numbers
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          try await onThread {
            for round in 0..<20 {
              let first = (writer * 20 + round) * 20
              try environment.fill(first..<first + 20, bytes: 900, mark: 9)
            }
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          try await onThread {
            for _ in 0..<200 {
              let found = try environment.read { view throws(LMDBError) in try view.marks(table) }
              #expect(found.marks.isSubset(of: [9]) && found.count % 20 == 0)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try environment.marks().count == 1_200)
  }
}
