import Observation
import Synchronization
import Testing
import WhimbrelEngine
import WhimbrelTestSupport
import WhimbrelTesting

@testable import Whimbrel

/// Stores that are observed on an actor: what commits of others mean is found on another thread, and
/// anything may happen to the store meanwhile.
@Suite struct StepTests {
  private let harbors: HarborStore
  private let other: Store
  private var store: Store { harbors.store }
  private var session: Session { harbors.store.session }

  init() throws {
    harbors = try HarborStore()
    other = try harbors.place.open()
  }

  private func harborOfOther(_ id: Int) throws -> Harbor {
    try #require(other.object(ofType: Harbor.self, forPrimaryKey: id))
  }

  /// Changes, adds and deletes a harbor in the other store.
  private func commitElsewhere() throws {
    try other.write {
      try harborOfOther(3).size = 100
      try other.delete(harborOfOther(5))
      try other.add(Harbor(id: 50, name: "new"))
    }
  }

  /// Follows the commits of the other store, and runs a closure before the end.
  private func follow(meanwhile body: () throws -> Void = {}) async throws {
    guard let step = try session.beginStep() else { return }
    var findings = ObserverFindings()
    var isFirst = true
    while let work = session.work(of: step, after: findings) {
      findings.add(await step.find(work))
      if isFirst { try body() }
      isFirst = false
    }
    try session.finish(step, findings)
  }

  private func observe(_ tell: @escaping (String) -> Void) -> ObservationToken {
    harbors.harbors.sorted(by: \.id).observe { change in
      switch change {
      case .initial(let results): tell("initial \(results.count)")
      case .update(_, let update): tell("\(update)")
      case .error(let error): tell("error \((error as? StoreError)?.code.description ?? "?")")
      }
    }
  }

  private static let update = "deletions [5], insertions [19], modifications [3]"

