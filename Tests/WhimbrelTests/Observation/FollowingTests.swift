import Foundation
import Synchronization
import Testing
import Whimbrel

/// Observers on actors, and loops over changes, while others write.
@Suite struct FollowingTests {
  /// What observers noted, for the test to look at.
  final class Notes: Sendable {
    private let notes = Mutex<[String]>([])

    var all: [String] { notes.withLock { $0 } }

    func add(_ note: String) { notes.withLock { $0.append(note) } }

    /// Waits until a condition holds, up to some minutes: thousands of other tests may run meanwhile.
    func wait(until condition: ([String]) -> Bool) async -> Bool {
      for _ in 0..<60_000 {
        if condition(all) { return true }
        try? await Task.sleep(for: .milliseconds(5))
      }
      return false
    }
  }

  actor Watcher {
    private let store: Store
    private var token: ObservationToken?
    private let notes: Notes

    init(_ configuration: Store.Configuration, _ notes: Notes) throws {
      store = try Store(configuration)
      self.notes = notes
    }

    func observe() {
      token = store.objects(Harbor.self).observe { [notes] change in
        self.assertIsolated()
        switch change {
        case .initial(let harbors): notes.add("initial \(harbors.count)")
        case .update(let harbors, let update): notes.add("\(harbors.count) +\(update.insertions)")
        case .error(let error): notes.add("error \((error as? StoreError)?.code.description ?? "")")
        }
      }
    }

    func stop() { token = nil }

    func close() throws { try store.close() }

    func add(_ id: Int) throws {
      try store.write { store in try store.add(Harbor(id: id, name: "")) }
    }

    /// Keeps the actor busy.
    func block(for duration: Duration) {
      let end = ContinuousClock.now + duration
      while ContinuousClock.now < end {}
    }

    func loop(_ count: Int) async {
      for await change in store.objects(Harbor.self).changes.prefix(count) {
        assertIsolated()
        switch change {
        case .initial(let harbors): notes.add("initial \(harbors.count)")
        case .update(let harbors, let update): notes.add("\(harbors.count) +\(update.insertions)")
        case .error(let error): notes.add("error \((error as? StoreError)?.code.description ?? "")")
        }
      }
      notes.add("end")
    }
  }

  private let harbors: HarborStore
  private let notes = Notes()

  init() throws { harbors = try HarborStore() }

  private func watcher() throws -> Watcher { try Watcher(harbors.place.configuration, notes) }

