import Testing
import WhimbrelTestSupport
import WhimbrelTesting

@testable import Whimbrel

/// Results keep what they found while nothing changes that their query reads.
@Suite struct KeptResultsTests {
  private let harbors: HarborStore
  private let other: Store
  private var store: Store { harbors.store }

  init() throws {
    harbors = try HarborStore()
    other = try harbors.place.open()
  }

  /// Returns where the IDs are that the results have found: somewhere else when they are found anew.
  private func place(_ results: Results<Harbor>) -> UInt {
    unsafe results.base.ids.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
  }

  /// Returns results that have been read at two commits.
  private func readTwice() throws -> Results<Harbor> {
    let results = store.objects(Harbor.self).where { $0.size >= 0 }.sorted(by: \.name)
    _ = place(results)
    try store.write { try store.add(Voyage(day: 1)) }
    _ = place(results)
    return results
  }

  @Test func `own writes of other classes leave results as they are`() throws {
    let results = try readTwice()
    let before = place(results)
    try store.write { try store.add(Voyage(day: 2)) }
    #expect(place(results) == before)
    try store.write {}
    #expect(place(results) == before)
    #expect(results.count == 20)
  }

  @Test(arguments: [1, 2, 3, 10])
  func `commits of others to other classes leave results as they are`(count: Int) throws {
    let results = try readTwice()
    let before = place(results)
    for day in 0..<count { try other.write { try other.add(Voyage(day: day)) } }
    try store.refresh()
    #expect(place(results) == before)
    try other.write { try other.add(Harbor(id: 50, name: "new")) }
    try store.refresh()
    #expect(results.count == 21)
  }

  @Test func `a change in the same write is seen, and its undoing`() throws {
    let results = try readTwice()
    #expect(throws: RollBack.self) {
      try store.write {
        #expect(results.count == 20)
        try store.add(Harbor(id: 50, name: "new"))
        #expect(results.count == 21)
        throw RollBack()
      }
    }
    #expect(results.count == 20)
    try store.write { try store.add(Harbor(id: 51, name: "new")) }
    #expect(results.count == 21)
  }

  @Test func `a change that the query reads through a link is seen`() throws {
    let results = store.objects(Harbor.self).where { $0.coast.name == "Nowhere" }
    #expect(results.count == 0 && results.ids.isEmpty)
    try store.write { try store.add(Voyage(day: 1)) }
    #expect(results.ids.isEmpty)
    let coast = try #require(store.objects(Coast.self).first)
    try store.write {
      try harbors.harbor(3).coast = coast
      coast.name = "Somewhere"
    }
    #expect(results.ids.isEmpty)
    try store.write { coast.name = "Nowhere" }
    #expect(!results.ids.isEmpty)
  }

  @Test(arguments: [false, true], UInt64(1)...TestRun.count(4, long: 60))
  func `results that were read before find what a new query finds`(
    isObserved: Bool, seed: UInt64
  ) throws {
    var changes = HarborChanges(seed: seed)
    let all = store.objects(Harbor.self)
    let kept: [Results<Harbor>] = [
      all, all.sorted(by: \.name), all.where { $0.size > 2 },
      all.where { $0.coast.name == "North" },
      all.sorted(by: \.coast.name), all.where { $0.share != nil },
      all.sorted(by: \.rank).limit(5),
      all.distinct(by: \.size),
    ]
    let voyages = store.objects(Voyage.self).where { $0.harbor.size > 2 }
    // Their objects are never found, only counted.
    let counted = kept.map { Results<Harbor>(ObjectList(store.session, $0.base.request)) }
    let tokens = isObserved ? [all.observe { _ in }] : []
    var keptCount = 0
    for round in 0..<80 {
      let before = kept.map(place)
      switch changes.random.number(0..<6) {
      case 0:
        for _ in 0..<changes.random.number(1..<6) {
          try other.write { try other.add(Voyage(day: 3)) }
        }
        try store.refresh()
      case 1: try store.write { try store.add(Voyage(day: 4)) }
      case 2:
        for _ in 0..<changes.random.number(1..<6) { try other.write { try changes.change(other) } }
        if changes.random.happens(percent: 70) { try store.refresh() }
      default: try changes.change(store, or: other)
      }
      for (index, results) in kept.enumerated() {
        let fresh = ObjectList(store.session, results.base.request)
        #expect(results.ids == fresh.ids, "seed \(seed), round \(round), query \(index)")
        #expect(counted[index].count == fresh.count, "seed \(seed), round \(round), query \(index)")
        if place(results) == before[index] { keptCount += 1 }
      }
      #expect(voyages.ids == ObjectList(store.session, voyages.base.request).ids)
    }
    #expect(keptCount > 40, "seed \(seed)")
    withExtendedLifetime(tokens) {}
  }
}
