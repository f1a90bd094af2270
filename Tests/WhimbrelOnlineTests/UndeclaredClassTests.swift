import Foundation
import Testing
import Whimbrel
import WhimbrelEngine

/// Classes that the app no longer declares while their objects wait for a rule.
struct UndeclaredClassTests {
  /// Makes a store of version 3, which declares stations only, or of version 2, which still declares
  /// readings. Readings wait since version 1, apart from every fifth.
  private func make(declaringReadings: Bool = false) throws -> OnlineStore {
    let files = try OnlineStore()
    try files.make(60)
    let second = try Store(files.configuration())
    try second.write {
      for number in stride(from: 5, through: 60, by: 5) {
        second.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)?.isChecked = true
      }
    }
    try second.close()
    if !declaringReadings { try Store(stations(files)).close() }
    return files
  }

  private func stations(_ files: OnlineStore) -> Store.Configuration {
    var migration = OnlineMigration.online([])
    migration.startsPaused = true
    return Store.Configuration(
      url: files.url, models: [OnlineStations.Station.self], schemaVersion: 3,
      migration: migration)
  }

  private func fourth(
    _ files: OnlineStore, _ migration: @escaping MigrationBlock
  ) -> Store.Configuration {
    Store.Configuration(
      url: files.url, models: [OnlineStations.Station.self], schemaVersion: 4,
      migration: migration)
  }

  private func expectTransition(_ files: OnlineStore) throws {
    #expect(
      try StoreFile.headerWithoutOpening(files.url.path).formatVersion == Header.transitionFormat)
  }

  /// The block's migration ended the transition of readings, whose values were then lost. If it was
  /// the first one without readings, it was refused.
  @Test(arguments: [false, true])
  func `a block of a later version leaves the objects of an undeclared class waiting`(
    declaringReadings: Bool
  ) async throws {
    let files = try make(declaringReadings: declaringReadings)
    let fourth = try Store(
      fourth(files) { migration, _ in
        try migration.enumerateObjects(ofType: "Station") { _, new in
          try new?.set("name", to: "named")
        }
      })
    #expect(fourth.objects(OnlineStations.Station.self).map(\.name) == ["named", "named", "named"])
    #expect(fourth.transition.progress == nil)
    #expect(try fourth.findings() == [])
    try fourth.close()
    try expectTransition(files)
    var next = files.configuration()
    next.schemaVersion = 5
    let store = try Store(next)
    func problems() -> [String] {
      (1...60).flatMap { number -> [String] in
        guard let reading = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)
        else { return ["\(number) is missing"] }
        return OnlineStore.problems(of: reading, number, checksFlag: number % 5 != 0)
      }
    }
    #expect(problems() == [])
    #expect(try await store.transition.finish()?.isFinished == true)
    try store.refresh()
    #expect(problems() == [])
    #expect(try store.findings() == [])
  }

  @Test(arguments: ["reads", "deletes"], [false, true])
  func `a block that needs objects of an undeclared class which wait for a rule is refused`(
    _ what: String, declaringReadings: Bool
  ) throws {
    let files = try make(declaringReadings: declaringReadings)
    let error = try #require(throws: StoreError.self) {
      try Store(
        fourth(files) { migration, _ in
          if what == "reads" {
            try migration.enumerateObjects(ofType: "Reading") { _, _ in }
          } else {
            // Readings link to stations.
            try migration.enumerateObjects(ofType: "Station") { _, new in
              if let new { try migration.delete(new) }
            }
          }
        })
    }
    #expect(error.code == .transitionNeedsRule)
    #expect(error.context.className == "Reading")
    #expect(try Store.schemaVersion(at: files.url) == (declaringReadings ? 2 : 3))
    try expectTransition(files)
    #expect(try Store(stations(files)).objects(OnlineStations.Station.self).count == 3)
  }

  @Test func `finish ends with the objects of the classes that the app declares`() async throws {
    let files = try make()
    let store = try Store(stations(files))
    // The index of their names is new.
    let progress = try #require(try await store.transition.finish())
    #expect(progress.activity == .finished)
    #expect(progress.total == 3 && progress.completed == 3)
    #expect(
      store.objects(OnlineStations.Station.self).where { $0.name == "" }.count == 3)
    try store.close()
    try expectTransition(files)
    #expect(try Store(stations(files)).transition.progress == nil)
  }

  @Test(arguments: [false, true])
  func `deleting the data of an undeclared class ends its transition`(
    declaringReadings: Bool
  ) throws {
    let files = try make(declaringReadings: declaringReadings)
    let deletion = fourth(files) { migration, _ in try migration.deleteData(forType: "Reading") }
    _ = try Store.dryRunMigration(deletion)
    let store = try Store(deletion)
    #expect(try store.findings() == [])
    try store.close()
    #expect(
      try StoreFile.headerWithoutOpening(files.url.path).formatVersion == Header.currentFormat)
  }
}
