import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// The conversion in the background.
struct TransitionTests {
  @Test func `the background converts all objects while a loop sees its progress`() async throws {
    let files = try OnlineStore()
    try files.make(3_000)
    let store = try Store(files.configuration(startsPaused: false))
    var last: TransitionProgress?
    var count = 0
    for await progress in store.transition {
      if let last { #expect(progress.completed >= last.completed) }
      last = progress
      count += 1
    }
    #expect(last?.activity == .finished)
    #expect(last?.fraction == 1)
    #expect(count > 0)
    try store.refresh()
    #expect(!store.objects(OnlineV2.Reading.self).where { $0.calibrated > 0 }.isEmpty)
    #expect(try store.findings() == [])
    // Only now does the file have the format that earlier versions of the library know.
    #expect(
      try StoreFile.headerWithoutOpening(files.url.path).formatVersion == Header.currentFormat)
  }

  @Test func `a paused transition converts nothing until it is resumed`() async throws {
    let files = try OnlineStore()
    try files.make(500)
    let store = try Store(files.configuration())
    #expect(
      try StoreFile.headerWithoutOpening(files.url.path).formatVersion == Header.transitionFormat)
    var iterator = store.transition.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.activity == .paused)
    #expect(first?.completed == 0)
    store.transition.resume()
    var last = first
    while let next = await iterator.next() { last = next }
    #expect(last?.activity == .finished)
  }

  /// The thread that converts kept its snapshot while it was paused, so that the file grew with each
  /// write. Opening a file in transition also wrote to it, although nothing was to be converted.
  @Test func `a paused transition holds no snapshot and writes nothing`() async throws {
    let files = try OnlineStore()
    try files.make(500)
    try Store(files.configuration()).close()
    let before = try Data(contentsOf: files.url)
    let store = try Store(files.configuration())
    var iterator = store.transition.makeAsyncIterator()
    #expect(await iterator.next()?.activity == .paused)
    #expect(try Data(contentsOf: files.url) == before)
    let end = ContinuousClock.now + .seconds(600)
    repeat {
      try store.write {
        store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 7)?.isChecked.toggle()
      }
      // The thread lets go right after its report.
    } while try store.activeSnapshots.contains { $0.commitsBehind > 0 } && ContinuousClock.now < end
    #expect(try store.activeSnapshots.allSatisfy { $0.commitsBehind == 0 })
  }

  @Test func `objects that are not yet converted can be frozen`() async throws {
    let files = try OnlineStore()
    try files.make(50)
    let store = try Store(files.configuration())
    let readings = store.objects(OnlineV2.Reading.self)
    let (frozen, values) = (try readings.frozen, readings.map(\.calibrated))
    try store.write { for reading in readings { reading.calibrated = -1 } }
    let (read, labels) = await Task.detached {
      (frozen.map(\.calibrated), frozen.map(\.label))
    }.value
    #expect(read == values)
    #expect(!labels.contains(""))
  }

  @Test func `closing the last store ends the conversion, and the next opening goes on`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(4_000)
    var completed = 0
    for _ in 0..<3 {
      let store = try Store(files.configuration(startsPaused: false))
      try await Task.sleep(for: .milliseconds(20))
      completed = max(completed, store.transition.progress?.completed ?? 0)
      try store.close()
    }
    let store = try Store(files.configuration())
    var iterator = store.transition.makeAsyncIterator()
    if let progress = await iterator.next(), progress.activity == .paused {
      #expect(progress.completed >= completed)
    }
    try await store.transition.finish()
    try store.refresh()
    #expect(store.objects(OnlineV2.Reading.self).where { $0.calibrated > 0 }.count == 4_000)
  }

  /// The pause after the batch also grew with the time that the batch had waited for the writer: to
  /// seven minutes after a write of three seconds.
  @Test(.mustEnd) func `a long write does not delay the conversion after its end`() async throws {
    let files = try OnlineStore()
    try files.make(4_000)
    let store = try Store(files.configuration())
    for await progress in store.transition where progress.activity == .paused { break }
    try store.write {
      store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 7)?.isChecked = true
      store.transition.resume()
      // The first batch begins, and waits.
      usleep(3_000_000)
    }
    let end = ContinuousClock.now + .seconds(240)
    while store.transition.progress?.isFinished == false, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(store.transition.progress?.isFinished == true)
  }

  @Test func `several stores of a process share one conversion`() async throws {
    let files = try OnlineStore()
    try files.make(1_000)
    let stores = try (0..<4).map { _ in try Store(files.configuration()) }
    try await stores[3].transition.finish()
    for store in stores {
      var last: TransitionProgress?
      for await progress in store.transition { last = progress }
      #expect(last?.isFinished == true)
      try store.refresh()
      #expect(store.objects(OnlineV2.Reading.self).where { $0.calibrated == 50 }.count == 1)
    }
  }

  @Test func `below the floor of free space the conversion waits`() async throws {
    let files = try OnlineStore()
    try files.make(10)
    var configuration = files.configuration(startsPaused: false)
    configuration.onlineMigration?.minimumFreeSpace = .max
    let store = try Store(configuration)
    var iterator = store.transition.makeAsyncIterator()
    var progress = await iterator.next()
    if progress?.activity == .converting { progress = await iterator.next() }
    #expect(progress?.activity == .waitingForDiskSpace)
    #expect(store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 4)?.calibrated == 2)
  }

  @Test
  func `an open store knows that it is in transition, and one of that version that it is not`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(files.configuration())
    let progress = try #require(store.transition.progress)
    #expect("\(store.transition)" == "\(progress)")
    #expect(progress.activity == .paused && progress.completed == 0 && progress.total == 20)
    #expect(!progress.isFinished)
    try await store.transition.finish()
    try store.close()
    let transition = try Store(files.configuration()).transition
    #expect(transition.progress == nil)
    #expect("\(transition)" == "all objects are converted")
  }

  /// It had no progress, as if all objects were converted.
  @Test func `a read-only store shows the progress of others, and does not wait for it`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(files.configuration())
    try store.write {
      store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 3)?.isChecked = true
    }
    var configuration = files.configuration()
    configuration.isReadOnly = true
    let reader = try Store(configuration)
    let progress = try #require(reader.transition.progress)
    #expect(progress.activity == .paused && progress.completed == 0 && progress.total == 20)
    #expect("\(reader.transition)" == "paused: 0 % (0 of 20), 1 object got a default")
    #expect(try await reader.transition.finish() == progress)
    var seen: [TransitionProgress] = []
    for await progress in reader.transition { seen.append(progress) }
    #expect(seen == [progress])
    try await store.transition.finish()
    try reader.refresh()
    #expect(reader.transition.progress == nil)
    try reader.close()
    #expect(reader.transition.progress == nil)
  }

  /// The thread that converts ended if it could not open the file once, for example because all
  /// reader slots were in use. `finish()` then waited for ever.
  @Test(.mustEnd) func `a conversion that cannot open the file at first tries again`() async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let (path, hidden) = (files.url.path, files.url.path + ".away")
    let isHidden = Mutex(false)
    func open() throws -> Store {
      let opener = Environment.currentThread
      FileStepProbe.arm(path) { step in
        guard step == .openingFound, Environment.currentThread != opener else { return }
        isHidden.withLock { isHidden in
          if !isHidden { isHidden = (try? move(path, to: hidden)) != nil }
        }
      }
      return try Store(files.configuration(startsPaused: false))
    }
    defer { FileStepProbe.disarm(path) }
    let store = try open()
    for await progress in store.transition where progress.problem != nil {
      #expect(progress.completed == 0)
      break
    }
    try move(hidden, to: path)
    #expect(try await store.transition.finish()?.activity == .finished)
  }

  private func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }

  /// The last IDs that were converted in memory are found by their low bits.
  @Test func `objects whose IDs have the same low bits are told apart`() throws {
    let files = try OnlineStore()
    try files.make(3_100)
    let store = try Store(files.configuration())
    for number in 1...1_000 {
      let numbers = [number, number + 1_024, number + 2_048]
      let found = numbers.map { store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: $0) }
      for _ in 0..<2 {
        #expect(found.map { $0?.number } == numbers)
        #expect(found.map { $0?.calibrated } == numbers.map { Double($0) / 2 })
        // Some labels lie outside of the record.
        #expect(
          found.map { $0?.label }
            == numbers.map { number in
              number % 11 == 0
                ? String(repeating: "sensor \(number % 10) ", count: 400)
                : "sensor \(number % 10) #\(number)"
            })
      }
    }
  }

  @Test func `a store in memory is converted like one in a file`() async throws {
    let name = "online-\(UUID().uuidString)"
    let first = try Store(
      Store.Configuration(
        inMemory: name, models: [OnlineV1.Reading.self, OnlineV1.Station.self], schemaVersion: 1))
    try first.write {
      try first.add(OnlineV1.Reading(number: 8, sensor: "s", raw: 2, level: "5"))
    }
    var configuration = Store.Configuration(
      inMemory: name, models: [OnlineV2.Reading.self, OnlineV2.Station.self], schemaVersion: 2)
    configuration.onlineMigration = .online(OnlineStore.rule)
    let store = try Store(configuration)
    try await store.transition.finish()
    try store.refresh()
    #expect(store.objects(OnlineV2.Reading.self).map(\.calibrated) == [4])
    #expect(throws: StoreError.self) { try first.refresh() }
  }

  @Test func `writers and the conversion do not lose each other's work`() async throws {
    let files = try OnlineStore()
    try files.make(2_000)
    let store = try Store(files.configuration(startsPaused: false))
    for round in 1...200 {
      try store.write {
        for number in [round, 2_001 - round, 1_000 + round] {
          store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)?.level = -round
        }
        try store.add(
          OnlineV2.Reading(number: 10_000 + round, sensor: "new", tags: StoredList()))
      }
    }
    try await store.transition.finish()
    try store.refresh()
    let readings = store.objects(OnlineV2.Reading.self)
    #expect(readings.count == 2_200)
    for round in 1...200 {
      let reading = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: round)
      #expect(reading?.level == -round)
      #expect(reading?.calibrated == Double(round) / 2)
    }
    #expect(try store.findings() == [])
  }

  @Test func `explain says how many objects were converted in memory`() throws {
    let files = try OnlineStore()
    try files.make(100)
    let store = try Store(files.configuration())
    let query = store.objects(OnlineV2.Reading.self).where { $0.calibrated > 40 }
    let explanation = try query.explain()
    #expect(explanation.conversions == 100)
    #expect(explanation.description.contains("converted in memory: 100 objects"))
    let byIndex = try store.objects(OnlineV2.Reading.self).where { $0.sensor == "sensor 3" }
      .explain()
    #expect(byIndex.indexes.map(\.name) == ["Reading.sensor"])
    #expect(byIndex.conversions == 0)
  }
}