  @Test func `a store that is observed on an actor follows the commits of others`() async throws {
    let watcher = try watcher()
    await watcher.observe()
    try harbors.store.write { try harbors.store.add(Harbor(id: 50, name: "other")) }
    #expect(await notes.wait { $0.count == 2 })
    #expect(notes.all == ["initial 20", "21 +[20]"])
    try await watcher.add(60)
    #expect(notes.all.last == "22 +[21]")
    await watcher.stop()
    try harbors.store.write { try harbors.store.add(Harbor(id: 51, name: "other")) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(notes.all.count == 3)
  }

  actor Owner {
    private let store: Store
    private var token: ObservationToken?

    init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

    func observe() { token = store.objects(Harbor.self).observe { _ in } }
  }

  // The task that follows commits kept the actor, and the actor kept the store with the task.
  @Test func `an actor that owns an observed store can be released`() async throws {
    weak var owner: Owner?
    do {
      let made = try Owner(harbors.place.configuration)
      owner = made
      await made.observe()
      try harbors.store.write { try harbors.store.add(Harbor(id: 50, name: "other")) }
    }
    for _ in 0..<10_000 where owner != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(owner == nil)
  }

  @Test func `an actor that was busy is told of all changes at once`() async throws {
    let watcher = try watcher()
    await watcher.observe()
    let task = Task { await watcher.block(for: .milliseconds(200)) }
    try await Task.sleep(for: .milliseconds(50))
    for id in 50..<60 {
      try harbors.store.write { try harbors.store.add(Harbor(id: id, name: "other")) }
    }
    await task.value
    #expect(await notes.wait { $0.last?.hasPrefix("30") == true })
    #expect(notes.all.count <= 3, "\(notes.all)")
  }

  @Test func `a loop gets the changes on its own actor`() async throws {
    let watcher = try watcher()
    async let loop: Void = watcher.loop(3)
    #expect(await notes.wait { $0.count == 1 })
    try harbors.store.write { try harbors.store.add(Harbor(id: 50, name: "other")) }
    #expect(await notes.wait { $0.count == 2 })
    try await watcher.add(60)
    await loop
    #expect(notes.all == ["initial 20", "21 +[20]", "22 +[21]", "end"])
  }

  @Test func `a loop ends when its task is cancelled`() async throws {
    let watcher = try watcher()
    let task = Task { await watcher.loop(100) }
    #expect(await notes.wait { $0.count == 1 })
    task.cancel()
    await task.value
    #expect(notes.all == ["initial 20", "end"])
  }

  @Test func `a loop of a cancelled task gets nothing, also when there is something to tell`()
    async throws
  {
    let configuration = harbors.place.configuration
    let notes = notes
    let task = Task.detached {
      let store = try Store(configuration)
      var changes = store.objects(Harbor.self).changes.makeAsyncIterator()
      notes.add("\(await changes.next() != nil)")
      try store.write { try store.add(Harbor(id: 60, name: "own")) }
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      notes.add("\(await changes.next() != nil)")
      notes.add("\(await changes.next() != nil)")
    }
    try await task.value
    #expect(notes.all == ["true", "false", "false"])
  }

  // No commit wakes the loop then: it waited forever.
  @Test func `a loop ends with an error when its store is closed`() async throws {
    let watcher = try watcher()
    let task = Task { await watcher.loop(100) }
    #expect(await notes.wait { $0.count == 1 })
    try await watcher.close()
    #expect(await notes.wait { $0 == ["initial 20", "error storeClosed", "end"] }, "\(notes.all)")
    task.cancel()
    await task.value
  }

  @Test func `a loop outside of actors follows the commits of others`() async throws {
    let configuration = harbors.place.configuration
    let notes = notes
    let task = Task.detached {
      let store = try Store(configuration)
      for await change in store.objects(Harbor.self).sorted(by: \.name).changes {
        switch change {
        case .initial(let harbors): notes.add("\(harbors.count)")
        case .update(let harbors, _): notes.add("\(harbors.count)")
        case .error: notes.add("error")
        }
        if notes.all.count == 2 { break }
      }
    }
    #expect(await notes.wait { $0.count == 1 })
    try harbors.store.write { try harbors.store.add(Harbor(id: 50, name: "other")) }
    try await task.value
    #expect(notes.all == ["20", "21"])
  }

  @Test func `a thread without an actor waits for changes`() async throws {
    let configuration = harbors.place.configuration
    let notes = notes
    try await onThread {
      let store = try Store(configuration)
      let token = store.objects(Harbor.self).observe { change in
        if case .update(_, let update) = change { notes.add("\(update.insertions)") }
      }
      let other = Thread {
        do {
          let other = try Store(configuration)
          try other.write { try other.add(Harbor(id: 50, name: "other")) }
        } catch {
          notes.add("\(error)")
        }
      }
      other.start()
      notes.add("\(try store.waitForChanges(timeout: .seconds(600)))")
      notes.add("\(try store.waitForChanges(timeout: .milliseconds(20)))")
      withExtendedLifetime(token) {}
    }
    #expect(notes.all == ["[20]", "true", "false"])
  }

  // A closed store threw an error of LMDB. In a write, the thread waited for itself.
  @Test func `a closed store and a store in a write do not wait`() async throws {
    let configuration = harbors.place.configuration
    try await onThread {
      let store = try Store(configuration)
      try store.write { try expectError(.inWrite) { try store.waitForChanges() } }
      try store.close()
      try expectError(.storeClosed) { try store.waitForChanges() }
    }
  }

  @Test func `a file that is moved away is told once, as an error`() async throws {
    let watcher = try watcher()
    await watcher.observe()
    let place = harbors.place.url
    let other = place.deletingLastPathComponent().appending(path: "moved.whimbrel")
    try FileManager.default.moveItem(at: place, to: other)
    #expect(await notes.wait { $0.count == 2 })
    #expect(notes.all == ["initial 20", "error storeMoved"])
    try FileManager.default.moveItem(at: other, to: place)
  }
}

@MainActor
@Suite struct MainActorFollowingTests {
  @Test func `the main actor follows the commits of others`() async throws {
    let harbors = try HarborStore()
    let notes = FollowingTests.Notes()
    let token = harbors.harbors.observe { change in
      MainActor.assertIsolated()
      if case .update(_, let update) = change { notes.add("\(update.insertions)") }
    }
    let configuration = harbors.place.configuration
    try await Task.detached {
      let store = try Store(configuration)
      try store.write { try store.add(Harbor(id: 50, name: "other")) }
    }.value
    #expect(await notes.wait { $0 == ["[20]"] })
    withExtendedLifetime((token, harbors)) {}
  }
}
