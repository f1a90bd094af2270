import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelEngine

@Suite struct ObservingTests {
  private let harbors: HarborStore
  private var store: Store { harbors.store }

  init() throws { harbors = try HarborStore() }

  private func collect(
    _ results: Results<Harbor>, _ body: @escaping (String) -> Void
  ) -> ObservationToken {
    results.observe { change in
      switch change {
      case .initial(let results): body("initial \(results.count)")
      case .update(_, let update): body("\(update)")
      case .error(let error): body("error \((error as? StoreError)?.code.description ?? "?")")
      }
    }
  }

  @Test func `the first call comes before observe returns`() {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    #expect(calls == ["initial 20"])
    #expect(!token.isInvalidated)
  }

  @Test func `a write is told before it returns, and not inside`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors.sorted(by: \.id)) { calls.append($0) }
    try store.write {
      try harbors.harbor(3).size = 100
      try store.delete(harbors.harbor(5))
      try store.add(Harbor(id: 50, name: "new"))
      #expect(calls.count == 1)
    }
    #expect(calls.last == "deletions [5], insertions [19], modifications [3]")
    #expect(calls.count == 2)
    withExtendedLifetime(token) {}
  }

  @Test func `an update of very many objects prints the first positions`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    try store.write {
      for id in 100..<300 { try store.add(Harbor(id: id, name: "new")) }
    }
    let last = try #require(calls.last)
    #expect(last.hasPrefix("deletions [], insertions [20, 21, 22, "))
    #expect(last.hasSuffix(", 118, 119, … 100 more], modifications []"))
    withExtendedLifetime(token) {}
  }

  @Test func `a write that fails is not told`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    #expect(throws: RollBack.self) {
      try store.write {
        try harbors.harbor(3).size = 100
        throw RollBack()
      }
    }
    try store.write {}
    #expect(calls == ["initial 20"])
    withExtendedLifetime(token) {}
  }

  @Test func `a value that is set to itself is not a change`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    try store.write { for harbor in harbors.harbors { harbor.size = harbor.size } }
    #expect(calls == ["initial 20"])
    withExtendedLifetime(token) {}
  }

  @Test func `commits of another store are told with a refresh`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    let other = try harbors.place.open()
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    try other.write { try other.add(Harbor(id: 41, name: "other")) }
    #expect(calls.count == 1)
    try store.refresh()
    #expect(calls.last == "deletions [], insertions [20, 21], modifications []")
    withExtendedLifetime(token) {}
  }

  @Test func `commits of another store are told before the store's own`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    let other = try harbors.place.open()
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    try store.write { try store.add(Harbor(id: 41, name: "own")) }
    #expect(
      calls.dropFirst() == [
        "deletions [], insertions [20], modifications []",
        "deletions [], insertions [21], modifications []",
      ])
    withExtendedLifetime(token) {}
  }

  @Test func `nothing is told after a token is invalidated or released`() throws {
    var calls: [String] = []
    var token: ObservationToken? = collect(harbors.harbors) { calls.append($0) }
    let second = collect(harbors.harbors) { calls.append($0) }
    token?.invalidate()
    second.invalidate()
    try store.write { try harbors.harbor(3).size = 100 }
    #expect(calls.count == 2)
    token = collect(harbors.harbors) { calls.append($0) }
    token = nil
    try store.write { try harbors.harbor(3).size = 101 }
    #expect(calls.count == 3)
  }

  @Test func `an observer may invalidate its own token and that of the next`() throws {
    var calls: [String] = []
    var tokens: [ObservationToken] = []
    tokens.append(
      harbors.harbors.observe { change in
        guard case .update = change else { return }
        calls.append("first")
        for token in tokens { token.invalidate() }
      })
    tokens.append(collect(harbors.harbors) { calls.append($0) })
    try store.write { try harbors.harbor(3).size = 100 }
    try store.write { try harbors.harbor(3).size = 101 }
    #expect(calls == ["initial 20", "first"])
  }

  @Test func `what an observer writes is told to others first, one state after the other`() throws {
    var calls: [String] = []
    let store = store
    let harbor = try harbors.harbor(0)
    var sizes: [Int] = []
    let first = harbors.harbors.observe { change in
      guard case .update = change else { return }
      calls.append("first sees \(harbor.size)")
      if harbor.size < 103 { try? store.write { harbor.size += 1 } }
      calls.append("first ends")
    }
    let second = harbors.harbors.observe { change in
      guard case .update(_, let update) = change else { return }
      calls.append("second sees \(harbor.size)")
      sizes.append(harbor.size)
      #expect(update.modifications == [0])
    }
    try store.write { harbor.size = 101 }
    #expect(sizes == [101, 102, 103])
    #expect(
      calls == [
        "first sees 101", "second sees 101", "second sees 102", "first ends", "first sees 102",
        "second sees 103", "first ends", "first sees 103", "first ends",
      ])
    withExtendedLifetime((first, second)) {}
  }

  // It was told only when something else changed.
  @Test func `what an observer writes in its first call is told to it afterwards`() throws {
    let store = store
    var (calls, others): ([String], [String]) = ([], [])
    let other = collect(harbors.harbors) { others.append($0) }
    let token = collect(harbors.harbors) { call in
      calls.append(call)
      guard call == "initial 20" else { return }
      #expect(throws: Never.self) {
        try store.write { try store.add(Harbor(id: 40, name: "own")) }
      }
      calls.append("first call ends")
    }
    let update = "deletions [], insertions [20], modifications []"
    #expect(calls == ["initial 20", "first call ends", update])
    #expect(others == ["initial 20", update])
    withExtendedLifetime((token, other)) {}
  }

  @Test func `a write can leave observers out`() throws {
    var (calls, others): ([String], [String]) = ([], [])
    let token = collect(harbors.harbors) { calls.append($0) }
    let other = collect(harbors.harbors) { others.append($0) }
    try store.write(withoutNotifying: [token]) { try harbors.harbor(3).size = 100 }
    #expect(calls.count == 1 && others.count == 2)
    try store.write { try harbors.harbor(4).size = 100 }
    #expect(calls.last == "deletions [], insertions [], modifications [4]")
    #expect(calls.count == 2 && others.count == 3)
    withExtendedLifetime(other) {}
  }

  @Test func `a write that leaves an observer out tells it of the commits before`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    let other = try harbors.place.open()
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    try store.write(withoutNotifying: [token]) { try store.add(Harbor(id: 41, name: "own")) }
    #expect(calls == ["initial 20", "deletions [], insertions [20], modifications []"])
    #expect(throws: RollBack.self) {
      try other.write { try other.add(Harbor(id: 42, name: "other")) }
      try store.write(withoutNotifying: [token]) { throw RollBack() }
    }
    #expect(calls.dropFirst(2) == ["deletions [], insertions [22], modifications []"])
  }

  @Test func `a write that leaves an observer out tells it of the writes of others`() throws {
    let store = store
    let harbor = try harbors.harbor(3)
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    let writer = harbors.harbors.observe { change in
      guard case .update(_, let update) = change, update.insertions == [20] else { return }
      #expect(throws: Never.self) { try store.write { harbor.size = 100 } }
    }
    try store.write(withoutNotifying: [token]) { try store.add(Harbor(id: 41, name: "own")) }
    #expect(calls == ["initial 20", "deletions [], insertions [], modifications [3]"])
    withExtendedLifetime(writer) {}
  }

  // The second write discarded what the first one had left to tell.
  @Test func `an observer that leaves itself out is told of its other writes`() throws {
    let store = store
    var calls: [String] = []
    var tokens: [ObservationToken] = []
    tokens.append(
      harbors.harbors.observe { change in
        guard case .update(_, let update) = change else { return }
        calls.append("\(update)")
        if calls.count > 1 { return }
        #expect(throws: Never.self) {
          try store.write { try store.add(Harbor(id: 41, name: "told")) }
          try store.write(withoutNotifying: tokens) { try store.add(Harbor(id: 42, name: "both")) }
        }
      })
    try store.write { try store.add(Harbor(id: 40, name: "first")) }
    try store.write(withoutNotifying: tokens) { try store.add(Harbor(id: 43, name: "not")) }
    #expect(
      calls == [
        "deletions [], insertions [20], modifications []",
        "deletions [], insertions [21, 22], modifications []",
      ])
  }

  @Test func `key paths say what makes an object a modified one, each for its observer`() throws {
    var (sizes, names, all): ([[Int]], [[Int]], [[Int]]) = ([], [], [])
    func positions(_ change: CollectionChange<Harbor>) -> [Int] {
      if case .update(_, let update) = change { update.modifications } else { [] }
    }
    let tokens = [
      harbors.harbors.observe(keyPaths: \.size) { sizes.append(positions($0)) },
      harbors.harbors.observe(keyPaths: \.name, \.coast.name) { names.append(positions($0)) },
      harbors.harbors.observe { all.append(positions($0)) },
    ]
    try store.write { try harbors.harbor(3).size = 100 }
    try store.write { try harbors.harbor(4).name = "other" }
    try store.write { harbors.north.name = "Far north" }
    #expect(sizes.dropFirst() == [[3]])
    #expect(names.dropFirst() == [[4], [0, 3, 6, 9, 12, 15, 18]])
    #expect(all.dropFirst() == [[3], [4]])
    withExtendedLifetime(tokens) {}
  }

  @Test func `an update has the IDs of both states and the changed properties`() throws {
    var updates: [CollectionUpdate] = []
    let results = harbors.harbors.sorted(by: \.name).limit(3)
    let before = results.ids
    let token = results.observe { change in
      if case .update(_, let update) = change { updates.append(update) }
    }
    let first = try #require(results.first)
    let id = try #require(first.objectID)
    try store.write {
      first.size = 900
      first.share = 12
    }
    #expect(updates.last?.changedProperties(of: id) == ["size", "share"])
    #expect(updates.last?.idsBefore == before && updates.last?.ids == before)
    try store.write { first.name = "zzz" }
    #expect(updates.last?.idsBefore == before)
    #expect(updates.last?.ids == Array(results.ids))
    #expect(updates.last?.deletions == [0] && updates.last?.insertions == [2])
    withExtendedLifetime(token) {}
  }

  @Test func `observing in a write is an error`() throws {
    var calls: [String] = []
    try store.write {
      let token = collect(harbors.harbors) { calls.append($0) }
      #expect(token.isInvalidated)
    }
    #expect(calls == ["error inWrite"])
  }

  @Test func `observing a closed store is an error`() throws {
    var calls: [String] = []
    let results = harbors.harbors
    try store.close()
    let token = collect(results) { calls.append($0) }
    #expect(calls == ["error storeClosed"])
    #expect(token.isInvalidated)
  }

  @Test func `closing the store is told once, as an error`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { calls.append($0) }
    try store.close()
    #expect(calls == ["initial 20", "error storeClosed"])
    #expect(token.isInvalidated)
  }

  // The write went on in the closed store, and was committed.
  @Test func `an observer that closes the store before a write ends the write`() throws {
    var calls: [String] = []
    let token = collect(harbors.harbors) { [store] call in
      calls.append(call)
      if call.hasPrefix("deletions") { try? store.close() }
    }
    let other = try harbors.place.open()
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    try expectError(.storeClosed) {
      try store.write { try store.add(Harbor(id: 41, name: "own")) }
    }
    #expect(calls.last == "error storeClosed")
    #expect(try !other.refresh())
    #expect(other.objects(Harbor.self).count == 21)
    withExtendedLifetime(token) {}
  }

  // The store showed the state before, and the write that the observer had begun was not in it.
  @Test func `a write that an observer begins before another one goes on`() throws {
    let token = collect(harbors.harbors) { [store] call in
      guard call.hasPrefix("deletions"), (try? store.beginWrite()) != nil else { return }
      try? store.add(Harbor(id: 41, name: "own"))
    }
    let other = try harbors.place.open()
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    try expectError(.nestedWrite) { try store.write {} }
    #expect(store.objects(Harbor.self).count == 22)
    token.invalidate()
    try store.commitWrite()
    try other.refresh()
    #expect(other.objects(Harbor.self).count == 22)
  }

  // Swift wrapped the closure that wakes the store at each call. Some ten thousand ended observations
  // later, calling it took so much stack that the program crashed.
  @Test func `the end of an observation takes no more stack after many others`() {
    let depths = Mutex<[Int]>([])
    store.session.observers.endings.onEnd {
      let depth = Thread.callStackReturnAddresses.count
      depths.withLock { $0.append(depth) }
    }
    for _ in 0..<20 { collect(harbors.harbors) { _ in }.invalidate() }
    let found = depths.withLock { $0 }
    #expect(found.count == 20)
    #expect(Set(found).count == 1)
  }

  @Test func `an observer does not keep the store open`() throws {
    weak var session: AnyObject?
    var token: ObservationToken?
    do {
      let other = try harbors.place.open()
      session = other.session
      token = other.objects(Harbor.self).observe { _ in }
    }
    #expect(session == nil)
    withExtendedLifetime(token) {}
  }
}
