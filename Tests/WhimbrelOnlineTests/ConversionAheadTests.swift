import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Loops over many objects that are not yet converted: another core converts those that come next.
struct ConversionAheadTests {
  private static let count = 1_500

  private func makeStore(
    _ files: OnlineStore, converting share: Double = 0
  ) throws -> Store {
    try files.make(Self.count)
    let store = try Store(files.configuration())
    var generator = SeededGenerator(seed: 1)
    try store.write {
      for number in 1...Self.count where Double.random(in: 0..<1, using: &generator) < share {
        store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: number)?.isChecked = true
      }
    }
    return store
  }

  private func problems(_ readings: some Sequence<OnlineV2.Reading>) -> [String] {
    readings.flatMap { OnlineStore.problems(of: $0, $0.number, checksFlag: false) }
  }

  @Test(arguments: [0, 0.3, 0.9, 1])
  func `a loop over the class reads what the rule makes`(_ share: Double) throws {
    let files = try OnlineStore()
    let store = try makeStore(files, converting: share)
    let readings = store.objects(OnlineV2.Reading.self)
    #expect(readings.map(\.number) == Array(1...Self.count))
    #expect(problems(readings).isEmpty)
    #expect(try readings.frozen.map(\.calibrated) == (1...Self.count).map { Double($0) / 2 })
    try store.refresh()
  }

  @Test(arguments: [0, 0.5])
  func `a loop over sorted and chosen objects reads what the rule makes`(_ share: Double) throws {
    let files = try OnlineStore()
    let store = try makeStore(files, converting: share)
    let sorted = store.objects(OnlineV2.Reading.self).sorted(by: \.number, ascending: false)
    #expect(sorted.map(\.number) == (1...Self.count).reversed())
    #expect(problems(sorted).isEmpty)
    let chosen = store.objects(OnlineV2.Reading.self).where { $0.sensor != "sensor 3" }
    #expect(chosen.map(\.number) == (1...Self.count).filter { $0 % 10 != 3 })
    #expect(problems(chosen).isEmpty)
    try store.refresh()
  }

  /// Objects that were read before stay readable, while the bytes of other ones are reused.
  @Test func `loops within loops and objects that are kept read what the rule makes`() throws {
    let files = try OnlineStore()
    let store = try makeStore(files)
    let readings = store.objects(OnlineV2.Reading.self)
    var kept: [OnlineV2.Reading] = []
    for reading in readings {
      kept.append(reading)
      if reading.number % 300 == 0 {
        for other in readings.sorted(by: \.number) where other.number % 100 == 0 {
          #expect(problems([other]).isEmpty)
        }
        #expect(problems([reading]).isEmpty)
      }
    }
    #expect(problems(kept).isEmpty)
    try store.refresh()
  }

  @Test func `a loop that ends early, writes, refreshes or closes its store leaves nothing behind`()
    throws
  {
    let files = try OnlineStore()
    let store = try makeStore(files)
    let readings = store.objects(OnlineV2.Reading.self)
    for limit in [1, 63, 64, 65, 300, 319, 320, 321, 900] {
      #expect(problems(readings.prefix(limit)).isEmpty)
    }
    let other = try Store(files.configuration())
    for reading in readings {
      #expect(problems([reading]).isEmpty)
      switch reading.number {
      case 200, 700: try store.write { reading.isChecked.toggle() }
      case 400, 800:
        try other.write {
          other.object(ofType: OnlineV2.Reading.self, forPrimaryKey: reading.number + 300)?
            .isChecked = true
        }
        try store.refresh()
      case 1_000:
        let next = store.object(ofType: OnlineV2.Reading.self, forPrimaryKey: 1_001)
        try store.write { try store.delete(#require(next)) }
      default: break
      }
    }
    #expect(readings.count == Self.count - 1)
    var seen = 0
    for _ in readings {
      seen += 1
      if seen == 500 { try store.close() }
    }
    #expect(seen == 500)
    try other.close()
    #expect(throws: Never.self) { try Store.deleteFiles(at: files.url) }
  }

  @Test func `errors of a rule are those of the object that the loop has come to`() throws {
    let files = try OnlineStore()
    try files.make(Self.count)
    // The rule sees one object, and asks for others from number 700 on.
    let rule = MigrationRule.rule(
      from: 1, OnlineV1.Reading.self, OnlineV2.Reading.self
    ) { old, new in
      new.calibrated = 1
      new.label = old.number < 700 ? "near" : "of \(old.station?.code ?? "none")"
    }
    var migration = OnlineMigration.online(rule)
    migration.startsPaused = true
    let store = try Store(
      Store.Configuration(
        url: files.url, models: [OnlineV2.Reading.self, OnlineV2.Station.self], schemaVersion: 2,
        migration: migration))
    var last = 0
    for reading in store.objects(OnlineV2.Reading.self) {
      last = reading.number
      #expect(reading.label == "near")
      if last == 699 { try store.refresh() }
    }
    #expect(last == 699)
    let error = #expect(throws: StoreError.self) { try store.refresh() }
    #expect(error?.code == .ruleFailed, "\(String(describing: error))")
  }
}
