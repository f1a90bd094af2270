import Foundation
import Testing
import Whimbrel
import WhimbrelLMDB
import WhimbrelTestSupport
import WhimbrelTesting

/// Observers that are told of the commits of other processes.
@Suite(.oneAtATime, .mustEnd) struct ProcessObservationTests {
  static let seeds: ClosedRange<UInt64> = TestRun.isLong ? 1...20 : 1...2
  private static let commits = TestRun.isLong ? 300 : 100
  /// The coast that the other process adds with its last commit. Random changes remove no coast.
  private static let last = "last"
  /// The limit of a wait on a thread of its own. Other tests may run before the process starts.
  private static let patience = Duration.seconds(3_600)

  /// An error: the last commit of the other process did not arrive.
  private struct NeverEnded: Error {}

  private static func configuration(_ path: String) -> Store.Configuration {
    var configuration = Store.Configuration(
      url: URL(filePath: path), models: HarborStore.models, schemaVersion: 0)
    configuration.durability = .relaxed
    return configuration
  }

  // MARK: - Random changes

  // The last commit added a harbor. A write of this process could see it first and remove it, and
  // the test waited for it until it failed.

  /// Commits random changes, alone and several in a row.
  private static func change(_ path: String, seed: UInt64, commits: Int) throws {
    let store = try Store(configuration(path))
    var changes = HarborChanges(seed: seed + 1_000_000)
    try Signal.wait(for: path + ".start")
    for _ in 0..<commits {
      try store.write { try changes.change(store) }
      if changes.random.happens(percent: 60) { usleep(UInt32(changes.random.number(0..<20_000))) }
    }
    try store.write { try store.add(Coast(code: last)) }
  }

  private func expectChildToChange(_ path: String, seed: UInt64) async {
    await #expect(processExitsWith: .success) {
      [path = path as String, seed = seed as UInt64, commits = Self.commits as Int] in
      try Self.change(path, seed: seed, commits: commits)
    }
  }

  @Test(arguments: seeds)
  func `each change that a thread is told of while two processes write leads to the objects after`(
    seed: UInt64
  ) async throws {
    let place = try HarborStore().place
    let path = place.url.path
    async let child: Void = expectChildToChange(path, seed: seed)
    try await onThread {
      let harbors = try HarborStore(opening: place)
      let store = harbors.store
      let mirrors = harbors.mirrors()
      var changes = HarborChanges(seed: seed)
      var round = 0
      Signal.send(path + ".start")
      let end = ContinuousClock.now + Self.patience
      while store.object(ofType: Coast.self, forPrimaryKey: Self.last) == nil {
        guard ContinuousClock.now < end else { throw NeverEnded() }
        switch changes.random.number(0..<10) {
        case 0..<4: try store.write { try changes.change(store) }
        case 4..<7: try store.refresh()
        default: _ = try store.waitForChanges(timeout: .seconds(1))
        }
        round += 1
        for mirror in mirrors { mirror.check("seed \(seed), round \(round)") }
      }
      print("seed \(seed): \(round) rounds beside \(Self.commits) commits of a process")
      #expect(mirrors.allSatisfy { $0.initialCount == 1 })
      #expect(mirrors.filter { $0.updateCount > 0 }.count > 20)
    }
    await child
  }

  /// An actor whose observers follow other processes by themselves.
  private actor Follower {
    private let harbors: HarborStore
    private var mirrors: [ObservedMirror] = []
    private var changes: HarborChanges
    private let seed: UInt64
    private var round = 0

    init(_ place: TestStore, seed: UInt64) throws {
      harbors = try HarborStore(opening: place)
      changes = HarborChanges(seed: seed)
      self.seed = seed
    }

    func observe() { mirrors = harbors.mirrors() }

    /// Checks the observers, sometimes writes, and returns whether the other process is done.
    func step() throws -> Bool {
      round += 1
      check("before")
      if changes.random.happens(percent: 30) {
        try harbors.store.write { try changes.change(harbors.store) }
        check("after")
      }
      return harbors.store.object(ofType: Coast.self, forPrimaryKey: last) != nil
    }

    private func check(_ note: String) {
      for mirror in mirrors { mirror.check("seed \(seed), \(note) round \(round)") }
    }

    func end() {
      print("seed \(seed): \(round) rounds on an actor beside \(commits) commits of a process")
      #expect(mirrors.allSatisfy { $0.initialCount == 1 })
      #expect(mirrors.filter { $0.updateCount > 0 }.count > 20)
      mirrors = []
    }
  }

  @Test(.takesLong, arguments: seeds)
  func `each change that an actor is told of while two processes write leads to the objects after`(
    seed: UInt64
  ) async throws {
    let place = try HarborStore().place
    let path = place.url.path
    async let child: Void = expectChildToChange(path, seed: seed)
    let follower = try Follower(place, seed: seed)
    await follower.observe()
    Signal.send(path + ".start")
    while try await !follower.step() { try await Task.sleep(for: .milliseconds(3)) }
    await follower.end()
    await child
  }

  // MARK: - Killed writers

  /// Adds harbors, one with each commit, and is killed at one of them.
  private static func addUntilKilled(_ path: String, _ number: Int, isAfter: Bool) throws {
    let store = try Store(configuration(path))
    let counter = Shared(0)
    CommitProbe.observe { moment in
      if moment == (isAfter ? .after : .before), counter.value == number { kill(getpid(), SIGKILL) }
      if moment == .after { counter.change { $0 += 1 } }
    }
    for id in 100..<200 { try store.write { try store.add(Harbor(id: id, name: "killed")) } }
  }

  @Test(arguments: [false, true], 0..<TestRun.count(3, long: 20))
  func `a commit of a killed writer is told, or it never was, and then others are told`(
    isAfter: Bool, number: Int
  ) async throws {
    let place = try HarborStore().place
    let notes = FollowingTests.Notes()
    let watcher = try FollowingTests.Watcher(place.configuration, notes)
    await watcher.observe()
    let path = place.url.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, number = number as Int, isAfter = isAfter as Bool] in
      try Self.addUntilKilled(path, number, isAfter: isAfter)
    }
    var expected = 20 + number + (isAfter ? 1 : 0)
    if expected > 20 {
      #expect(await notes.wait { $0.last?.hasPrefix("\(expected) ") == true }, "\(notes.all)")
    }
    try await Task.sleep(for: .milliseconds(30))
    #expect(notes.all.last?.hasPrefix(expected > 20 ? "\(expected) " : "initial 20") == true)

    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store(Self.configuration(path))
      try store.write { try store.add(Harbor(id: 300, name: "next")) }
    }
    expected += 1
    #expect(await notes.wait { $0.last?.hasPrefix("\(expected) ") == true }, "\(notes.all)")
    try await watcher.add(301)
    #expect(notes.all.last?.hasPrefix("\(expected + 1) ") == true, "\(notes.all)")
    try place.expectWhole()
  }
}
