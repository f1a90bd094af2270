import Foundation
import Observation
import Synchronization
import Testing
import Whimbrel

@Model
private final class Basket {
  var name: String = ""
  var numbers: StoredList<Int>
}

/// `withObservationTracking` over objects and results.
@Suite struct TrackingTests {
  private let harbors: HarborStore
  private let store: Store
  private let other: Store

  init() throws {
    harbors = try HarborStore()
    store = try Self.tracking(harbors.place)
    other = harbors.store
  }

  private static func tracking(_ place: TestStore) throws -> Store {
    var place = place
    place.configuration.observationTracking = .always
    return try place.open()
  }

  private func harbor(_ id: Int, in store: Store? = nil) throws -> Harbor {
    try #require((store ?? self.store).object(ofType: Harbor.self, forPrimaryKey: id))
  }

  /// Tracks what a closure reads, and returns how often a change was told.
  private func track(_ body: () throws -> Void) throws -> Changes {
    let changes = Changes()
    let result = withObservationTracking {
      Result { try body() }
    } onChange: {
      changes.add()
    }
    try result.get()
    return changes
  }

  final class Changes: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  @Test func `a property that is read and changed by the store's own write is told once`() throws {
    let harbor = try harbor(3)
    let changes = try track { _ = harbor.size }
    try store.write {
      harbor.size = 100
      #expect(changes.count == 0)
    }
    #expect(changes.count == 1)
    try store.write { harbor.size = 101 }
    #expect(changes.count == 1)
    let again = try track { _ = harbor.size }
    try store.write { harbor.size = 102 }
    #expect(again.count == 1 && harbor.size == 102)
  }

  @Test func `other properties and other objects are not told`() throws {
    let (harbor, next) = (try harbor(3), try harbor(4))
    let changes = try track { _ = harbor.size }
    try store.write {
      harbor.name = "other"
      next.size = 100
    }
    try store.write { harbor.size = harbor.size }
    #expect(changes.count == 0)
  }

