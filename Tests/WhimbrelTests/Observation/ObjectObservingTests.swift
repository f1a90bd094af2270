import Foundation
import Testing
import Whimbrel

@Model
private final class Crate {
  var numbers: StoredList<Int>
  var names: StoredMap<String, String>
  var codes: StoredSet<Int>
}

@Model
private final class Gauge {
  var depths: StoredList<Double>
  var levels: StoredMap<String, Double>
  var labels: StoredList<String>
}

@Suite struct ObjectObservingTests {
  private let harbors: HarborStore
  private var store: Store { harbors.store }

  init() throws { harbors = try HarborStore() }

  private func text(_ change: ObjectChange<Harbor>) -> String {
    switch change {
    case .change(let harbor, let properties):
      "\(harbor.id): "
        + properties.map {
          "\($0.name) \($0.oldValue.map { "\($0)" } ?? "-") > \($0.newValue.map { "\($0)" } ?? "-")"
        }.joined(separator: ", ")
    case .deleted: "deleted"
    case .error(let error): "error \((error as? StoreError)?.code.description ?? "?")"
    }
  }

  @Test func `an object is told with the old and the new values`() throws {
    var calls: [String] = []
    let token = try harbors.harbor(3).observe { calls.append(text($0)) }
    try store.write {
      let harbor = try harbors.harbor(3)
      harbor.size = 100
      harbor.share = nil
    }
    try store.write { try harbors.harbor(4).size = 100 }
    #expect(calls == ["3: size 3 > 100, share 1.5 > nil"])
    withExtendedLifetime(token) {}
  }

  @Test func `a deleted object is told once, and then nothing`() throws {
    var calls: [String] = []
    let token = try harbors.harbor(3).observe { calls.append(text($0)) }
    try store.write { try store.delete(harbors.harbor(3)) }
    try store.write { try store.add(Harbor(id: 3, name: "again")) }
    #expect(calls == ["deleted"])
    #expect(token.isInvalidated)
  }

  @Test func `an object that was deleted before is an error`() throws {
    let harbor = try harbors.harbor(3)
    try store.write { try store.delete(harbor) }
    var calls: [String] = []
    let token = harbor.observe { calls.append(text($0)) }
    #expect(calls == ["error objectDeleted"])
    #expect(token.isInvalidated)
  }

  @Test func `key paths of an object may lead through links`() throws {
    var calls: [String] = []
    let token = try harbors.harbor(3).observe(keyPaths: \.name, \.coast.name) {
      calls.append(text($0))
    }
    try store.write { try harbors.harbor(3).size = 100 }
    try store.write { harbors.north.name = "Far north" }
    try store.write { try harbors.harbor(3).name = "other" }
    #expect(calls == ["3: ", "3: name \"harbor 1\" > \"other\""])
    withExtendedLifetime(token) {}
  }

  @Test func `many objects are observed, and those that changed are told`() throws {
    try store.write { for id in 100..<3_000 { try store.add(Harbor(id: id, name: "many")) } }
    var calls: [String] = []
    let tokens = store.objects(Harbor.self).map { $0.observe { calls.append(text($0)) } }
    try store.write {
      try harbors.harbor(2_000).size = 7
      try harbors.harbor(7).size = 7
    }
    #expect(calls == ["7: size 2 > 7", "2000: size 0 > 7"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a store is told with the objects of each class that changed`() throws {
    var calls: [String] = []
    let token = store.observe { change in
      switch change {
      case .initial(let store): calls.append("initial \(store.objects(Harbor.self).count)")
      case .update(_, let update):
        calls.append(
          """
          \(update.classNames) +\(update.insertions(of: Voyage.self).count) \
          -\(update.deletions(of: Harbor.self).count) \(update.modifications(of: "Coast").count)
          """)
      case .error(let error): calls.append("\(error)")
      }
    }
    try store.write {
      try store.add([Voyage(day: 1), Voyage(day: 2)])
      try store.delete(harbors.harbor(3))
      harbors.north.tour.append(try harbors.harbor(0))
    }
    #expect(calls == ["initial 20", #"["Coast", "Harbor", "Voyage"] +2 -1 1"#])
    withExtendedLifetime(token) {}
  }

