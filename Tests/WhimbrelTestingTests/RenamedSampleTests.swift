import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

private enum Renamed1 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    var received: Date = Date()
  }
}

private enum Renamed2 {
  @Model("Letter") final class Letter {
    @PrimaryKey var number: Int
    @Renamed(from: "received") var arrival: Date = Date()
  }
}

private enum Renamed3 {
  @Model("Parcel", renamedFrom: "Letter") final class Parcel {
    @PrimaryKey var number: Int
    @Renamed(from: "arrival", "received") var delivery: Date = Date()
  }
}

/// Samples whose properties with a new default each time have other names now.
@Suite struct RenamedSampleTests {
  private static func configuration(
    _ models: [any Model.Type], _ version: SchemaVersion, _ migration: MigrationBlock? = nil
  ) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: "/nowhere"), models: models, schemaVersion: version,
      migration: migration)
  }

  /// The values of such a property are the file's, and were not compared, as if the file had none.
  @Test func `values that a block changes under a new name are compared`() throws {
    let file = try TemporaryStoreFile(named: "Letters.v1.whimbrel")
    var first = Self.configuration([Renamed1.Letter.self], 1)
    first.url = file.url
    let store = try Store(first)
    try store.write { try store.add(Renamed1.Letter(number: 7)) }
    try store.close()
    let sample = try SampleStore(url: file.url)
    let second = Self.configuration([Renamed2.Letter.self], 2)
    try sample.expectMigration(
      with: Self.configuration([Renamed3.Parcel.self], 3), after: [second])

    let mistaken = Self.configuration([Renamed3.Parcel.self], 3) { migration, oldVersion in
      if oldVersion == 2 { return }
      try migration.enumerateObjects(ofType: "Parcel") { _, new in
        try new?.set("delivery", to: Date(timeIntervalSinceReferenceDate: 0))
      }
    }
    expectFailure("Letters.v1", "release by release", "delivery") {
      try sample.expectMigration(with: mistaken, after: [second])
    }
    withExtendedLifetime(file) {}
  }
}
