import Observation
import Synchronization
import Testing
import Whimbrel
import WhimbrelEngine

/// Observers of objects that are converted.
struct ObservedTransitionTests {
  private let files: OnlineStore
  private let composed = "caf\u{e9}"

  init() throws {
    files = try OnlineStore()
    try files.make(5)
    let store = try Store(files.old)
    try store.write {
      for reading in store.objects(OnlineV1.Reading.self) {
        reading.note = composed
        if reading.number == 5 { reading.raw = .nan }
      }
    }
    try store.close()
  }

  /// The values of a record before and after its conversion were compared with `==`, as Swift
  /// compares texts. Conditions compare their bytes, so the order kept an object that no longer
  /// matched, got it a second time when it matched again, and stopped the program.
  @Test func `an observer hears that an unconverted object gets a text in another normal form`()
    throws
  {
    let store = try Store(files.configuration())
    let readings = store.objects(OnlineV2.Reading.self)
    let matches = readings.where { $0.note == composed }
    var calls: [String] = []
    let tokens = [
      readings.observe { change in
        if case .update(_, let update) = change { calls.append("all \(update.modifications)") }
      },
      matches.observe { change in
        if case .update(_, let update) = change { calls.append("matches \(update)") }
      },
    ]
    try store.write { readings[1].note = "cafe\u{301}" }
    #expect(matches.count == 4)
    #expect(
      calls == ["all [1]", "matches deletions [1], insertions [], modifications []"])
    calls = []
    try store.write { readings[1].note = composed }
    #expect(
      calls == ["all [1]", "matches deletions [], insertions [1], modifications []"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a NaN that is converted is not another value`() throws {
    let store = try Store(files.configuration())
    let readings = store.objects(OnlineV2.Reading.self)
    #expect(readings[4].calibrated.isNaN)
    var properties: [Set<String>] = []
    let token = readings.observe { change in
      guard case .update(_, let update) = change else { return }
      properties += update.modifications.map { update.changedProperties(of: update.ids[$0]) }
    }
    try store.write { readings[4].isChecked = true }
    #expect(properties == [["isChecked"]])
    withExtendedLifetime(token) {}
  }

  /// A conversion in memory can begin another epoch, and the read that caused it was not noted.
  @Test func `each property of an unconverted object that is read is tracked`() throws {
    let files = try OnlineStore()
    try files.make(1_100)
    var configuration = files.configuration()
    configuration.observationTracking = .always
    let store = try Store(configuration)
    let readings = Array(store.objects(OnlineV2.Reading.self))
    // The next use of each object looks its record up again.
    try store.write { readings[0].isChecked = true }
    let told = Mutex(0)
    for reading in readings {
      withObservationTracking {
        _ = reading.isChecked
      } onChange: {
        told.withLock { $0 += 1 }
      }
    }
    try store.write {
      for reading in readings { reading.isChecked.toggle() }
    }
    #expect(told.withLock { $0 } == readings.count)
  }
}