  // The old value was null, and the new one nil.
  @Test func `a collection of an object is told without values`() throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    try store.write { try store.add(crate) }
    var changes: [PropertyChange] = []
    let token = crate.observe { if case .change(_, let properties) = $0 { changes += properties } }
    try store.write {
      crate.numbers.append(1)
      crate.names["a"] = "b"
    }
    #expect(changes.map(\.name) == ["numbers", "names"])
    #expect(changes.allSatisfy { $0.oldValue == nil && $0.newValue == nil })
    withExtendedLifetime(token) {}
  }

  // A collection that had held elements was stored with an empty root, and in a new object without.
  @Test func `a collection that is as empty as before has not changed`() throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    try store.write { try store.add(crate) }
    var calls = 0
    let tokens = [
      crate.observe { _ in calls += 1 }, store.objects(Crate.self).observe { _ in calls += 1 },
    ]
    try store.write {
      crate.numbers.append(1)
      crate.numbers.removeAll()
      crate.names["a"] = "b"
      crate.names["a"] = nil
    }
    #expect(calls == 1)
    withExtendedLifetime(tokens) {}
  }

  // The closure was called with the list of a deleted object, and reading that stopped the program.
  @Test func `collections of a deleted object are told to be empty`() throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    crate.numbers.append(objectsIn: [1, 2])
    crate.names["a"] = "b"
    try store.write { try store.add(crate) }
    var calls: [String] = []
    let tokens = [
      crate.numbers.observe { (change: ElementsChange<StoredList<Int>, ElementsUpdate>) in
        if case .update(let numbers, let update) = change {
          calls.append("\(Array(numbers)) -\(update.deletions)")
        }
      },
      crate.names.observe { change in
        if case .update(let names, let update) = change {
          calls.append("\(names.keys) -\(update.deletions)")
        }
      },
    ]
    try store.write { try store.delete(crate) }
    #expect(calls == ["[] -[0, 1]", "[] -[\"a\"]"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `lists, sets and maps of values are told by their positions and keys`() throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    try store.write { try store.add(crate) }
    var calls: [String] = []
    func note<Elements, Update>(
      _ change: ElementsChange<Elements, Update>, _ text: (Update) -> String
    ) {
      switch change {
      case .initial: calls.append("initial")
      case .update(_, let update): calls.append(text(update))
      case .error(let error): calls.append("\(error)")
      }
    }
    let tokens = [
      crate.numbers.observe {
        note($0) { "list -\($0.deletions) +\($0.insertions) \($0.modifications)" }
      },
      crate.names.observe {
        note($0) { "map -\($0.deletions) +\($0.insertions) \($0.modifications)" }
      },
    ]
    try store.write { crate.numbers.append(objectsIn: [1, 2, 3, 4, 5]) }
    try store.write {
      crate.numbers[1] = 20
      crate.numbers.remove(at: 3)
      crate.numbers.insert(0, at: 0)
    }
    try store.write { crate.numbers.move(from: 0, to: 3) }
    try store.write {
      crate.names["a"] = "1"
      crate.names["b"] = "2"
    }
    try store.write {
      crate.names["a"] = nil
      crate.names["b"] = "3"
    }
    #expect(
      calls == [
        "initial", "initial", "list -[] +[0, 1, 2, 3, 4] []", "list -[3] +[0] [2]",
        "list -[0] +[3] []", #"map -[] +["a", "b"] []"#, #"map -["a"] +[] ["b"]"#,
      ])
    withExtendedLifetime(tokens) {}
  }
  // NaN does not equal itself: it was told as modified with each change beside it.
  @Test func `NaN in a list or a map is not a modification`() throws {
    let place = try TestStore([Gauge.self])
    let store = try place.open()
    let gauge = Gauge()
    try store.write {
      try store.add(gauge)
      gauge.depths.append(objectsIn: [Double.nan, 1])
      gauge.levels["a"] = Double.nan
      gauge.levels["b"] = 1
    }
    var calls: [String] = []
    let tokens = [
      gauge.depths.observe { change in
        guard case .update(_, let update) = change else { return }
        calls.append("list -\(update.deletions) +\(update.insertions) \(update.modifications)")
      },
      gauge.levels.observe { change in
        guard case .update(_, let update) = change else { return }
        calls.append("map -\(update.deletions) +\(update.insertions) \(update.modifications)")
      },
    ]
    try store.write {
      gauge.depths.append(2)
      gauge.levels["b"] = 2
    }
    #expect(calls == ["list -[] +[2] []", #"map -[] +[] ["b"]"#])
    withExtendedLifetime(tokens) {}
  }

  // Values were compared as elements of sets are, where these are the same. Queries distinguish the
  // texts, and observers of results were told.
  @Test func `an equivalent text and the other zero are other values`() throws {
    try store.write {
      try harbors.harbor(3).name = "\u{E9}"
      try harbors.harbor(3).share = 0.0
    }
    var calls: [[String]] = []
    let token = try harbors.harbor(3).observe {
      if case .change(_, let properties) = $0 { calls.append(properties.map(\.name)) }
    }
    try store.write { try harbors.harbor(3).name = "e\u{301}" }
    try store.write { try harbors.harbor(3).share = -0.0 }
    try store.write {
      try harbors.harbor(3).share = 0.0
      try harbors.harbor(3).share = -0.0
    }
    #expect(calls == [["name"], ["share"]])
    withExtendedLifetime(token) {}
  }

  @Test func `an equivalent text and the other zero are other elements`() throws {
    let place = try TestStore([Gauge.self])
    let store = try place.open()
    let gauge = Gauge()
    try store.write {
      try store.add(gauge)
      gauge.depths.append(0.0)
      gauge.levels["a"] = 0.0
      gauge.labels.append("\u{E9}")
    }
    var calls: [String] = []
    let tokens = [
      gauge.depths.observe { change in
        if case .update(_, let update) = change { calls.append("depths \(update.modifications)") }
      },
      gauge.levels.observe { change in
        if case .update(_, let update) = change { calls.append("levels \(update.modifications)") }
      },
      gauge.labels.observe { change in
        if case .update(_, let update) = change { calls.append("labels \(update.modifications)") }
      },
    ]
    try store.write { gauge.depths[0] = -0.0 }
    try store.write { gauge.levels["a"] = -0.0 }
    try store.write { gauge.labels[0] = "e\u{301}" }
    #expect(calls == ["depths [0]", #"levels ["a"]"#, "labels [0]"])
    // The key of a map.
    try store.write { gauge.levels["\u{E9}"] = 1 }
    calls = []
    try store.write { gauge.levels["e\u{301}"] = 1 }
    try store.write { gauge.levels["e\u{301}"] = 1 }
    #expect(calls == [#"levels ["e\#u{301}"]"#])
    withExtendedLifetime(tokens) {}
  }

  @Test func `another NaN is not another value of a property`() throws {
    try store.write { try harbors.harbor(3).share = Double.nan }
    var calls: [String] = []
    let token = try harbors.harbor(3).observe { calls.append(text($0)) }
    try store.write { try harbors.harbor(3).share = -Double.nan }
    #expect(calls == [])
    try store.write { try harbors.harbor(3).share = 2 }
    #expect(calls.count == 1)
    withExtendedLifetime(token) {}
  }

  // Sorting a long list wrote it anew even if it was sorted. An observer of the object that sorts its
  // list was then notified of its own write, and never came to an end.
  @Test func `putting a list in the order that it has is not a change`() throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    try store.write {
      try store.add(crate)
      crate.numbers.append(objectsIn: (0..<1_000).map { $0 / 2 })
    }
    var calls = 0
    let token = crate.observe { _ in calls += 1 }
    try store.write {
      crate.numbers.sort()
      crate.numbers.move(fromOffsets: [3], toOffset: 3)
      crate.numbers.swapAt(0, 1)
    }
    #expect(calls == 0)
    try store.write { crate.numbers.reverse() }
    #expect(calls == 1)
    #expect(Array(crate.numbers) == (0..<1_000).reversed().map { $0 / 2 })
    withExtendedLifetime(token) {}
  }

  // A short list with equal elements was not told, and a long one was.
  @Test(arguments: [3, 1_000])
  func `setting a list to equal elements is not a change`(_ count: Int) throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    try store.write {
      try store.add(crate)
      crate.numbers.append(objectsIn: 0..<count)
    }
    var calls = 0
    let token = crate.observe { _ in calls += 1 }
    try store.write { crate.numbers = StoredList(0..<count) }
    #expect(calls == 0)
    try store.write { crate.numbers = StoredList(1...count) }
    #expect(calls == 1)
    #expect(Array(crate.numbers) == Array(1...count))
    try store.write { crate.numbers = [] }
    #expect(calls == 2 && crate.numbers.isEmpty)
    withExtendedLifetime(token) {}
  }

  // A long collection that was emptied and filled again was told, because its nodes differed.
  @Test(arguments: [3, 1_000])
  func `a collection with the same elements after a write has not changed`(_ count: Int) throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    try store.write {
      try store.add(crate)
      for number in 0..<count {
        crate.numbers.insert(number, at: crate.numbers.count / 2)
        crate.codes.insert(number * 7 % count)
        crate.names["\(number)"] = String(repeating: "long", count: number % 2 * 200)
      }
    }
    var calls = 0
    let tokens = [
      crate.observe { _ in calls += 1 },
      store.objects(Crate.self).observe { if case .update = $0 { calls += 1 } },
      store.observe { if case .update = $0 { calls += 1 } },
    ]
    try store.write {
      let (numbers, codes) = (Array(crate.numbers), Array(crate.codes))
      let names = crate.names.map { ($0.key, $0.value) }
      crate.numbers.removeAll()
      crate.numbers.append(objectsIn: numbers)
      crate.codes.removeAll()
      for code in codes.reversed() { crate.codes.insert(code) }
      crate.names.removeAll()
      for (name, value) in names.reversed() { crate.names[name] = value }
    }
    #expect(calls == 0)
    try store.write {
      crate.numbers.reverse()
      crate.numbers.reverse()
      crate.numbers.append(-1)
      crate.numbers.removeLast()
    }
    #expect(calls == 0)
    try store.write {
      let last = crate.numbers.removeLast()
      crate.numbers.append(last + 1_000)
    }
    #expect(calls == 3)
    // A text that is stored outside of the nodes, in which only one letter differs.
    try store.write { crate.names["1"] = String(repeating: "long", count: 199) + "lone" }
    #expect(calls == 6)
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: [3, 1_000])
  func `setting a set or a map to equal elements is not a change`(_ count: Int) throws {
    let place = try TestStore([Crate.self])
    let store = try place.open()
    let crate = Crate()
    let entries = (0..<count).map { ("\($0)", "value \($0)") }
    let names = Dictionary(uniqueKeysWithValues: entries)
    try store.write {
      try store.add(crate)
      crate.codes = StoredSet(0..<count)
      crate.names = StoredMap(names)
    }
    var calls = 0
    let token = crate.observe { _ in calls += 1 }
    try store.write {
      crate.codes = StoredSet((0..<count).reversed())
      crate.names = StoredMap(names)
    }
    #expect(calls == 0)
    try store.write { crate.codes = StoredSet(0..<count - 1) }
    #expect(calls == 1 && crate.codes.sorted() == Array(0..<count - 1))
    try store.write { crate.codes = StoredSet(1..<count) }
    #expect(calls == 2 && crate.codes.sorted() == Array(1..<count))
    var changed = names
    changed["1"] = "another value"
    try store.write { crate.names = StoredMap(changed) }
    #expect(calls == 3 && crate.names["1"] == "another value" && crate.names.count == count)
    changed["new"] = changed.removeValue(forKey: "0")
    try store.write { crate.names = StoredMap(changed) }
    #expect(calls == 4 && crate.names["0"] == nil && crate.names["new"] == "value 0")
    withExtendedLifetime(token) {}
  }
}
