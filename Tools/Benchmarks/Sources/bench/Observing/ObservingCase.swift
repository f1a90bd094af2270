import Foundation
import Whimbrel

/// A change of observed residents, and who observes them.
struct ObservingCase: Sendable {
  let title: String
  /// The limit that the design sets, as text.
  let aim: String
  /// The limit on the repeats.
  var limit = Int.max
  /// Whether so much changes that the query runs again.
  var isLarge: Bool { aim == Self.largeAim }
  static let largeAim = "query + 100 ms"
  /// Returns the observed residents.
  let results: @Sendable (Store) -> Results<Resident>
  /// The number of the first residents that are observed one by one, or nil to observe the results.
  var objectCount: Int?
  /// Whether the results are observed in sections.
  var hasSections = false
  /// Makes the change, in a write.
  let change: @Sendable (ObservingWriter) throws -> Void

  private static func sorted(
    _ title: String, _ aim: String, limit: Int = .max,
    _ change: @escaping @Sendable (ObservingWriter) throws -> Void
  ) -> ObservingCase {
    ObservingCase(
      title: title, aim: aim, limit: limit,
      results: { $0.objects(Resident.self).sorted(by: \.email) }, change: change)
  }

  /// The cases of changes that are told.
  static let all: [ObservingCase] = [
    sorted("sorted by text, one moved", "1 ms") { try $0.move(1) },
    sorted("sorted by text, one modified", "1 ms") { try $0.resident().score += 1 },
    sorted("sorted by text, one added", "1 ms") { try $0.add() },
    sorted("sorted by text, one deleted", "1 ms") { try $0.store.delete($0.resident()) },
    sorted("sorted by text, 1,000 moved", "60 ms", limit: 7) { try $0.move(1_000) },
    sorted("sorted by text, a tenth moved", largeAim, limit: 7) {
      try $0.move($0.count / 10)
    },
    ObservingCase(
      title: "all, one modified", aim: "1 ms", results: { $0.objects(Resident.self) },
      change: { try $0.resident().score += 1 }),
    ObservingCase(
      title: "filtered, one modified", aim: "1 ms",
      results: { $0.objects(Resident.self).where { $0.score > 1_000 } },
      change: { writer in
        var resident = try writer.resident()
        while resident.score <= 1_000 { resident = try writer.resident() }
        resident.score += 1
      }),
    ObservingCase(
      title: "sorted through a link, a target of few", aim: "1 ms",
      results: { $0.objects(Resident.self).sorted(by: \.town.name) },
      change: { try $0.resident(1).town?.name += "a" }),
    ObservingCase(
      title: "sorted through a link, a target of half", aim: largeAim, limit: 7,
      results: { $0.objects(Resident.self).sorted(by: \.town.name) },
      change: { $0.store.object(ofType: Town.self, forPrimaryKey: 0)?.name += "a" }),
    ObservingCase(
      title: "limit 100 by an index, one of them", aim: "0.3 ms",
      results: { $0.objects(Resident.self).sorted(by: \.rank).limit(100) },
      change: { $0.store.objects(Resident.self).sorted(by: \.rank).first?.rank = 1_000_000_000 }),
    ObservingCase(
      title: "limit 100 by text, one of them", aim: "1 ms",
      results: { $0.objects(Resident.self).sorted(by: \.email).limit(100) },
      change: { $0.store.objects(Resident.self).sorted(by: \.email).first?.email = $0.email() }),
    ObservingCase(
      title: "1,000 sections by text, one moved", aim: "",
      results: { $0.objects(Resident.self).sorted(by: \.email) }, hasSections: true,
      change: { try $0.move(1) }),
    ObservingCase(
      title: "1,000 sections by text, a tenth moved", aim: "", limit: 3,
      results: { $0.objects(Resident.self).sorted(by: \.email) }, hasSections: true,
      change: { try $0.move($0.count / 10) }),
    ObservingCase(
      title: "10,000 objects, one modified", aim: "0.2 ms",
      results: { $0.objects(Resident.self) }, objectCount: 10_000,
      change: { try $0.resident(below: 10_000).score += 1 }),
  ]
}

extension ObservingCase {
  /// Begins to observe, and calls a closure with each change.
  func observe(
    in store: Store, isolation: isolated (any Actor)? = #isolation, _ tell: @escaping () -> Void
  ) -> [ObservationToken] {
    if hasSections {
      return [
        results(store).sectioned(by: \.group).observe(isolation: isolation) { _ in tell() }
      ]
    }
    guard let objectCount else {
      return [results(store).observe(isolation: isolation) { _ in tell() }]
    }
    return results(store).prefix(objectCount).map { resident in
      resident.observe(isolation: isolation) { _ in tell() }
    }
  }
}

/// A store that changes residents at random.
final class ObservingWriter {
  let store: Store
  let count: Int
  private var random = SplitMix64(seed: 7)
  private var nextID: Int

  init(_ configuration: Store.Configuration, count: Int) throws {
    store = try Store(configuration)
    self.count = count
    nextID = count
  }

  /// Adds the residents, of whom half live in one town.
  func fill() throws {
    let towns = max(10, count / 100)
    try store.write { store in
      var random = SplitMix64(seed: 1)
      let all = (0..<towns).map { Town(id: $0, name: "town \(random.next() % 1_000_000)") }
      try store.add(all)
      for id in 0..<count {
        let town = id % 2 == 0 ? all[0] : all[1 + Int(random.next() % UInt64(towns - 1))]
        try store.add(
          Resident(
            id: id, email: Self.email(&random), rank: Int(random.next() % 1_000_000_000),
            score: Double(id), group: id % 1_000, town: town))
      }
    }
  }

  private static func email(_ random: inout SplitMix64) -> String {
    "resident.\(random.next() % 1_000_000_000)@example.org"
  }

  func email() -> String { Self.email(&random) }

  /// Returns a resident at random.
  ///
  /// - Parameter rest: The rest of the division of the ID by two, or nil for any.
  func resident(_ rest: Int? = nil, below limit: Int? = nil) throws -> Resident {
    while true {
      var id = Int(random.next() % UInt64(limit ?? count))
      if let rest { id = id / 2 * 2 + rest }
      if let found = store.object(ofType: Resident.self, forPrimaryKey: id) { return found }
    }
  }

  func move(_ count: Int) throws {
    for _ in 0..<count { try resident().email = email() }
  }

  func add() throws {
    try store.add(Resident(id: nextID, email: email(), rank: nextID, score: 0, group: 0, town: nil))
    nextID += 1
  }

  func commit(_ change: (ObservingWriter) throws -> Void) throws {
    try store.write { try change(self) }
  }
}
