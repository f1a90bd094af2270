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

  /// LMDB gives the number of a write without changes to the next write. A commit of another store
  /// with that number was taken for the store's own, whose changes are counted already.
  @Test func `a commit of another store is seen after a write without changes`() throws {
    let results = store.objects(Harbor.self).where { $0.size >= 0 }
    try store.write {}
    #expect(results.ids.count == 20)
    try store.refresh()
    #expect(results.ids.count == 20)
    try other.write { try other.add(Harbor(id: 50, name: "new")) }
    try store.refresh()
    #expect(results.ids.count == 21)
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

  @Test func `in a write, results are kept until something changes that they read`() throws {
    let (all, north) = (store.objects(Harbor.self), harbors.north)
    let large = all.where { $0.size > 2 }.sorted(by: \.name)
    let toured = north.tour.where { $0.size >= 0 }
    try store.write {
      let harbor = try harbors.harbor(3)
      // What is found in a new state is kept from the second time on.
      for rank in 1...2 {
        harbor.rank = Int8(rank)
        _ = (place(all), place(large), place(toured))
      }
      let before = (place(all), place(large), place(toured))
      harbor.rank = 7
      harbor.price = 8
      north.lights.insert(harbor)
      #expect(before == (place(all), place(large), place(toured)))
      harbor.size = 9
      #expect(place(all) == before.0 && large.contains(harbor))
      north.tour.append(harbor)
      #expect(toured.last?.id == 3 && place(all) == before.0)
      try store.delete(harbor)
      #expect(!all.contains { $0.id == 3 } && !toured.contains { $0.id == 3 })
      #expect(!large.contains { $0.id == 3 })
    }
  }

  @Test func `a change of a collection outside of the record is seen in the write`() throws {
    let north = harbors.north
    let toured = north.tour.where { $0.size == 3 }
    try store.write {
      let harbor = try harbors.harbor(3)
      for _ in 0..<2_000 { north.tour.append(harbor) }
      // Kept from the second time on.
      _ = toured.ids
      north.tour.append(harbor)
      #expect(toured.ids.count == 2_001)
      north.tour.removeLast()
      #expect(toured.ids.count == 2_000)
      try store.delete(harbor)
      #expect(toured.ids.isEmpty)
    }
  }

  @Test func `an inverse is kept until a link changes, also for a new value`() throws {
    let north = harbors.north
    try store.write {
      let harbor = try harbors.harbor(3)
      harbor.coast = nil
      let count = north.harbors.count
      for rank in 1...3 {
        harbor.rank = Int8(rank)
        #expect(north.harbors.count == count)
      }
      harbor.coast = north
      #expect(north.harbors.count == count + 1 && harbors.south.harbors.first?.id == 1)
      let kept = north.harbors
      #expect(kept.count == count + 1)
      try store.delete(harbor)
      #expect(north.harbors.count == count && kept.count == count)
      try store.delete(store.objects(Harbor.self))
      #expect(north.harbors.isEmpty && kept.isEmpty && kept.first == nil)
    }
  }

  @Test(arguments: UInt64(1)...TestRun.count(6, long: 100))
  func `after each change in a write, results find what a new query finds`(seed: UInt64) throws {
    let (store, north) = (store, harbors.north)
    let (all, voyages) = (store.objects(Harbor.self), store.objects(Voyage.self))
    let coasts = store.objects(Coast.self)
    let lists = [
      all, all.where { $0.size > 2 }.sorted(by: \.name), all.where { $0.coast.name == "North" },
      all.sorted(by: \.coast.name), all.sorted(by: \.rank).limit(5), all.distinct(by: \.size),
      all.where { $0.coast.harbors.count > 5 }, north.tour.where { $0.size > 1 },
      north.lights.sorted(by: \.name), north.harbors.where { $0.size < 4 },
    ].map(\.base)
    let others = [
      voyages.where { $0.harbor.size > 2 }.base, voyages.sorted(by: \.harbor.coast.name).base,
      coasts.where { $0.tour.size == 3 }.base, coasts.where { $0.harbors.size == 4 }.base,
    ]
    let kept = lists + others
    let counted = kept.map { ObjectList($0.session, $0.request) }
    let inverse = north.harbors
    var changes = HarborChanges(seed: seed)
    func check() throws {
      for (index, list) in kept.enumerated() {
        let fresh = try BoundQuery(list.request, in: store.session).objectIDs()
        try #require(list.ids == fresh, "seed \(seed), query \(index)")
        try #require(counted[index].count == fresh.count, "seed \(seed), query \(index)")
      }
      let linking = all.filter { $0.coast?.code == north.code }.map(\.id)
      #expect(inverse.first?.id == linking.first)
      for found in [Array(inverse), Array(north.harbors), Array(north.harbors.results)] {
        try #require(found.map(\.id) == linking, "seed \(seed)")
      }
    }
    changes.didChange = check
    for _ in 0..<25 {
      try changes.change(store, or: other)
      try check()
    }
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
