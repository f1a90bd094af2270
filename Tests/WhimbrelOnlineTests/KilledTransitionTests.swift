import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTestSupport

/// What is left of processes that are killed while one of them converts and both write: 1,000 kills
/// in a long run.
///
/// Each child counts its writes in an object of its own, and says in another file when a write has
/// returned. The next children go on with the same store; when all its objects are converted, a new
/// one takes its place.
@Suite(.serialized) struct KilledTransitionTests {
  private static let objects = 600

  @Test func `every write that returned is there, and every object reads as its rule makes it`()
    async throws
  {
    var random = SeededGenerator(seed: 18)
    var (stores, converted, acknowledged) = (0, 0, 0)
    var files = try fresh()
    for _ in 0..<(TestRun.isLong ? 500 : 8) {
      let path = files.url.path
      let delays = (0..<2).map { _ in UInt32.random(in: 0..<40_000, using: &random) }
      async let first: Void = kill(path, 0, delays[0])
      async let second: Void = kill(path, 1, delays[1])
      _ = await (first, second)
      let progress = try verify(files)
      acknowledged += progress.writes
      if progress.isOver {
        converted += 1
        files = try fresh()
        stores += 1
      }
    }
    #expect(acknowledged > 0)
    #expect(stores == converted)
  }

  /// Makes a store of the first version, whose objects count nothing yet.
  private func fresh() throws -> OnlineStore {
    let files = try OnlineStore()
    try files.make(Self.objects)
    let store = try Store(files.configuration())
    try store.write {
      for child in 0..<2 {
        try store.add(
          OnlineV2.Reading(number: 10_000 + child, sensor: "counter", level: 0, tags: StoredList()))
      }
    }
    try store.close()
    for child in 0..<2 {
      _ = FileManager.default.createFile(atPath: Self.log(files.url.path, child), contents: nil)
    }
    return files
  }

  private static func log(_ path: String, _ child: Int) -> String { "\(path).log\(child)" }

  private func kill(_ path: String, _ child: Int, _ delay: UInt32) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, child = child as Int, delay = delay as UInt32] in
      try Self.writeUntilKilled(path, child, after: delay)
    }
  }

  private static func configuration(_ path: String) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: path), models: [OnlineV2.Reading.self, OnlineV2.Station.self],
      schemaVersion: 2, migration: .online(OnlineStore.rule))
  }

  private static func writeUntilKilled(_ path: String, _ child: Int, after delay: UInt32) throws {
    let store = try Store(configuration(path))
    let descriptor = unsafe open(log(path, child), O_WRONLY | O_APPEND)
    Thread.detachNewThread {
      usleep(delay)
      Foundation.kill(getpid(), SIGKILL)
    }
    var random = SeededGenerator(seed: UInt64(delay))
    while true {
      try store.write {
        let counter = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 10_000 + child)
        counter?.level += 1
        let number = Int.random(in: 1...objects, using: &random)
        store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)?.isChecked.toggle()
      }
      var mark: UInt8 = 1
      _ = unsafe write(descriptor, &mark, 1)
    }
  }

  /// Reads everything, and returns how many writes there were and whether all objects are
  /// converted.
  private func verify(_ files: OnlineStore) throws -> (writes: Int, isOver: Bool) {
    let path = files.url.path
    let store = try Store(files.configuration())
    var problems: [String] = []
    for number in 1...Self.objects {
      guard let reading = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number) else {
        problems.append("\(number) is missing")
        continue
      }
      problems += OnlineStore.problems(of: reading, number, checksFlag: false)
    }
    #expect(problems == [])
    #expect(store.objects(OnlineV2.Reading.self).count == Self.objects + 2)
    var writes = 0
    for child in 0..<2 {
      let log = Self.log(path, child)
      let acknowledged = try #require(
        FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
      let counter = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 10_000 + child)
      let count = try #require(counter?.level)
      #expect([acknowledged, acknowledged + 1].contains(count), "child \(child)")
      writes += acknowledged
      let handle = try #require(FileHandle(forWritingAtPath: log))
      try handle.truncate(atOffset: UInt64(count))
      try handle.close()
    }
    #expect(try store.findings() == [])
    let isOver = try StoreFile.headerWithoutOpening(path).formatVersion == Header.currentFormat
    try store.close()
    let names = try StoreFile.open(OpenRequest(path: path)).environment.tableNames()
    let known = Set(
      try Session(StoreFile.open(OpenRequest(path: path))).loaded.catalog.classes
        .flatMap(\.tableNames).map(\.name))
    #expect(Set(names).isSubset(of: known), "no table is left over")
    return (writes, isOver)
  }
}
