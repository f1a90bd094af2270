import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// The lock of the process that converts. A process that does not convert must not keep it.
struct ConverterLockTests {
  /// Waits until another process could convert.
  private func expectFree(_ store: Store) async throws {
    let environment = try store.session.file.environment
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      let lock = try ConverterLock(environment)
      if lock != nil { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("The lock is kept.")
  }

  private func configuration(
    _ files: OnlineStore, _ rule: MigrationRule
  ) -> Store.Configuration {
    Store.Configuration(
      url: files.url, models: [OnlineV2.Reading.self, OnlineV2.Station.self], schemaVersion: 2,
      migration: .online(rule))
  }

  @Test func `a paused conversion leaves the rest to other processes`() async throws {
    let files = try OnlineStore()
    try files.make(4_000)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, OnlineV2.Reading.self) { _, _ in usleep(1_000) }))
    for await progress in store.transition where progress.completed > 0 { break }
    store.transition.pause()
    for await progress in store.transition where progress.activity == .paused { break }
    #expect(store.transition.progress?.isFinished == false)
    try await expectFree(store)
  }

  /// Its thread slept for an hour, and the progress stayed at 0 % paused.
  @Test(.takesLong, .mustEnd)
  func `a paused transition ends when another process has converted the objects`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(files.configuration())
    for await progress in store.transition where progress.activity == .paused { break }
    await #expect(processExitsWith: .success) { [path = files.url.path as String] in
      let store = try Store(
        Store.Configuration(
          url: URL(filePath: path), models: [OnlineV2.Reading.self, OnlineV2.Station.self],
          schemaVersion: 2, migration: .online(OnlineStore.rule)))
      #expect(try await store.transition.finish()?.isFinished != false)
    }
    for await _ in store.transition {}
    // The counts were 0, because the file no longer has them.
    let end = try #require(store.transition.progress)
    #expect(end.isFinished && end.total == 20 && end.completed == 20)
  }

  @Test func `a conversion that a wrong rule blocks leaves the rest to other processes`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(
      configuration(
        files,
        .rule(from: 1, OnlineV1.Reading.self, OnlineV2.Reading.self) { old, new in
          if old.number % 10 == 0 { new.label = old.station?.code ?? "" }
        }))
    #expect(try await store.transition.finish()?.activity == .blocked)
    try await expectFree(store)
  }

  /// The conversion was tried again every second, with a warning in the log, and kept the lock.
  @Test(.mustEnd) func `a conversion ends when another app has made the schema a newer one`()
    async throws
  {
    let files = try OnlineStore()
    try files.make(20)
    let store = try Store(files.configuration())
    var next = OnlineMigration.online(
      .rule(from: 2, OnlineV2.Reading.self, OnlineV3.Reading.self) { _, _ in }, OnlineStore.rule)
    next.startsPaused = true
    let newer = try Store(
      Store.Configuration(
        url: files.url, models: [OnlineV3.Reading.self, OnlineV3.Station.self], schemaVersion: 3,
        migration: next))
    store.transition.resume()
    for await _ in store.transition {}
    #expect(store.transition.progress?.isFinished == false)
    try await expectFree(newer)
  }
}
