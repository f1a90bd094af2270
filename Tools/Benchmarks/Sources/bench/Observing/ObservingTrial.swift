import Foundation
import Whimbrel

/// Observes a store while another store of the same file commits.
final class ObservingTrial {
  private let store: Store
  private let writer: Store
  private let count: Int
  private let repeats: Int
  private var random = SplitMix64(seed: 7)
  private var nextID: Int
  private var figures: [String: ObservingFigure] = [:]
  private var callCount = 0

  private static let aims: [(title: String, aim: String)] = [
    ("sorted by text, one moved", "1 ms"), ("sorted by text, one modified", "1 ms"),
    ("sorted by text, one added", "1 ms"), ("sorted by text, one deleted", "1 ms"),
    ("all, one modified", "1 ms"), ("filtered, one modified", "1 ms"),
    ("sorted through a link, a target of few", "1 ms"),
    ("limit 100 by an index, one of them", "0.3 ms"),
    ("limit 100 by text, one of them", "1 ms"), ("sorted by text, 1,000 moved", "60 ms"),
    ("sorted by text, a tenth moved", "query + 100 ms"),
    ("sorted through a link, a target of half", "query + 100 ms"),
    ("the query sorted by text", ""), ("the query sorted through a link", ""),
    ("100 observers, none concerned", "20 µs"), ("10,000 objects, one modified", "0.2 ms"),
  ]

  static var titles: [String] { aims.map(\.title) }

  init(file: URL, count: Int, repeats: Int) throws {
    var configuration = Store.Configuration(
      url: file, models: [Resident.self, Town.self, Notice.self], schemaVersion: 0)
    configuration.durability = .relaxed
    store = try Store(configuration)
    writer = try Store(configuration)
    self.count = count
    self.repeats = repeats
    nextID = count
    let towns = max(10, count / 100)
    try writer.write { [writer] in
      var random = SplitMix64(seed: 1)
      let all = (0..<towns).map { Town(id: $0, name: "town \(random.next() % 1_000_000)") }
      try writer.add(all)
      for id in 0..<count {
        // Half of the residents live in one town.
        let town = id % 2 == 0 ? all[0] : all[1 + Int(random.next() % UInt64(towns - 1))]
        try writer.add(
          Resident(
            id: id, email: Self.email(&random), rank: Int(random.next() % 1_000_000_000),
            score: Double(id), town: town))
      }
    }
    try store.refresh()
  }

  private static func email(_ random: inout SplitMix64) -> String {
    "resident.\(random.next() % 1_000_000_000)@example.org"
  }

  func run() throws -> [String: ObservingFigure] {
    let residents = store.objects(Resident.self)
    let sorted = residents.sorted(by: \.email)
    // A second observer of the same objects: the first one leaves memory to the process that it has
    // no use for.
    let first = residents.observe { _ in }
    let before = Int(MemoryPeak.current())
    try observing(residents) {
      let used = Int(MemoryPeak.current()) - before
      first.invalidate()
      say(String(format: "%.1f bytes for each observed object", Double(used) / Double(count)))
      try measure("all, one modified") { try self.resident().score += 1 }
    }
    try observing(sorted) {
      try measure("sorted by text, one moved") {
        try self.resident().email = Self.email(&self.random)
      }
      try measure("sorted by text, one modified") { try self.resident().score += 1 }
      try measure("sorted by text, one added") { try self.add() }
      try measure("sorted by text, one deleted") { try self.writer.delete(self.resident()) }
      try measure("sorted by text, 1,000 moved", upTo: 7) {
        for _ in 0..<1_000 { try self.resident().email = Self.email(&self.random) }
      }
      try measure("sorted by text, a tenth moved", upTo: 3) {
        for _ in 0..<self.count / 10 { try self.resident().email = Self.email(&self.random) }
      }
    }
    try observing(residents.where { $0.score > 1_000 }) {
      try measure("filtered, one modified") { try self.resident().score += 1 }
    }
    try observing(residents.sorted(by: \.town.name)) {
      try measure("sorted through a link, a target of few") {
        guard let town = try self.resident(1).town else { return }
        town.name += "a"
      }
      try measure("sorted through a link, a target of half", upTo: 3) {
        self.writer.object(ofType: Town.self, forPrimaryKey: 0)?.name += "a"
      }
    }
    try observing(residents.sorted(by: \.rank).limit(100)) {
      try measure("limit 100 by an index, one of them") {
        guard let first = self.writer.objects(Resident.self).sorted(by: \.rank).first else {
          return
        }
        first.rank = 1_000_000_000
      }
    }
    try observing(sorted.limit(100)) {
      try measure("limit 100 by text, one of them") {
        guard let first = self.writer.objects(Resident.self).sorted(by: \.email).first else {
          return
        }
        first.email = Self.email(&self.random)
      }
    }
    try measureQueries()
    try measureManyObservers()
    return figures
  }