  @Test func `the store shows the state before until the observers are told`() async throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try commitElsewhere()
    try await follow {
      #expect(calls == ["initial 20"])
      #expect(store.object(ofType: Harbor.self, forPrimaryKey: 50) == nil)
      let size = try harbors.harbor(3).size
      #expect(size != 100)
    }
    #expect(calls == ["initial 20", Self.update])
    #expect(try harbors.harbor(3).size == 100)
    withExtendedLifetime(token) {}
  }

  @Test func `a step that concerns nobody is made at once`() throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try other.write { try other.add(Voyage(day: 1)) }
    let count = store.objects(Voyage.self).count
    let step = try session.beginStep()
    #expect(step == nil)
    #expect(store.objects(Voyage.self).count == count + 1)
    let next = try session.beginStep()
    #expect(next == nil)
    #expect(calls == ["initial 20"])
    withExtendedLifetime(token) {}
  }

  @Test func `a commit to classes that nobody tracks or groups is no work`() throws {
    var configuration = harbors.place.configuration
    configuration.observationTracking = .always
    let store = try Store(configuration)
    let told = Told()
    let token = store.objects(Harbor.self).sectioned(by: \.size).observe { _ in }
    withObservationTracking {
      _ = store.objects(Harbor.self).count
    } onChange: {
      told.add("harbors")
    }
    try other.write { try other.add(Voyage(day: 1)) }
    let unconcerned = try store.session.beginStep()
    #expect(unconcerned == nil)
    // A class that is read later counts from then on.
    withObservationTracking {
      _ = store.objects(Voyage.self).count
    } onChange: {
      told.add("voyages")
    }
    try other.write { try other.add(Voyage(day: 2)) }
    let concerned = try store.session.beginStep()
    #expect(concerned != nil)
    try store.refresh()
    #expect(told.notes == ["voyages"])
    withExtendedLifetime(token) {}
  }

  /// Many objects, so that the query runs on another core while the changes are looked at.
  @Test(arguments: [200, 3_000, 12_000])
  func `a step with many changes tells exactly what changed`(changed: Int) async throws {
    try other.write {
      for id in 1_000..<13_000 {
        try other.add(Harbor(id: id, name: "harbor \(id * 7_919 % 13_007)"))
      }
    }
    try store.refresh()
    let results = store.objects(Harbor.self).where { $0.size < 5 }.sorted(by: \.name)
    var updates: [CollectionUpdate] = []
    let token = results.observe { change in
      if case .update(_, let update) = change { updates.append(update) }
    }
    let before = results.ids
    var random = WhimbrelTestSupport.SeededGenerator(seed: UInt64(changed))
    try other.write {
      for _ in 0..<changed {
        let harbor = try harborOfOther(Int.random(in: 1_000..<13_000, using: &random))
        harbor.name = "harbor \(Int.random(in: 0..<13_007, using: &random))"
        harbor.size = Int.random(in: 0..<6, using: &random)
      }
      try other.delete(other.objects(Harbor.self).where { $0.rank == 0 && $0.id == 12_345 })
    }
    try await follow()
    let update = try #require(updates.first)
    let after = other.objects(Harbor.self).where { $0.size < 5 }.sorted(by: \.name).ids
    #expect(updates.count == 1)
    #expect(update.idsBefore == before && update.ids == after && results.ids == after)
    var next = before
    for position in update.deletions.reversed() { next.remove(at: position) }
    for position in update.insertions { next.insert(after[position], at: position) }
    #expect(next == after)
    withExtendedLifetime(token) {}
  }

  @Test func `a write meanwhile tells of both commits, each once`() async throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try commitElsewhere()
    try await follow {
      try store.write { try harbors.harbor(7).size = 200 }
      #expect(
        calls == ["initial 20", Self.update, "deletions [], insertions [], modifications [6]"])
    }
    #expect(calls.count == 3)
    withExtendedLifetime(token) {}
  }

  @Test func `a refresh meanwhile tells of the commit once`() async throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try commitElsewhere()
    try await follow { try store.refresh() }
    #expect(calls == ["initial 20", Self.update])
    withExtendedLifetime(token) {}
  }

  @Test func `a write that begins meanwhile is not interrupted`() async throws {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try commitElsewhere()
    try await follow {
      try store.beginWrite()
      try harbors.harbor(7).size = 200
    }
    #expect(try harbors.harbor(7).size == 200)
    try session.commitWrite()
    #expect(calls == ["initial 20", Self.update, "deletions [], insertions [], modifications [6]"])
    withExtendedLifetime(token) {}
  }

  @Test func `observers that begin meanwhile are told of the commit, too`() async throws {
    var calls: [String] = []
    let token = observe { calls.append("first: " + $0) }
    var further: [ObservationToken] = []
    try commitElsewhere()
    try await follow {
      further.append(observe { calls.append("second: " + $0) })
      further.append(
        try harbors.harbor(3).observe { change in
          if case .change(_, let changes) = change {
            calls.append("third: \(changes.map(\.name))")
          }
        })
    }
    #expect(calls.prefix(2) == ["first: initial 20", "second: initial 20"])
    #expect(
      calls.dropFirst(2) == ["first: " + Self.update, "second: " + Self.update, calls.last ?? ""])
    #expect(calls.last?.contains("size") == true, "\(calls)")
    withExtendedLifetime((token, further)) {}
  }

  @Test func `an observer that ends meanwhile is told nothing`() async throws {
    var calls: [String] = []
    var token: ObservationToken? = observe { calls.append($0) }
    try commitElsewhere()
    try await follow { token = nil }
    #expect(calls == ["initial 20"])
    #expect(token == nil)
  }

  @Test func `a store that is closed meanwhile tells that it is closed, and nothing else`()
    async throws
  {
    var calls: [String] = []
    let token = observe { calls.append($0) }
    try commitElsewhere()
    try await follow { try store.close() }
    #expect(calls == ["initial 20", "error storeClosed"])
    withExtendedLifetime(token) {}
  }

  // Deleting it said that the store was in use: the step had it open.
  @Test func `the file of a store that is closed in a step may be deleted`() async throws {
    let token = observe { _ in }
    try commitElsewhere()
    try other.close()
    try await follow {
      try store.close()
      #expect(try Store.deleteFiles(at: harbors.place.url))
    }
    token.invalidate()
  }

  @Test func `a store that is closed waits for the thread that finds changes`() async throws {
    let token = observe { _ in }
    try other.write {
      for id in 100..<3_000 { try other.add(Harbor(id: id, name: "new")) }
    }
    try other.close()
    let step = try #require(try session.beginStep())
    let work = try #require(session.work(of: step, after: ObserverFindings()))
    async let findings = step.find(work)
    try store.close()
    #expect(try Store.deleteFiles(at: harbors.place.url))
    _ = await findings
    token.invalidate()
  }

  @Test func `a value that is read and tracked meanwhile is told`() async throws {
    let place = harbors.place
    var configuration = place.configuration
    configuration.observationTracking = .always
    let store = try Store(configuration)
    let session = store.session
    let told = Told()
    func track(_ note: String, _ read: () -> Void) {
      withObservationTracking(read) { told.add(note) }
    }
    let harbor = try #require(store.object(ofType: Harbor.self, forPrimaryKey: 3))
    let unchanged = try #require(store.object(ofType: Harbor.self, forPrimaryKey: 8))
    track("before") { _ = harbor.size }
    track("unchanged") { _ = unchanged.size }
    try commitElsewhere()
    let step = try #require(try session.beginStep())
    var findings = ObserverFindings()
    findings.add(await step.find(try #require(session.work(of: step, after: findings))))
    track("meanwhile") { _ = harbor.size }
    try session.finish(step, findings)
    #expect(Set(told.notes) == ["before", "meanwhile"])
  }

  @Test func `a change of very many objects is exact`() async throws {
    try store.write {
      for id in 100..<3_000 { try store.add(Harbor(id: id, name: "harbor \(id % 977)")) }
    }
    let results = harbors.harbors.sorted(by: \.name)
    var (ids, count) = (results.ids, 0)
    let token = results.observe { change in
      guard case .update(let results, let update) = change else { return }
      count += 1
      #expect(update.idsBefore == ids)
      for position in update.deletions.reversed() { ids.remove(at: position) }
      for position in update.insertions { ids.insert(results.ids[position], at: position) }
      #expect(update.modifications.count + update.moves.count == 977)
    }
    try other.write {
      for harbor in other.objects(Harbor.self).where({ $0.id >= 100 && $0.id < 1_077 }) {
        harbor.name = "moved \(harbor.id % 313)"
      }
    }
    try await follow()
    #expect(ids == results.ids)
    #expect(count == 1)
    withExtendedLifetime(token) {}
  }

  @Test func `steps hold no snapshot when they are made`() async throws {
    let token = observe { _ in }
    for _ in 0..<20 {
      try commitElsewhere()
      try await follow()
      try other.write { try other.delete(harborOfOther(50)) }
      try await follow()
      try other.write { try other.add(Harbor(id: 5, name: "again")) }
      try await follow()
    }
    // The thread that worked last may yet have to let go of its step.
    let end = ContinuousClock.now + .seconds(60)
    var pinned = try store.pinned
    while pinned.contains(where: { $0.commitsBehind > 0 }), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(1))
      pinned = try store.pinned
    }
    #expect(pinned.allSatisfy { $0.commitsBehind == 0 }, "\(pinned)")
    withExtendedLifetime(token) {}
  }

  @Test(arguments: UInt64(1)...TestRun.count(2, long: 100))
  func `whatever happens meanwhile, each change leads to the objects after`(
    seed: UInt64
  ) async throws {
    var changes = HarborChanges(seed: seed)
    var mirrors = harbors.mirrors()
    let store = store
    let all = store.objects(Harbor.self)
    let sections = [
      SectionsMirror("by size", all.sorted(by: \.name).sectioned(by: \.size)),
      SectionsMirror("by size of a closure", all.sorted(by: \.name).sectioned { $0.size / 2 }),
    ]
    for round in 0..<30 {
      let note = "seed \(seed), round \(round)"
      for _ in 0..<changes.random.number(1..<3) { try other.write { try changes.change(other) } }
      try await follow {
        switch changes.random.number(0..<10) {
        case 0: try store.write { try changes.change(store) }
        case 1: try other.write { try changes.change(other) }
        case 2: try store.refresh()
        case 3:
          mirrors.append(contentsOf: harbors.mirrors().shuffled(using: &changes.random).prefix(2))
        case 4 where mirrors.count > 29: mirrors.removeLast()
        default: break
        }
        for mirror in mirrors { mirror.check(note + ", meanwhile") }
      }
      if changes.random.happens(percent: 30) { try store.write { try changes.change(store) } }
      for mirror in mirrors { mirror.check(note) }
      for mirror in sections { mirror.check(note) }
    }
    #expect(sections.allSatisfy { $0.initialCount == 1 && $0.updateCount > 5 })
    #expect(mirrors.allSatisfy { $0.initialCount == 1 })
    #expect(mirrors.filter { $0.updateCount > 0 }.count > 20)
  }
}

/// Notes of closures that any thread may call.
private final class Told: Sendable {
  private let all = Mutex<[String]>([])

  var notes: [String] { all.withLock { $0 } }

  func add(_ note: String) { all.withLock { $0.append(note) } }
}
