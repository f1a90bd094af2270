import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Random operations on a store, each of them done to an ``Oracle`` too.
struct RandomStoreWalk {
  let test: TestStore
  let seed: UInt64
  private var random: SeededGenerator
  private var store: Store
  private var observer: Store
  /// What is committed.
  private var oracle = Oracle()
  /// What the observer showed at its last refresh.
  private var observed = Oracle()
  /// The managed objects that the walk holds on to.
  private var objects: [Oracle.Reference: any Model] = [:]
  private(set) var commits = 0
  private(set) var rollbacks = 0
  private(set) var refusals = 0

  static let models: [any Model.Type] = [Node.self, Named.self, Numbered.self, Tagged.self]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    test = try TestStore(Self.models)
    store = try test.open()
    observer = try test.open()
  }

  mutating func run(steps: Int) throws {
    for step in 0..<steps {
      switch random.number(0..<100) {
      case 0..<3: try reopen()
      case 3..<10: try refreshObserver()
      default: try write()
      }
      if step % 10 == 0 { expectState("step \(step)") }
    }
    try reopen()
  }

  private func expectState(_ place: String) {
    let found = Oracle(of: store)
    #expect(found == oracle, "seed \(seed), \(place): \(found.differences(from: oracle))")
    for (reference, object) in objects {
      let expected = oracle.entries[reference]
      let isSame = expected.map { Oracle.entry(object) == $0 } ?? object.isInvalidated
      #expect(isSame, "seed \(seed), \(place): live \(reference)")
    }
    let shown = Oracle(of: observer)
    #expect(shown == observed, "seed \(seed), \(place): the observer's snapshot has moved")
  }

  private mutating func reopen() throws {
    expectState("before it is opened again")
    objects = [:]
    store = try test.open()
    if random.happens(percent: 50) {
      // Sometimes the file is closed altogether.
      observer.close()
      observer = store
      store.close()
      store = try test.open()
      observer = try test.open()
      observed = oracle
    }
    let findings = try store.integrityFindings()
    #expect(findings.isEmpty, "seed \(seed)")
    collect()
    expectState("opened again")
  }

  /// Takes hold of every object anew.
  private mutating func collect() {
    objects = [:]
    for object in store.objects(Node.self) { hold(object) }
    for object in store.objects(Named.self) { hold(object) }
    for object in store.objects(Numbered.self) { hold(object) }
    for object in store.objects(Tagged.self) { hold(object) }
  }

  private mutating func hold(_ object: any Model) {
    if let reference = Oracle.reference(object) { objects[reference] = object }
  }

  private mutating func refreshObserver() throws {
    let hasChanged = try observer.refresh()
    #expect(hasChanged || observed == oracle, "seed \(seed)")
    observed = oracle
  }

  // MARK: - Writing

  private mutating func write() throws {
    let before = oracle
    let isRolledBack = random.happens(percent: 20)
    // `write` cannot capture `self` while it changes it.
    var walk = self
    do {
      try store.write {
        for _ in 0..<walk.random.number(1..<9) { try walk.change() }
        if isRolledBack { throw RollBack() }
      }
      walk.commits += 1
      self = walk
    } catch is RollBack {
      walk.rollbacks += 1
      walk.oracle = before
      self = walk
      // Objects that were deleted are there again.
      collect()
    }
    objects = objects.filter { oracle.entries[$0.key] != nil }
  }

  private mutating func change() throws {
    // Between 20 and 60 objects.
    let bias = oracle.entries.count > 60 ? 30 : oracle.entries.count < 20 ? -20 : 0
    switch random.number(0..<100) + bias {
    case ..<35: try add()
    case 35..<55: try modify()
    case 55..<75: try relink()
    case 75..<80: try addExistingKey()
    case 80..<99: try delete()
    case 99 where random.happens(percent: 20): try deleteAll()
    default: try delete()
    }
  }

  private mutating func existing(_ kind: Oracle.Kind) -> (any Model)? {
    // Sorted: the order of a dictionary differs from run to run.
    let references = oracle.entries.keys.filter { $0.kind == kind }.sorted { $0.id < $1.id }
    return references.randomElement(using: &random).flatMap { objects[$0] }
  }

  private mutating func text() -> String {
    let length = random.happens(percent: 3) ? random.number(2_000..<9_000) : random.number(0..<30)
    let letters = ["a", "é", "\u{0}", "z", "👩‍👩‍👧‍👦"]
    return String(repeating: letters[random.number(0..<5)], count: length)
  }

  /// An object that is not in the store; what it links to may be either.
  private mutating func make(_ kind: Oracle.Kind, depth: Int = 0) -> any Model {
    func key() -> String {
      String(repeating: "k", count: random.happens(percent: 20) ? 450 : 1)
        + "\(random.next())"
    }
    let object: any Model =
      switch kind {
      case .node: Node(name: text())
      case .named: Named(name: key(), number: random.number(-9..<9), text: text())
      case .numbered: Numbered(number: Int(truncatingIfNeeded: random.next()), text: text())
      case .tagged: Tagged(tag: identifier(), text: text())
      }
    for link in 0..<3 where random.happens(percent: 50) { set(link, of: object, depth: depth) }
    return object
  }

  private mutating func identifier() -> UUID {
    var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
    (bytes.0, bytes.7, bytes.15) = (
      UInt8.random(in: 0 ... .max, using: &random), UInt8.random(in: 0 ... .max, using: &random),
      UInt8.random(in: 0 ... .max, using: &random)
    )
    (bytes.3, bytes.4) = (
      UInt8.random(in: 0 ... .max, using: &random), UInt8.random(in: 0 ... .max, using: &random)
    )
    return UUID(uuid: bytes)
  }

  private mutating func target<Target: Model>(
    _ kind: Oracle.Kind, for object: any Model, depth: Int
  ) -> Target? {
    switch random.number(0..<10) {
    case 0: return nil
    case 1: if let same = object as? Target { return same }
    case 2..<5 where depth < 3: return make(kind, depth: depth + 1) as? Target
    default: break
    }
    return existing(kind) as? Target
  }

  private mutating func set(_ link: Int, of object: any Model, depth: Int) {
    switch object {
    case let node as Node:
      switch link {
      case 0: node.next = target(.node, for: node, depth: depth)
      case 1: node.other = target(.node, for: node, depth: depth)
      default: node.named = target(.named, for: node, depth: depth)
      }
    case let named as Named:
      if link == 0 {
        named.partner = target(.named, for: named, depth: depth)
      } else {
        named.numbered = target(.numbered, for: named, depth: depth)
      }
    case let numbered as Numbered:
      if link == 0 {
        numbered.partner = target(.numbered, for: numbered, depth: depth)
      } else {
        numbered.named = target(.named, for: numbered, depth: depth)
      }
    case let tagged as Tagged:
      tagged.owner = target(.numbered, for: tagged, depth: depth)
    default: break
    }
  }

  /// Enters an object that has become managed, and all that it leads to.
  private mutating func enter(_ object: any Model) {
    var waiting: [any Model] = [object]
    while let next = waiting.popLast() {
      guard let reference = Oracle.reference(next) else {
        Issue.record("seed \(seed): an object is not managed")
        continue
      }
      if oracle.entries[reference] != nil, objects[reference] != nil, next !== object { continue }
      oracle.enter(next)
      hold(next)
      for link in Self.links(of: next) {
        if let linked = Oracle.reference(link), oracle.entries[linked] == nil {
          waiting.append(link)
        }
      }
    }
  }

  private static func links(of object: any Model) -> [any Model] {
    let links: [(any Model)?] =
      switch object {
      case let node as Node: [node.next, node.other, node.named]
      case let named as Named: [named.partner, named.numbered]
      case let numbered as Numbered: [numbered.partner, numbered.named]
      case let tagged as Tagged: [tagged.owner]
      default: []
      }
    return links.compactMap(\.self)
  }

  private mutating func add() throws {
    let object = make(Oracle.Kind.allCases[random.number(0..<4)])
    let expected = Self.unmanagedText(object)
    switch object {
    case let object as Node: try store.add(object)
    case let object as Named: try store.add(object)
    case let object as Numbered: try store.add(object, update: .modified)
    case let object as Tagged: try store.add(object)
    default: break
    }
    #expect(Self.unmanagedText(object) == expected, "seed \(seed)")
    enter(object)
  }

  /// What an object says of itself and what it leads to, without identities.
  private static func unmanagedText(_ object: any Model) -> [String] {
    let own = Oracle.entry(object)
    return [own.key, own.text, "\(own.number)"]
      + links(of: object).map { link in
        let entry = Oracle.entry(link)
        return entry.key + entry.text
      }
  }

  /// Adds a key that is there: an error by default, and a change if asked for.
  private mutating func addExistingKey() throws {
    guard let old = existing(.named) as? Named, let number = existing(.numbered) as? Numbered
    else { return }
    refusals += 1
    try expectError(.duplicatePrimaryKey) {
      try store.add(Node(name: "refused", next: Node(name: "too"), named: Named(name: old.name)))
    }
    try expectError(.duplicatePrimaryKey) {
      try store.add(Numbered(number: 5, partner: Numbered(number: number.number)))
    }
    let new = Named(name: old.name, number: random.number(0..<99), text: text())
    let partner: Named? = existing(.named) as? Named
    new.partner = partner
    try store.add(new, update: random.happens(percent: 50) ? .modified : .all)
    #expect(new.isSameObject(as: old), "seed \(seed)")
    guard let reference = Oracle.reference(old) else { return }
    oracle.entries[reference] = Oracle.Entry(
      key: old.name, text: new.text ?? "nil", number: new.number,
      links: [Oracle.reference(partner), nil])
  }

  private mutating func modify() throws {
    guard let object = existing(Oracle.Kind.allCases[random.number(0..<4)]),
      let reference = Oracle.reference(object)
    else { return }
    let text = text()
    let number = random.number(-99..<99)
    oracle.entries[reference]?.text = text
    switch object {
    case let node as Node: node.name = text
    case let named as Named:
      named.text = text
      named.number = number
      oracle.entries[reference]?.number = number
    case let numbered as Numbered: numbered.text = text
    case let tagged as Tagged: tagged.text = text
    default: break
    }
  }

  private mutating func relink() throws {
    guard let object = existing(Oracle.Kind.allCases[random.number(0..<4)]) else { return }
    set(random.number(0..<3), of: object, depth: 0)
    enter(object)
  }

  private mutating func delete() throws {
    guard let object = existing(Oracle.Kind.allCases[random.number(0..<4)]),
      let reference = Oracle.reference(object)
    else { return }
    switch object {
    case let object as Node: try store.delete(object)
    case let object as Named: try store.delete(object)
    case let object as Numbered: try store.delete(object)
    case let object as Tagged: try store.delete(object)
    default: break
    }
    #expect(object.isInvalidated, "seed \(seed)")
    oracle.remove(reference)
    objects[reference] = nil
  }

  private mutating func deleteAll() throws {
    if random.happens(percent: 30) {
      try store.deleteAll()
      oracle = Oracle()
      objects = [:]
      return
    }
    try store.delete(store.objects(Named.self))
    oracle.removeAll(.named)
    objects = objects.filter { $0.key.kind != .named }
  }
}
