import Foundation
import Testing
import Whimbrel

/// What is found out about a migration before it is run.
@Suite struct PlanningTests {
  private final class Place: Sendable {
    let url: URL

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "whimbrel-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      url = folder.appending(path: "Planned.whimbrel")
      let store = try Store(
        Store.Configuration(url: url, models: [UnplannedThing.self], schemaVersion: 1))
      try store.write {
        for number in 0..<4 {
          try store.add(UnplannedThing(id: number, name: number == 2 ? nil : "n\(number)"))
        }
      }
    }

    deinit {
      try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    /// Version 2, for which code is needed where the name is nil.
    var configuration: Store.Configuration {
      Store.Configuration(
        url: url, models: [PlannedThing.self], schemaVersion: 2,
        migration: { migration, _ in
          try migration.enumerateObjects(ofType: "Thing") { old, new in
            if try old?.value("name").isNull == true { try new?.set("name", to: "none") }
          }
        })
    }
  }

  @Test func `plan, check and dry run say what the migration then does`() throws {
    let place = try Place()
    let plan = try Store.migrationPlan(for: place.configuration)
    #expect(plan.isPossible && plan.changes.map(\.kind) == [.needsCode])
    var findings: [MigrationFinding] = []
    try plan.check(on: place.configuration) { finding in
      findings.append(finding)
      return true
    }
    #expect(
      findings.map(\.description) == [
        "'Thing.name' of the object with primary key '2' is nil, and is required now."
      ])
    let dryRun = try Store.dryRunMigration(place.configuration)
    #expect(dryRun.plan == plan)
    #expect(dryRun.classes.map(\.rewritten) == [4])
    // Nothing has happened so far.
    #expect(try Store.migrationPlan(for: place.configuration) == plan)
    let store = try Store(place.configuration)
    #expect(store.objects(PlannedThing.self).map(\.name) == ["n0", "n1", "none", "n3"])
    #expect(store.migrationHistory.last?.objects == dryRun.objectsRewritten)
  }

  @Test func `without its code the dry run fails as the migration does`() throws {
    let place = try Place()
    var configuration = place.configuration
    configuration.migration = nil
    let ready = configuration
    let error = #expect(throws: StoreError.self) { try Store.dryRunMigration(ready) }
    #expect(error?.code == .migrationNil)
    let same = #expect(throws: StoreError.self) { try Store(ready) }
    #expect(error?.description == same?.description)
  }
}

@Model("Thing") private final class UnplannedThing {
  @PrimaryKey var id: Int
  var name: String?
}

@Model("Thing") private final class PlannedThing {
  @PrimaryKey var id: Int
  var name: String
}
