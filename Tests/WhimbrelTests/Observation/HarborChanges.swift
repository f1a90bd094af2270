import Foundation
import Whimbrel
import WhimbrelTesting

/// Random changes of harbors, coasts and voyages.
struct HarborChanges {
  var random: SeededGenerator
  /// A closure that is called after each change, in the write.
  var didChange: () throws -> Void = {}

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Makes some changes in a write: of another store, which are then told together, or of the store,
  /// now and then in a write that is rolled back.
  mutating func change(_ store: Store, or other: Store) throws {
    if random.happens(percent: 45) {
      for _ in 0..<random.number(1..<3) { try other.write { try change(other) } }
      try store.refresh()
      return
    }
    let isRolledBack = random.happens(percent: 10)
    do {
      try store.write {
        try change(store)
        if isRolledBack { throw RollBack() }
      }
    } catch is RollBack {}
  }

  /// Makes some changes, in a write.
  mutating func change(_ store: Store) throws {
    let count = random.happens(percent: 10) ? random.number(20..<80) : random.number(1..<5)
    for _ in 0..<count {
      try changeOne(store)
      try didChange()
    }
    if random.happens(percent: 2) { try store.delete(store.objects(Voyage.self)) }
  }

  private mutating func changeOne(_ store: Store) throws {
    let harbors = Array(store.objects(Harbor.self))
    let coasts = Array(store.objects(Coast.self))
    guard let harbor = harbors.randomElement(using: &random),
      let coast = coasts.randomElement(using: &random)
    else {
      try store.add(Coast(code: "\(random.number(0..<9))"), update: .modified)
      return try store.add(Harbor(id: random.number(0..<60), name: name()), update: .modified)
    }
    switch random.number(0..<100) {
    case 0..<14: harbor.size = random.number(0..<6)
    case 14..<24: harbor.name = name()
    case 24..<30: harbor.rank = Int8(random.number(-20..<20))
    case 30..<36: harbor.share = random.happens(percent: 30) ? nil : Double(random.number(0..<9))
    case 36..<40: harbor.price = Decimal(random.number(0..<30)) / 4
    case 40..<50: harbor.coast = random.happens(percent: 20) ? nil : coast
    case 50..<60:
      let new = Harbor(id: random.number(-30..<60), name: name())
      new.size = random.number(0..<6)
      new.coast = random.happens(percent: 50) ? coast : nil
      try store.add(new, update: .modified)
    case 60..<67: try store.delete(harbor)
    case 67..<71:
      coast.name = ["North", "South", "East", nil].randomElement(using: &random) ?? nil
    case 71..<79:
      let voyage = Voyage(day: random.number(0..<30))
      voyage.harbor = random.happens(percent: 80) ? harbor : nil
      try store.add(voyage)
    case 79..<85:
      guard let voyage = Array(store.objects(Voyage.self)).randomElement(using: &random) else {
        return
      }
      if random.happens(percent: 30) { return try store.delete(voyage) }
      if random.happens(percent: 50) {
        voyage.harbor = harbor
      } else {
        voyage.day = random.number(0..<30)
      }
      voyage.isDone = random.happens(percent: 50)
    case 85..<95: changeCollections(coast, harbor)
    case 95..<97:
      // Deleted and added again with the same ID.
      let (id, name) = (harbor.id, harbor.name)
      try store.delete(harbor)
      try store.add(Harbor(id: id, name: name))
    default:
      // Nothing changes.
      harbor.size = harbor.size
    }
  }

  private mutating func changeCollections(_ coast: Coast, _ harbor: Harbor) {
    switch random.number(0..<6) {
    case 0: coast.tour.append(harbor)
    case 1: coast.tour.insert(harbor, at: random.number(0..<coast.tour.count + 1))
    case 2 where !coast.tour.isEmpty: coast.tour.remove(at: random.number(0..<coast.tour.count))
    case 3 where coast.tour.count > 1:
      coast.tour.move(
        from: random.number(0..<coast.tour.count), to: random.number(0..<coast.tour.count))
    case 4: coast.lights.insert(harbor)
    default: coast.lights.remove(harbor)
    }
  }

