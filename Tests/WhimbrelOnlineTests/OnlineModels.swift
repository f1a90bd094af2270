import Foundation
import Whimbrel
import WhimbrelEngine

/// The models of the tests of online migrations, as they were.
enum OnlineV1 {
  @Model
  final class Station {
    @PrimaryKey var code: String
    @Inverse(of: \Reading.station) var readings: LinkingObjects<Reading>
  }

  @Model
  final class Reading {
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    var raw: Double
    var level: String
    var note: String?
    var tags: StoredList<String>
    var station: Station?
  }
}

/// The same one version later: `calibrated` and `label` are derived, and `level` is a number.
enum OnlineV2 {
  @Model
  final class Station {
    @PrimaryKey var code: String
    @Inverse(of: \Reading.station) var readings: LinkingObjects<Reading>
  }

  @Model
  final class Reading {
    @Indexed var calibrated: Double = 0
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    var label: String = ""
    var level: Int = -1
    var note: String?
    var tags: StoredList<String>
    var station: Station?
    var isChecked: Bool = false
  }
}

/// Another version later: `label` is called `title`, and `size` follows from it.
enum OnlineV3 {
  @Model
  final class Station {
    @PrimaryKey var code: String
    @Inverse(of: \Reading.station) var readings: LinkingObjects<Reading>
  }

  @Model
  final class Reading {
    @PrimaryKey var number: Int
    @Renamed(from: "label") var title: String = ""
    var size: Int = 0
    @Indexed var sensor: String
    var calibrated: Double = 0
    var level: Int = -1
    var note: String?
    var tags: StoredList<String>
    var station: Station?
  }
}

/// Version 3 of an app that keeps its rule: `label` is called `title`, `level` is a `Double`, and
/// `extra` is new.
enum OnlineExtended {
  @Model
  final class Station {
    @PrimaryKey var code: String
    @Inverse(of: \Reading.station) var readings: LinkingObjects<Reading>
  }

  @Model
  final class Reading {
    var extra: Int = 0
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    @Indexed var calibrated: Double = 0
    @Renamed(from: "label") var title: String = ""
    var level: Double = -1
    var note: String?
    var tags: StoredList<String>
    var station: Station?
  }
}

/// A version in which stations are called posts.
enum OnlineRenamed {
  @Model(renamedFrom: "Station")
  final class Post {
    @PrimaryKey var code: String
  }

  @Model
  final class Reading {
    @PrimaryKey var number: Int
    @Indexed var sensor: String
    var label: String = ""
    var station: Post?
  }
}

/// A version that does not declare readings.
enum OnlineStations {
  @Model
  final class Station {
    @PrimaryKey var code: String
    @Indexed var name: String = ""
  }
}

/// A version with another primary key, which no rule can give.
enum OnlineKeyed {
  @Model
  final class Reading {
    @PrimaryKey var label: String
    var number: Int
  }
}

/// A version full of changes that no rule can make.
enum OnlineTokens {
  @Model
  final class Reading {
    @PrimaryKey var sensor: String
    var number: Int
    @Indexed(.unique) var note: String?
    var label: String
    var token: UUID = UUID()
  }
}

/// A store of ``OnlineV1`` and the configurations that open it.
struct OnlineStore {
  private let folder: TestFolder
  var url: URL { folder.url.appending(path: "readings.whimbrel") }

  init() throws { folder = try TestFolder() }

  static func note(_ number: Int) -> String? {
    switch number % 5 {
    case 0: nil
    case 1: String(repeating: "n\(number) ", count: 800)
    default: "note \(number)"
    }
  }

  /// The level of an object; every seventh has one that is not a number.
  static func level(_ number: Int) -> String { number % 7 == 3 ? "high" : "\(number % 100)" }

  var old: Store.Configuration {
    Store.Configuration(
      url: url, models: [OnlineV1.Reading.self, OnlineV1.Station.self], schemaVersion: 1)
  }

  /// Makes the store with objects 1 to `count`.
  func make(_ count: Int) throws {
    let store = try Store(old)
    try store.write {
      let stations = (0..<3).map { OnlineV1.Station(code: "S\($0)") }
      try store.add(stations)
      for number in 1...max(count, 1) where count > 0 {
        let reading = OnlineV1.Reading(
          number: number, sensor: "sensor \(number % 10)", raw: Double(number) / 4,
          level: Self.level(number), note: Self.note(number), station: stations[number % 3])
        reading.tags.append(objectsIn: (0..<number % 4).map { "tag \($0)" })
        if number % 50 == 0 {
          reading.tags.append(objectsIn: (0..<200).map { "long tag \($0)" })
        }
        try store.add(reading)
      }
    }
    try store.close()
  }

  /// Returns the configuration of an app with one model, whose transition begins paused.
  func paused(
    _ model: any Model.Type, _ version: SchemaVersion, _ rules: some Sequence<MigrationRule>
  ) -> Store.Configuration {
    var migration = OnlineMigration.online(Array(rules))
    migration.startsPaused = true
    return Store.Configuration(
      url: url, models: [model], schemaVersion: version, migration: migration)
  }

  static let rule = MigrationRule.rule(
    from: 1, OnlineV1.Reading.self, OnlineV2.Reading.self
  ) { old, new in
    new.calibrated = old.raw * 2
    new.label =
      old.number % 11 == 0
      ? String(repeating: "\(old.sensor) ", count: 400) : "\(old.sensor) #\(old.number)"
    if let level = Int(old.level) { new.level = level }
    if old.number % 3 == 0 { new.tags.append("three") }
  }

  func configuration(startsPaused: Bool = true) -> Store.Configuration {
    var migration = OnlineMigration.online(Self.rule)
    migration.startsPaused = startsPaused
    return Store.Configuration(
      url: url, models: [OnlineV2.Reading.self, OnlineV2.Station.self], schemaVersion: 2,
      migration: migration)
  }

  /// The problems of an object of version 2, compared with what the rule should have made.
  static func problems(
    of reading: OnlineV2.Reading, _ number: Int, checksFlag: Bool = true
  ) -> [String] {
    var problems: [String] = []
    func expect(_ isRight: Bool, _ name: String) {
      if !isRight { problems.append("\(name) of \(number)") }
    }
    expect(reading.number == number, "number")
    expect(reading.sensor == "sensor \(number % 10)", "sensor")
    expect(reading.calibrated == Double(number) / 2, "calibrated")
    let label =
      number % 11 == 0
      ? String(repeating: "sensor \(number % 10) ", count: 400)
      : "sensor \(number % 10) #\(number)"
    expect(reading.label == label, "label")
    expect(reading.level == (Int(level(number)) ?? -1), "level")
    expect(reading.note == note(number), "note")
    expect(!checksFlag || !reading.isChecked, "isChecked")
    expect(reading.station?.code == "S\(number % 3)", "station")
    var tags = (0..<number % 4).map { "tag \($0)" }
    if number % 50 == 0 { tags += (0..<200).map { "long tag \($0)" } }
    if number % 3 == 0 { tags.append("three") }
    expect(Array(reading.tags) == tags, "tags")
    return problems
  }
}

extension Store {
  /// What a check of records, indexes, keys and links finds.
  func findings() throws -> [String] { try IntegrityCheck.run(session).map(\.description) }
}
