import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelLMDB

/// Stores that show a later state than their observers were told of.
@Suite struct LateObserverTests {
  private let harbors: HarborStore
  private let other: Store
  private var store: Store { harbors.store }

  init() throws {
    harbors = try HarborStore()
    other = try harbors.place.open()
  }

  private func observe(_ tell: @escaping (String) -> Void) -> ObservationToken {
    harbors.harbors.observe { change in
      switch change {
      case .initial(let results): tell("initial \(results.count)")
      case .update(_, let update): tell("\(update.insertions)")
      case .error(let error): tell("error \((error as? StoreError)?.code.description ?? "?")")
      }
    }
  }

  // The new snapshot needs a slot beside the one of the snapshot that observers have followed. There
  // was none: the refresh threw, and all results of the store were empty.
  @Test func `an observed store goes on while all reader slots are in use`() throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    var others: [Store] = []
    try expectError(.tooManyReaders) {
      while others.count < Environment.maximumReaders { others.append(try harbors.place.open()) }
    }
    try other.write { try other.add(Harbor(id: 60, name: "other")) }
    #expect(try store.refresh())
    #expect(harbors.harbors.count == 21)
    try store.write { try store.add(Harbor(id: 61, name: "own")) }
    #expect(harbors.harbors.count == 22)
    #expect(calls == ["initial 20", "initial 21", "initial 22"])
    withExtendedLifetime((token, others)) {}
  }

  // Observers follow the changes of a group when it has ended. An observer that was added in between
  // got the changes before it again.
  @Test func `an observer that is added before a group ends is told of each change once`() throws {
    var (early, late): ([String], [String]) = ([], [])
    let first = observe { early.append($0) }
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    let group = try WriteGroup(store.session.file.environment)
    try store.session.write(in: group) { try store.add(Harbor(id: 41, name: "own")) }
    let second = observe { late.append($0) }
    #expect(early == ["initial 20"])
    try group.commit()
    try store.refresh()
    #expect(early == ["initial 20", "[20, 21]"])
    #expect(late == ["initial 20", "[20, 21]"])
    withExtendedLifetime((first, second)) {}
  }

  // A part of a group ended with a snapshot of the last commit, of which observers were told when the
  // group had ended. A table view asked for rows that it did not know yet.
  @Test(arguments: [false, true])
  func `until a group ends, the store shows what its observers were told of`(
    _ isFrozen: Bool
  ) throws {
    var told = 0
    let token = harbors.harbors.observe { change in
      switch change {
      case .initial(let results), .update(let results, _): told = results.count
      case .error: told = -1
      }
    }
    // Frozen objects share the snapshot of the store.
    let frozen = isFrozen ? try harbors.harbors.frozen : nil
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    let group = try WriteGroup(store.session.file.environment)
    for id in 41...42 {
      try store.session.write(in: group) {
        try store.add(Harbor(id: id, name: "own"))
        #expect(harbors.harbors.count == id - 19)
      }
      #expect([told, harbors.harbors.count] == [20, 20])
      #expect(try harbors.harbors.frozen.count == 20)
    }
    try group.commit()
    #expect([told, harbors.harbors.count] == [20, 20])
    try store.refresh()
    #expect([told, harbors.harbors.count] == [23, 23])
    withExtendedLifetime((token, frozen)) {}
  }

  @Test func `a step to the commit of a group tells of the commits before it, too`() async throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    let group = try WriteGroup(store.session.file.environment)
    try store.session.write(in: group) { try store.add(Harbor(id: 41, name: "own")) }
    try group.commit()
    let begun = try store.session.beginStep()
    let step = try #require(begun)
    var findings = ObserverFindings()
    while let work = store.session.work(of: step, after: findings) {
      findings.add(await step.find(work))
    }
    try store.session.finish(step, findings)
    #expect(calls == ["initial 20", "[20, 21]"])
    withExtendedLifetime(token) {}
  }

  @Test func `a write that cannot begin tells of the commits that the store then shows`() throws {
    var (early, late): ([String], [String]) = ([], [])
    let first = observe { early.append($0) }
    try other.write { try other.add(Harbor(id: 40, name: "other")) }
    try other.write {
      try expectError(.nestedWrite) { try store.write {} }
      #expect(store.objects(Harbor.self).count == 21)
      #expect(early == ["initial 20", "[20]"])
    }
    let second = observe { late.append($0) }
    try store.write { try store.add(Harbor(id: 41, name: "own")) }
    #expect(early == ["initial 20", "[20]", "[21]"])
    #expect(late == ["initial 21", "[21]"])
    withExtendedLifetime((first, second)) {}
  }

  // The IDs are keys, so the same ID was there before and after: the observer was told nothing.
  @Test func `an object with the key of one that was deleted is told as modified`() throws {
    let store = store
    let harbors = harbors
    let deleted = try harbors.harbor(3)
    let id = try #require(deleted.objectID)
    var calls: [String] = []
    var properties: Set<String> = []
    let token = harbors.harbors.sorted(by: \.id).observe { change in
      guard case .update(_, let update) = change else { return }
      calls.append("\(update)")
      properties = update.changedProperties(of: id)
      if calls.count > 1 { return }
      #expect(throws: Never.self) {
        try store.write { try store.delete(deleted) }
        try store.write { try store.add(Harbor(id: 3, name: "again")) }
      }
    }
    try store.write { try harbors.harbor(0).size = 100 }
    #expect(
      calls == [
        "deletions [], insertions [], modifications [0]",
        "deletions [], insertions [], modifications [3]",
      ])
    #expect(properties.isSuperset(of: ["name", "size", "coast"]))
    withExtendedLifetime(token) {}
  }
}