  /// A name, often long enough to be stored outside of the record.
  private mutating func name() -> String {
    let name = "harbor \(random.number(0..<40))"
    return random.happens(percent: 8) ? name + String(repeating: "x", count: 2_000) : name
  }
}

extension HarborStore {
  /// Observers of all kinds of queries, on the actor of the caller.
  func mirrors(isolation: isolated (any Actor)? = #isolation) -> [ObservedMirror] {
    let harbors = store.objects(Harbor.self)
    let voyages = store.objects(Voyage.self)
    let coasts = store.objects(Coast.self)
    func harbor(_ name: String, _ results: Results<Harbor>, own: Bool = true) -> ObservedMirror {
      ObservedMirror(
        name, results, readsOnlyOwn: own, isolation: isolation, describe: Self.describe)
    }
    func voyage(_ name: String, _ results: Results<Voyage>) -> ObservedMirror {
      ObservedMirror(name, results, readsOnlyOwn: false, isolation: isolation) {
        "\($0.day) \($0.isDone) \(String(describing: $0.harbor?.id))"
      }
    }
    func coast(_ name: String, _ results: Results<Coast>) -> ObservedMirror {
      ObservedMirror(name, results, readsOnlyOwn: false, isolation: isolation) {
        "\($0.code) \($0.name ?? "-") \($0.tour.map(\.id)) \($0.lights.map(\.id).sorted())"
      }
    }
    return [
      harbor("all", harbors),
      harbor("large", harbors.where { $0.size > 2 }),
      harbor("none", harbors.where { $0.size > 2_000 }),
      harbor("by name", harbors.sorted(by: \.name)),
      harbor("by share, backward", harbors.sorted(by: \.share, ascending: false)),
      harbor("by size and name", harbors.sorted(by: [.ascending(\.size), .descending(\.name)])),
      harbor("large by rank", harbors.where { $0.size > 1 }.sorted(by: \.rank)),
      harbor("first by name", harbors.sorted(by: \.name).limit(7)),
      harbor("window by price", harbors.sorted(by: \.price).offset(3).limit(5)),
      harbor("behind by size", harbors.sorted(by: \.size).offset(6)),
      harbor("first", harbors.limit(4)),
      harbor("distinct sizes", harbors.distinct(by: \.size)),
      harbor("limit before filter", harbors.sorted(by: \.name).limit(9).where { $0.size < 3 }),
      harbor("two sorts", harbors.sorted(by: \.size).sorted(by: \.rank)),
      harbor("of north", harbors.where { $0.coast.name == "North" }, own: false),
      harbor(
        "by coast", harbors.sorted(by: [.ascending(\.coast.name), .ascending(\.size)]), own: false
      ),
      harbor(
        "in a large coast", harbors.where { $0.coast.harbors.count > 5 }.sorted(by: \.name),
        own: false),
      voyage("voyages", voyages),
      voyage("to north", voyages.where { $0.harbor.coast.code == "N" }),
      voyage("by harbor", voyages.sorted(by: \.harbor.name)),
      voyage(
        "to small", voyages.where { $0.harbor.size < 2 && $0.isDone == false }.sorted(by: \.day)),
      coast("coasts", coasts),
      coast("large coasts", coasts.where { $0.harbors.count > 4 }),
      coast("with a big harbor", coasts.where { $0.harbors.size == 4 }.sorted(by: \.name)),
      coast("with a tour through big ones", coasts.where { $0.tour.size == 3 }),
      ObservedMirror(
        "tour", north.tour, mayRepeat: true, readsOnlyOwn: true, describe: Self.describe),
      ObservedMirror(
        "lights", north.lights, readsOnlyOwn: true, describe: Self.describe),
      ObservedMirror(
        "harbors of north", north.harbors, readsOnlyOwn: true, describe: Self.describe),
      ObservedMirror(
        "harbors of north by name", north.harbors.sorted(by: \.name), readsOnlyOwn: true,
        describe: Self.describe),
    ]
  }

  private static func describe(_ harbor: Harbor) -> String {
    """
    \(harbor.id) \(harbor.name) \(harbor.size) \(harbor.rank) \(harbor.share ?? -1) \(harbor.price) \
    \(String(describing: harbor.founded)) \(harbor.coast?.code ?? "-")
    """
  }
}
