import Foundation
import Testing
import Whimbrel

/// Version 3, in which a block ranks readings. The schema alone does not require code.
private enum Third {
  @Model
  final class Reading {
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    var calibrated: Double = 0
    var label: String = ""
    var rank: Int = -1
  }
}

/// A version with a default that no rule can give.
private enum Tokens {
  @Model
  final class Reading {
    @PrimaryKey var number: Int
    var size: Int = 0
    var token: UUID = UUID()
  }
}

/// A release that migrates with a block, after a release that migrated with rules.
struct BlockAfterRulesTests {
  private func configuration(_ files: OnlineStore) -> Store.Configuration {
    Store.Configuration(
      url: files.url, models: [Third.Reading.self], schemaVersion: 3,
      migration: .online(
        OnlineStore.rule,
        otherwise: { migration, oldVersion in
          var rank = 0
          try migration.enumerateObjects(ofType: "Reading") { _, new in
            try new?.set("rank", to: rank)
            rank += 1
          }
        }))
  }

  /// Such a configuration was refused, because no rule led to the app's model. With another rule
  /// that did, the block was never called, and the objects kept their defaults.
  @Test(arguments: [nil, false, true])
  func `a block follows the last rule`(_ finishes: Bool?) async throws {
    let files = try OnlineStore()
    try files.make(30)
    if let finishes {
      let second = try Store(files.configuration())
      if finishes { try await second.transition.finish() }
      try second.close()
    }
    let configuration = configuration(files)
    let plan = try Store.migrationPlan(for: configuration)
    #expect(!plan.canRunOnline)
    #expect(plan.onlineObstacles.map(\.reason).contains { $0.contains("end before version 3") })
    let store = try Store(configuration)
    let readings = store.objects(Third.Reading.self)
    #expect(readings.map(\.rank) == Array(0..<30))
    // The block migrates a store of version 1 alone.
    let runsRules = finishes != nil
    #expect(readings.map(\.calibrated) == (1...30).map { runsRules ? Double($0) / 2 : 0 })
    #expect(store.transition.progress == nil)
    #expect(try store.findings() == [])
    try store.close()
    #expect(try Store(configuration).objects(Third.Reading.self).count == 30)
  }

  /// The error was that a frozen declaration did not match the file, although the rule leads to the
  /// model of the app.
  @Test func `a rule that the block's version needs is named if it leads too far`() throws {
    let files = try OnlineStore()
    try files.make(10)
    try Store(files.configuration()).close()
    var configuration = configuration(files)
    configuration.models = [Tokens.Reading.self]
    configuration.onlineMigration = .online(
      .rule(from: 1, OnlineV1.Reading.self, Tokens.Reading.self) { _, new in new.size = 1 },
      otherwise: { _, _ in })
    for _ in 0..<2 {
      let error = try #require(throws: StoreError.self) { try Store(configuration) }
      #expect(error.code == .transitionNeedsRule)
      #expect(error.message.contains("the rule for 'Reading' from version 1"))
      #expect(error.recovery.contains("version 2"))
    }
    #expect(try Store(files.configuration()).objects(OnlineV2.Reading.self).count == 10)
  }

  @Test func `without a block, the rules must lead to the model of the app`() throws {
    let files = try OnlineStore()
    try files.make(1)
    var configuration = configuration(files)
    configuration.onlineMigration = .online(OnlineStore.rule)
    let error = try #require(throws: StoreError.self) { try Store(configuration) }
    #expect(error.code == .invalidConfiguration)
    #expect(error.message.contains("no other rule reads it"))
  }
}
