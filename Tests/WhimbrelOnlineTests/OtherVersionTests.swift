import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

private enum GaugeV1 {
  @Model
  final class Gauge {
    @PrimaryKey var number: Int
    var level: Int = 0
  }
}

private enum GaugeV2 {
  @Model
  final class Gauge {
    @PrimaryKey var number: Int
    var level: Int = 0
    var double: Int = -1
  }
}

private enum GaugeV3 {
  @Model
  final class Gauge {
    @PrimaryKey var number: Int
    var level: Int = 0
    var double: Int = -1
    var triple: Int = -1
  }
}

/// Several versions of an app that use one file. Each version only adds a property, which a rule
/// sets.
struct OtherVersionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func configuration(
    _ model: any Model.Type, _ version: SchemaVersion, _ rules: MigrationRule...
  ) -> Store.Configuration {
    var configuration = Store.Configuration(
      url: folder.url.appending(path: "gauges.whimbrel"), models: [model], schemaVersion: version)
    var migration = OnlineMigration.online(rules)
    migration.startsPaused = true
    if !rules.isEmpty { configuration.onlineMigration = migration }
    return configuration
  }

  /// Makes a store of the first version.
  private func make() throws {
    let store = try Store(configuration(GaugeV1.Gauge.self, 1))
    try store.write {
      for number in 1...20 { try store.add(GaugeV1.Gauge(number: number, level: number)) }
    }
    try store.close()
  }

  private static let second = MigrationRule.rule(
    from: 1, GaugeV1.Gauge.self, GaugeV2.Gauge.self
  ) { old, new in new.double = old.level * 2 }

  /// The rule of the third version that leads from the first one to it.
  private static let direct = MigrationRule.rule(
    from: 1, GaugeV1.Gauge.self, GaugeV3.Gauge.self
  ) { old, new in
    new.double = old.level * 2
    new.triple = old.level * 3
  }

  /// The properties that the rule sets read as their defaults.
  @Test func `a store that a rule would convert is not opened only for reading`() throws {
    try make()
    var second = configuration(GaugeV2.Gauge.self, 2, Self.second)
    second.isReadOnly = true
    var error = try #require(throws: StoreError.self) { try Store(second) }
    #expect(error.code == .migrationNeeded)
    second.isReadOnly = false
    try Store(second).close()
    second.isReadOnly = true
    let store = try Store(second)
    #expect(store.objects(GaugeV2.Gauge.self).map(\.double) == (1...20).map { $0 * 2 })
    try store.close()
    // The rule also sets the new property of objects that were never converted.
    var third = configuration(GaugeV3.Gauge.self, 3, Self.direct)
    third.isReadOnly = true
    error = try #require(throws: StoreError.self) { try Store(third) }
    #expect(error.code == .migrationNeeded)
  }

  /// The older store converted an object by its own rule when it wrote it, so that the object kept
  /// the default of the property that the newer rule sets.
  @Test func `an older store does not convert for a newer one`() async throws {
    try make()
    let older = try Store(configuration(GaugeV2.Gauge.self, 2, Self.second))
    let newer = try Store(configuration(GaugeV3.Gauge.self, 3, Self.direct))
    for _ in 0..<2 {
      let error = try #require(throws: StoreError.self) {
        try older.write { older.object(ofType: GaugeV2.Gauge.self, forPrimaryKey: 9)?.level = 0 }
      }
      #expect(error.code == .schemaChangedElsewhere)
    }
    #expect(older.object(ofType: GaugeV2.Gauge.self, forPrimaryKey: 9)?.double == 18)
    #expect(newer.objects(GaugeV3.Gauge.self).map(\.triple) == (1...20).map { $0 * 3 })
    #expect(try await newer.transition.finish()?.isFinished == true)
    try newer.refresh()
    #expect(newer.objects(GaugeV3.Gauge.self).map(\.triple) == (1...20).map { $0 * 3 })
    // Now it can read and write as before.
    try older.write { older.object(ofType: GaugeV2.Gauge.self, forPrimaryKey: 9)?.level = 0 }
    try newer.refresh()
    #expect(newer.object(ofType: GaugeV3.Gauge.self, forPrimaryKey: 9)?.triple == 27)
    #expect(try newer.findings() == [])
  }

  /// Afterwards the store had no objects.
  @Test func `an older store shows its objects after an asynchronous write that cannot begin`()
    async throws
  {
    try make()
    let older = try Store(configuration(GaugeV2.Gauge.self, 2, Self.second))
    let newer = try Store(configuration(GaugeV3.Gauge.self, 3, Self.direct))
    for _ in 0..<2 {
      let error = await #expect(throws: StoreError.self) {
        try await older.asyncWrite {
          older.object(ofType: GaugeV2.Gauge.self, forPrimaryKey: 9)?.level = 0
        }
      }
      #expect(error?.code == .schemaChangedElsewhere)
      #expect(older.objects(GaugeV2.Gauge.self).map(\.double) == (1...20).map { $0 * 2 })
    }
    #expect(try await newer.transition.finish()?.isFinished == true)
    // Now it can read and write as before.
    try await older.asyncWrite {
      older.object(ofType: GaugeV2.Gauge.self, forPrimaryKey: 9)?.level = 0
    }
    #expect(older.object(ofType: GaugeV2.Gauge.self, forPrimaryKey: 9)?.level == 0)
    try newer.refresh()
    #expect(newer.object(ofType: GaugeV3.Gauge.self, forPrimaryKey: 9)?.triple == 27)
  }

  /// The conversion of the older store was tried again and again, and `finish()` waited for the
  /// newer one, which is paused.
  @Test(.mustEnd) func `waiting for the end ends when a newer version adds a rule`() async throws {
    try make()
    let older = try Store(configuration(GaugeV2.Gauge.self, 2, Self.second))
    let third = MigrationRule.rule(from: 2, GaugeV2.Gauge.self, GaugeV3.Gauge.self) { old, new in
      new.triple = old.level * 3
    }
    let newer = try Store(configuration(GaugeV3.Gauge.self, 3, Self.second, third))
    let error = try #require(throws: StoreError.self) { try older.refresh() }
    #expect(error.code == .schemaChangedElsewhere)
    #expect(try await older.transition.finish()?.isFinished == false)
    #expect(newer.transition.progress?.isFinished == false)
  }
}
