import Foundation
import Whimbrel
import WhimbrelTestSupport

/// A store that is damaged in many ways.
struct DamageStore: Sendable {
  let name: String
  var boats = 40
  var sailors = 30
  var entries = 60
  /// How many elements long lists have, and how many bytes long texts and data.
  var length = 40
  /// How many times objects are changed, deleted and added again.
  var rounds = 0

  static let all = [
    DamageStore(name: "mixed"),
    DamageStore(name: "many", boats: 10, sailors: 9_000, entries: 10),
    DamageStore(name: "long", boats: 12, sailors: 60, entries: 12, length: 20_000),
    DamageStore(name: "changed", rounds: 12),
  ]

  /// A store of about 50 MB.
  static let large = DamageStore(
    name: "large", boats: 400, sailors: 100_000, entries: 20_000, length: 40_000)

  /// Makes the store, and beside it a copy from before its last write.
  func make(in folder: URL) throws {
    var configuration = Store.Configuration(
      url: url(in: folder), models: Fleet.models, schemaVersion: 1)
    configuration.durability = .relaxed
    let store = try Store(configuration)
    var random = WhimbrelTestSupport.SeededGenerator(
      seed: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
    try store.write {
      let people = (0..<sailors).map { number in
        Fleet.Sailor(
          name: "sailor \(number)", age: number % 60,
          licence: number % 3 == 0 ? nil : Self.uuid(number))
      }
      try store.add(people)
      let harbors = (0..<9).map { Fleet.Harbor(code: "H\($0)", depth: Decimal($0) / 4) }
      try store.add(harbors)
      for number in 0..<boats { try addBoat(number, people, harbors, to: store, &random) }
      for number in 0..<entries { try store.add(Self.entry(number, people)) }
    }
    for round in 0..<rounds { try change(store, round, &random) }
    try store.writeCopy(to: older(in: folder))
    try store.write {
      for boat in store.objects(Fleet.Boat.self).where({ $0.number < 5 }) { boat.length += 1 }
      try store.add(Self.entry(entries + 1_000, []))
    }
    try store.close()
  }

  func url(in folder: URL) -> URL { folder.appending(path: "\(name).whimbrel") }
  func older(in folder: URL) -> URL { folder.appending(path: "\(name)-older.whimbrel") }

  private static func uuid(_ number: Int) -> UUID {
    let text =
      "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - "\(number)".count)
      + "\(number)"
    return UUID(uuidString: text) ?? UUID()
  }

  private func addBoat(
    _ number: Int, _ people: [Fleet.Sailor], _ harbors: [Fleet.Harbor], to store: Store,
    _ random: inout WhimbrelTestSupport.SeededGenerator
  ) throws {
    let boat = Fleet.Boat(
      number: number, name: "boat \(number % 7)", length: Double(number) / 2,
      rig: number % 2 == 0 ? .sloop : .ketch,
      launched: number % 4 == 0 ? nil : Date(timeIntervalSince1970: Double(number) * 86_400),
      notes: String(repeating: "wind tide \(number) ", count: 1 + length / 20 * (number % 2)),
      photo: Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* number) }),
      engine: number % 3 == 0 ? Fleet.Engine(power: number, maker: "m\(number)") : nil,
      captain: people.randomElement(using: &random))
    try store.add(boat)
    boat.spares.append(Fleet.Engine(power: 1_000 + number, maker: nil))
    for _ in 0..<(number % 9) {
      boat.crew.append(people[Int.random(in: 0..<people.count, using: &random)])
    }
    boat.depths.append(contentsOf: (0..<(number % 4 == 0 ? length : 3)).map { $0 * 3 + number })
    for tag in 0..<(number % 5) { boat.tags.insert("tag \(tag)") }
    for place in 0..<(number % 4) {
      boat.berths["berth \(place)"] = harbors[(place + number) % harbors.count]
    }
  }

  private static func entry(_ number: Int, _ people: [Fleet.Sailor]) -> Fleet.Entry {
    let value: AnyValue
    switch number % 5 {
    case 0: value = .int(number)
    case 1: value = .string("value \(number)")
    case 2: value = .double(Double(number) / 3)
    case 3: value = .data(Data([1, 2, 3]))
    default: value = .none
    }
    return Fleet.Entry(
      day: number / 3, value: value, text: number % 4 == 0 ? nil : "entry \(number)")
  }

  private func change(
    _ store: Store, _ round: Int, _ random: inout WhimbrelTestSupport.SeededGenerator
  ) throws {
    try store.write {
      let boats = Array(store.objects(Fleet.Boat.self))
      for boat in boats where Int.random(in: 0..<4, using: &random) == 0 {
        boat.name = "boat \(round)"
        boat.depths.append(round)
        boat.notes += " round \(round)"
      }
      if let boat = boats.randomElement(using: &random) { try store.delete(boat) }
      for entry in store.objects(Fleet.Entry.self).where({ $0.day == round }) {
        try store.delete(entry)
      }
      let people = Array(store.objects(Fleet.Sailor.self).limit(20))
      let harbors = Array(store.objects(Fleet.Harbor.self))
      try addBoat(1_000 + round, people, harbors, to: store, &random)
    }
  }
}