  @Test func `a write that fails is not told`() throws {
    let harbor = try harbor(3)
    let changes = try track { _ = harbor.size }
    #expect(throws: RollBack.self) {
      try store.write {
        harbor.size = 100
        throw RollBack()
      }
    }
    #expect(changes.count == 0)
    try store.write { harbor.size = 100 }
    #expect(changes.count == 1)
  }

  @Test func `what is read inside of a write is told when the write is rolled back`() throws {
    let harbor = try harbor(3)
    try store.beginWrite()
    harbor.size = 100
    let changes = try track { #expect(harbor.size == 100) }
    try store.cancelWrite()
    #expect(changes.count == 1 && harbor.size == 3)
  }

  @Test func `commits of another store are told with a refresh`() throws {
    let harbor = try harbor(3)
    let changes = try track { _ = harbor.name }
    try other.write { try self.harbor(3, in: other).name = "other" }
    #expect(changes.count == 0)
    try store.refresh()
    #expect(changes.count == 1 && harbor.name == "other")
  }

  @Test func `an object of which nobody keeps the Swift object is told`() throws {
    let harbor = try harbor(3)
    let changes = try track { _ = harbor.coast?.name }
    try store.write { store.object(ofType: Coast.self, forPrimaryKey: "N")?.name = "Far north" }
    #expect(changes.count == 1)
  }

  @Test func `a link, nil values and text in overflow pages are told`() throws {
    let harbor = try harbor(3)
    let link = try track { _ = harbor.coast }
    let share = try track { _ = harbor.share }
    let name = try track { _ = harbor.name }
    try store.write { harbor.name = String(repeating: "a", count: 5_000) }
    #expect([link, share, name].map(\.count) == [0, 0, 1])
    let long = try track { _ = harbor.name }
    try store.write { harbor.name = String(repeating: "b", count: 5_000) }
    #expect(long.count == 1)
    try store.write { harbor.share = nil }
    try store.write { harbor.coast = nil }
    #expect([link, share, name].map(\.count) == [1, 1, 1])
  }

  @Test func `a deleted object is told, also to those who ask whether it is there`() throws {
    let harbor = try harbor(3)
    let changes = try track { _ = harbor.size }
    let existence = try track { #expect(!harbor.isInvalidated) }
    try store.write { harbor.size = 9 }
    #expect(changes.count == 1 && existence.count == 0)
    let again = try track { _ = harbor.size }
    try store.write { try store.delete(harbor) }
    #expect(again.count == 1 && existence.count == 1)
  }

  @Test func `an object that is looked for and comes is told`() throws {
    let changes = try track { #expect(store.object(ofType: Harbor.self, forPrimaryKey: 50) == nil) }
    try store.write { try store.add(Harbor(id: 50, name: "new")) }
    #expect(changes.count == 1)
  }

  @Test func `the count of results is told`() throws {
    let all = try track { _ = store.objects(Harbor.self).count }
    let large = try track { _ = store.objects(Harbor.self).where { $0.size > 3 }.count }
    try store.write { try harbor(3).name = "other" }
    #expect(all.count == 0 && large.count == 0)
    try store.write { try harbor(3).size = 4 }
    #expect(all.count == 0 && large.count == 1)
    try store.write { try store.delete(harbor(3)) }
    #expect(all.count == 1)
  }

  @Test func `an aggregate of results is told of the properties that it reads`() throws {
    // It was told of each change of the store: a view that shows a total was drawn again when
    // any object changed.
    let sum = try track { _ = store.objects(Harbor.self).sum(of: \.size) }
    let low = try track { _ = store.objects(Harbor.self).where { $0.rank < 0 }.max(of: \.size) }
    let elements = try track { _ = store.objects(Coast.self).sum(of: \.harbors.size) }
    try store.write {
      try harbor(3).name = "other"
      store.object(ofType: Coast.self, forPrimaryKey: "N")?.name = "Far north"
    }
    #expect([sum, low, elements].map(\.count) == [0, 0, 0])
    try store.write { try harbor(3).rank = 5 }
    #expect([sum, low, elements].map(\.count) == [0, 1, 0])
    try store.write { try harbor(3).size = 1_000 }
    #expect([sum, low, elements].map(\.count) == [1, 1, 1])
  }

  @Test(arguments: 0..<8)
  func `each way to read results is told, also when they are known already`(way: Int) throws {
    let results = store.objects(Harbor.self).sorted(by: \.name)
    let harbor = try harbor(3)
    func read() throws {
      switch way {
      case 0: _ = results.ids
      case 1: _ = results.first
      case 2: _ = results.last
      case 3: for _ in results {}
      case 4: _ = results.index(of: harbor)
      case 5: _ = results.isEmpty
      case 6: _ = results.sum(of: \.size)
      default: _ = results.sectioned(by: \.size).count
      }
    }
    try read()
    let changes = try track { try read() }
    try other.write { try other.add(Harbor(id: 50, name: "")) }
    try store.refresh()
    #expect(changes.count == 1)
  }

  @Test func `results that read through links are told of changes of others`() throws {
    let results = store.objects(Harbor.self).where { $0.coast.name == "North" }
    let changes = try track { #expect(results.count == 7) }
    try store.write { store.object(ofType: Coast.self, forPrimaryKey: "N")?.name = "Far north" }
    #expect(changes.count == 1 && results.isEmpty)
  }

  @Test func `lists, sets and linking objects are told`() throws {
    let coast = try #require(store.object(ofType: Coast.self, forPrimaryKey: "N"))
    let harbor = try harbor(4)
    let tour = try track { _ = coast.tour.count }
    let lights = try track { for _ in coast.lights {} }
    let inverse = try track { _ = coast.harbors.count }
    try store.write { coast.tour.append(harbor) }
    #expect([tour, lights, inverse].map(\.count) == [1, 0, 0])
    try store.write { coast.lights.insert(harbor) }
    #expect([tour, lights, inverse].map(\.count) == [1, 1, 0])
    try store.write { harbor.coast = coast }
    #expect([tour, lights, inverse].map(\.count) == [1, 1, 1])
    let sorted = try track { _ = coast.tour.sorted(by: \.name).first }
    try store.write { coast.tour.removeAll() }
    #expect(sorted.count == 1)
  }

  @Test func `elements of a list of values are told`() throws {
    let place = try TestStore([Basket.self])
    let store = try Self.tracking(place)
    let basket = Basket()
    try store.write {
      try store.add(basket)
      basket.numbers.append(objectsIn: [1, 2, 3])
    }
    let element = try track { _ = basket.numbers[1] }
    let name = try track { _ = basket.name }
    try store.write { basket.numbers[1] = 20 }
    #expect(element.count == 1 && name.count == 0)
    let all = try track { #expect(Array(basket.numbers) == [1, 20, 3]) }
    try store.write { basket.numbers.append(4) }
    #expect(all.count == 1)
  }

  @Test func `those who are told may read and track again`() throws {
    let harbor = try harbor(3)
    let sizes = Mutex<[Int]>([])
    nonisolated(unsafe) let shared = harbor
    @Sendable func show() {
      withObservationTracking {
        sizes.withLock { unsafe $0.append(shared.size) }
      } onChange: {
        show()
      }
    }
    show()
    for size in 100..<103 { try store.write { harbor.size = size } }
    #expect(sizes.withLock { $0 } == [3, 100, 101, 102])
  }

  // The count of hashes was that of all stores, so tracking elsewhere looked like tracking here.
  @Test func `what another thread tracks of another store is not noted`() async throws {
    let hasBegun = Atomic(false)
    let isOver = Atomic(false)
    async let tracked: Void = onThread {
      let place = try HarborStore().place
      let other = try Self.tracking(place)
      while !isOver.load(ordering: .relaxed) {
        withObservationTracking {
          _ = other.objects(Harbor.self).count
        } onChange: {
        }
        hasBegun.store(true, ordering: .relaxed)
      }
    }
    let harbor = try harbor(3)
    while !hasBegun.load(ordering: .relaxed) { await Task.yield() }
    for _ in 0..<100_000 { _ = harbor.size }
    isOver.store(true, ordering: .relaxed)
    try await tracked
    #expect(store.session.readTracker?.isEmpty == true)
  }

  @Test func `nothing is noted for reads that nobody tracks`() throws {
    for harbor in store.objects(Harbor.self) { _ = harbor.size }
    #expect(store.session.readTracker?.isEmpty == true)
    #expect(store.session.observers.isEmpty)
    let changes = try track { for harbor in store.objects(Harbor.self) { _ = harbor.size } }
    #expect(store.session.readTracker?.isEmpty == false)
    try store.write { for harbor in store.objects(Harbor.self) { harbor.size = 99 } }
    #expect(changes.count == 1)
    _ = try store.write { try store.delete(store.objects(Harbor.self)) }
    #expect(store.session.readTracker?.isEmpty == true)
  }

  @Test func `a store that does not track has no registrar, and tells nothing`() throws {
    #expect(other.session.readTracker == nil)
    let harbor = try harbor(3, in: other)
    let changes = try track { _ = harbor.size + other.objects(Harbor.self).count }
    try other.write { harbor.size = 100 }
    #expect(changes.count == 0)
  }

  @Test func `unmanaged objects are not tracked, and tracking does not keep a store`() throws {
    let harbor = Harbor(id: 1, name: "own")
    let changes = try track { _ = harbor.size }
    harbor.size = 9
    #expect(changes.count == 0)
    weak var session: AnyObject?
    do {
      let store = try Self.tracking(harbors.place)
      session = store.session
      _ = try track { _ = store.objects(Harbor.self).first?.size }
    }
    #expect(session == nil)
  }

  @Test func `models and results are observable`() throws {
    func take<Subject: Observable>(_ subject: Subject) {}
    take(try harbor(3))
    take(store.objects(Harbor.self))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `whatever is read and changes is told`(seed: UInt64) throws {
    var changes = HarborChanges(seed: seed)
    func text(_ harbor: Harbor) -> String {
      "\(harbor.name) \(harbor.size) \(harbor.share ?? 0) \(harbor.coast?.name ?? "-")"
    }
    let reads: [() -> String] = [
      { store.objects(Harbor.self).first.map(text) ?? "-" },
      { store.objects(Harbor.self).map(text).joined() },
      { "\(store.objects(Harbor.self).where { $0.size > 2 }.sorted(by: \.name).ids)" },
      { "\(store.objects(Harbor.self).where { $0.coast.harbors.count > 5 }.count)" },
      { "\(store.objects(Voyage.self).where { $0.harbor.size < 3 }.ids)" },
      { store.objects(Coast.self).map { "\($0.tour.map(\.id)) \($0.harbors.map(\.id))" }.joined() },
      { store.objects(Coast.self).first?.tour.sorted(by: \.size).last.map(text) ?? "-" },
    ]
    for round in 0..<60 {
      var (values, told): ([String], [Changes]) = ([], [])
      for read in reads { told.append(try track { values.append(read()) }) }
      try changes.change(store, or: other)
      for (number, read) in reads.enumerated() where read() != values[number] {
        #expect(told[number].count == 1, "seed \(seed), round \(round), read \(number)")
      }
    }
  }
}

@MainActor
@Suite struct MainActorTrackingTests {
  @Test func `a store of the main actor tracks, and follows the commits of others`() async throws {
    let harbors = try HarborStore()
    let harbor = try harbors.harbor(3)
    let notes = FollowingTests.Notes()
    withObservationTracking {
      _ = harbor.size
    } onChange: {
      notes.add("changed")
    }
    let configuration = harbors.place.configuration
    try await Task.detached {
      let store = try Store(configuration)
      try store.write { store.object(ofType: Harbor.self, forPrimaryKey: 3)?.size = 50 }
    }.value
    #expect(await notes.wait { $0 == ["changed"] })
    #expect(harbor.size == 50)
  }

  @Test func `a store of the main actor can be told not to track`() throws {
    var place = try TestStore(HarborStore.models)
    place.configuration.observationTracking = .never
    #expect(try place.open().session.readTracker == nil)
    #expect(try HarborStore().store.session.readTracker != nil)
  }

  @Test func `a store that is opened asynchronously tracks by the caller's actor`() async throws {
    let place = try TestStore(HarborStore.models)
    let store = try await Store.open(place.configuration)
    #expect(store.session.readTracker != nil)
    let configuration = place.configuration
    #expect(
      try await Task.detached { try await Store.open(configuration).session.readTracker == nil }
        .value)
  }
}