  private func measureQueries() throws {
    let clock = ContinuousClock()
    let times = [
      "the query sorted by text": clock.measure {
        _ = store.objects(Resident.self).sorted(by: \.email).ids
      },
      "the query sorted through a link": clock.measure {
        _ = store.objects(Resident.self).sorted(by: \.town.name).ids
      },
    ]
    for (title, time) in times { note(title, time / .milliseconds(1)) }
  }

  private func measureManyObservers() throws {
    let tokens = (0..<100).map { number in
      store.objects(Resident.self).where { $0.rank < number }.observe { _ in self.callCount += 1 }
    }
    try measure("100 observers, none concerned", isTold: false) {
      try self.writer.add(Notice(text: "nobody looks"))
    }
    withExtendedLifetime(tokens) {}
    let objects = store.objects(Resident.self).prefix(10_000).map { resident in
      resident.observe { _ in self.callCount += 1 }
    }
    let first = store.objects(Resident.self).prefix(10_000).map(\.id)
    try measure("10,000 objects, one modified") {
      let id = first[Int(self.random.next() % UInt64(first.count))]
      self.writer.object(ofType: Resident.self, forPrimaryKey: id)?.score += 1
    }
    withExtendedLifetime(objects) {}
  }

  /// A resident at random.
  private func resident(_ rest: Int? = nil) throws -> Resident {
    while true {
      var id = Int(random.next() % UInt64(count))
      if let rest { id = id / 2 * 2 + rest }
      if let found = writer.object(ofType: Resident.self, forPrimaryKey: id) { return found }
    }
  }

  private func add() throws {
    try writer.add(
      Resident(id: nextID, email: Self.email(&random), rank: nextID, score: 0, town: nil))
    nextID += 1
  }

  private func observing(_ results: Results<Resident>, _ body: () throws -> Void) throws {
    let token = results.observe { [unowned self] _ in callCount += 1 }
    try body()
    token.invalidate()
    try writer.write { try writer.add(Notice(text: "the end")) }
    try store.refresh()
  }

  private func note(_ title: String, _ time: Double) {
    let aim = Self.aims.first { $0.title == title }?.aim ?? ""
    figures[title] = ObservingFigure(title: title, aim: aim, time: time)
  }

  /// Makes a change many times, and notes how long the observed store took to follow it.
  private func measure(
    _ title: String, upTo limit: Int = .max, isTold: Bool = true,
    _ change: @escaping () throws -> Void
  ) throws {
    var times: [Double] = []
    for _ in 0..<min(repeats, limit) {
      try writer.write { try change() }
      let calls = callCount
      let start = ContinuousClock.now
      try store.refresh()
      times.append((ContinuousClock.now - start) / .milliseconds(1))
      guard (callCount > calls) == isTold else {
        throw WorkloadError(description: "Wrong: \(callCount - calls) calls, for '\(title)'.")
      }
    }
    note(title, times.median)
  }
}
