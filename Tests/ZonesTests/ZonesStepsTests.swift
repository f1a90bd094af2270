import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

/// The app's migration in steps beside the rule and the one closure that it has.
struct ZonesStepsTests {
  /// The app's store, with a step for each release.
  private static func steps(url: URL) -> Store.Configuration {
    var configuration = Store.Configuration.zones(url: url)
    configuration.migrationSteps = .steps(
      Releases.all.map { release in
        .step(to: release.schemaVersion, models: release.models, migration: release.migration)
      } + [
        .step(
          to: 7, models: configuration.models,
          migration: configuration.onlineMigration?.otherwise)
      ])
    configuration.onlineMigration = nil
    return configuration
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `steps reach the state that the rule and the single closure reach`(sample: ZonesSampleStore)
    throws
  {
    let (copy, other) = (
      try TemporaryStoreFile(copying: sample.url), try TemporaryStoreFile(copying: sample.url)
    )
    let stepwise = try Store(Self.steps(url: copy.url))
    let direct = try Store(.zones(url: other.url))
    #expect(stepwise.schemaVersion == 7)
    // The schema has the indexes and the defaults.
    #expect(stepwise.schema == direct.schema)
    let contents = ZonesContents(of: stepwise)
    #expect(contents.firstDifferences(from: ZonesContents(of: direct)) == [])
    #expect(contents == ZonesContents(of: direct))
    #expect(stepwise.migrationHistory.count == 7 - Int(sample.version))
    #expect(try stepwise.integrityFindings() == [])
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `a dry run of steps says what they do`(sample: ZonesSampleStore) throws {
    let copy = try TemporaryStoreFile(copying: sample.url)
    let plan = try Store.migrationPlan(for: Self.steps(url: copy.url))
    let run = try Store.dryRunMigration(Self.steps(url: copy.url))
    // The dry run knows the renames that the steps' code makes.
    let isRenaming = [2, 5].contains(sample.version)
    #expect((run.plan.changes == plan.changes) == !isRenaming)
    #expect(run.plan.changes.contains { "\($0.change)".contains("renamed") } == isRenaming)
    #expect(run.plan.remainingSteps == plan.remainingSteps)
    #expect([run.plan.toVersion] + plan.remainingSteps == Array(min(sample.version + 1, 7)...7))
    #expect(run.nextSteps.map(\.plan.toVersion) == plan.remainingSteps)
    let store = try Store(Self.steps(url: copy.url))
    let rewritten = ([run] + run.nextSteps).map(\.objectsRewritten)
    #expect(store.migrationHistory.map(\.objects) == (sample == .v7 ? [] : rewritten))
  }

  @Test func `a new store needs no step`() throws {
    let place = try TemporaryStoreFile()
    let store = try Store(Self.steps(url: place.url))
    #expect(store.schemaVersion == 7 && store.migrationHistory.isEmpty)
  }
}
