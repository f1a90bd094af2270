import Foundation
import Whimbrel

private enum Version1 {
  @Model
  final class Reading {
    @PrimaryKey var id: Int
    var sensor: String
    var number: Int
    var raw: Double
    var taken: Date
    var isValid: Bool
    var note: String
  }
}

private enum Version2 {
  @Model
  final class Reading {
    @PrimaryKey var id: Int
    var sensor: String
    var number: Int
    var taken: Date
    var isValid: Bool
    var note: String
    var calibrated: Double = 0
    var label: String = ""
  }
}

/// Whimbrel, whose objects are converted by a rule.
final class WhimbrelOnline: OnlineEngine {
  private let store: Store
  /// Adds one to the number of a reading.
  private let increment: (Int) -> Void

  static func create(_ path: String, count: Int) throws {
    let store = try Store(plain(path))
    try store.write {
      for id in 0..<count {
        let values = ReadingValues(id: id)
        try store.add(
          Version1.Reading(
            id: id, sensor: values.sensor, number: values.number, raw: values.raw,
            taken: Date(timeIntervalSince1970: values.taken), isValid: values.isValid,
            note: values.note))
      }
    }
    try store.close()
  }

  private static func plain(_ path: String) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: path), models: [Version1.Reading.self], schemaVersion: 1)
  }

  static func openPlain(_ path: String) throws {
    let store = try Store(plain(path))
    guard store.object(ofType: Version1.Reading.self, forPrimaryKey: 7)?.raw != nil else {
      throw WorkloadError.noReading(7)
    }
    try store.close()
  }

  static func migrateAtOnce(_ path: String) throws {
    let store = try Store(
      Store.Configuration(
        url: URL(filePath: path), models: [Version2.Reading.self], schemaVersion: 2,
        migration: { migration, _ in
          try migration.enumerate(Version1.Reading.self, Version2.Reading.self) { old, new in
            new.calibrated = old.raw * Derived.factor
            new.label = "\(old.sensor) #\(old.number)"
          }
        }))
    _ = try read(7, store)
    try store.close()
  }

  init(_ path: String) throws {
    var migration = OnlineMigration.online(
      .rule(from: 1, Version1.Reading.self, Version2.Reading.self) { old, new in
        new.calibrated = old.raw * Derived.factor
        new.label = "\(old.sensor) #\(old.number)"
      })
    migration.startsPaused = true
    let store = try Store(
      Store.Configuration(
        url: URL(filePath: path), models: [Version2.Reading.self], schemaVersion: 2,
        migration: migration))
    self.store = store
    increment = {
      store.object(ofType: Version2.Reading.self, forPrimaryKey: $0)?.number += 1
    }
  }

  init(keeping path: String) throws {
    let store = try Store(Self.plain(path))
    self.store = store
    increment = {
      store.object(ofType: Version1.Reading.self, forPrimaryKey: $0)?.number += 1
    }
  }

  func read(_ id: Int) throws -> Double { try Self.read(id, store) }

  private static func read(_ id: Int, _ store: Store) throws -> Double {
    guard let found = store.object(ofType: Version2.Reading.self, forPrimaryKey: id) else {
      throw WorkloadError.noReading(id)
    }
    return found.calibrated
  }

  func scan() -> Double {
    var sum = 0
    for reading in store.objects(Version2.Reading.self) {
      sum += reading.sensor.utf8.count + reading.number + reading.label.utf8.count
    }
    return Double(sum)
  }

  func change(_ ids: [Int]) throws {
    try store.write {
      for id in ids { increment(id) }
    }
  }

  func pause() throws {
    store.transition.pause()
    while let progress = store.transition.progress, progress.activity == .converting {
      usleep(1_000)
    }
  }

  func resume() { store.transition.resume() }

  func refresh() throws { try store.refresh() }

  var fraction: Double { store.transition.progress?.fraction ?? 0 }

  var isOver: Bool { store.transition.progress?.isFinished ?? true }

  func close() throws {
    if let problem = store.transition.progress?.problem {
      throw WorkloadError(description: problem)
    }
    try store.close()
  }
}
