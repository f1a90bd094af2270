import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelLMDB
import WhimbrelTestSupport

/// Synchronous and asynchronous writers at once, and writers that are killed.
@Suite(.oneAtATime, .mustEnd) struct AsyncWriteStressTests {
  /// What the writers of one counter know.
  private struct Expected {
    /// The number of writes that have returned.
    var written = 0
    var thrown = 0
    var timedOut = 0
  }

  private static let time: Duration = TestRun.isLong ? .seconds(60) : .seconds(2)

  /// Adds 1 to a counter, and a node, in a write.
  private static func step(_ store: Store, _ counter: Int, throwing: Bool) throws {
    let object = store.object(ofType: Numbered.self, forPrimaryKey: counter)
    object?.text = "\((object.flatMap { Int($0.text) } ?? 0) + 1)"
    try store.add(Node(name: "\(counter)"))
    if throwing { throw RollBack() }
  }

  @Test(.takesLong) func `synchronous and asynchronous writers lose nothing`() async throws {
    let test = try TestStore()
    let configuration = test.configuration
    let store = try test.open()
    let counters = 8
    try store.write {
      for counter in 0..<counters { try store.add(Numbered(number: counter, text: "0")) }
    }
    let expected = Shared(Array(repeating: Expected(), count: counters))
    let end = ContinuousClock.now + Self.time
    let threads = DispatchGroup()
    for counter in 0..<2 {
      threads.enter()
      Thread.detachNewThread {
        defer { threads.leave() }
        var random = SeededGenerator(seed: UInt64(counter))
        do {
          let store = try Store(configuration)
          while ContinuousClock.now < end {
            let throwing = Bool.random(using: &random)
            do {
              try store.write { try Self.step(store, counter, throwing: throwing) }
              expected.change { $0[counter].written += 1 }
            } catch is RollBack {
              expected.change { $0[counter].thrown += 1 }
            }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for counter in 2..<counters {
        group.addTask {
          try await Self.write(counter, configuration, until: end) { change in
            expected.change { change(&$0[counter]) }
          }
        }
      }
      try await group.waitForAll()
    }
    await Task.detached { threads.waitHere() }.value
    try store.refresh()
    let seen = expected.value
    print(
      "writes: \(seen.map(\.written)), thrown: \(seen.map(\.thrown)), "
        + "timed out: \(seen.map(\.timedOut))")
    #expect(seen.allSatisfy { $0.written > 0 })
    for (counter, expected) in seen.enumerated() {
      let object = try #require(try store.object(ofType: Numbered.self, forPrimaryKey: counter))
      #expect(object.text == "\(expected.written)")
      let nodes = store.objects(Node.self).where { $0.name == "\(counter)" }
      #expect(nodes.count == expected.written)
    }
    let ids = store.objects(Node.self).compactMap(\.objectID)
    #expect(Set(ids).count == seen.reduce(0) { $0 + $1.written })
    try test.expectWhole()
  }

  /// Writes in all ways by turns, also synchronously on the actor that writes asynchronously.
  private static func write(
    _ counter: Int, _ configuration: Store.Configuration, until end: ContinuousClock.Instant,
    _ note: @Sendable (@Sendable (inout Expected) -> Void) -> Void
  ) async throws {
    var random = SeededGenerator(seed: UInt64(counter))
    let actor = try StoreWriter(configuration)
    while ContinuousClock.now < end {
      let throwing = Int.random(in: 0..<4, using: &random) == 0
      let limit: Duration? =
        Int.random(in: 0..<4, using: &random) == 0 ? .milliseconds(3) : nil
      do {
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          try await actor.with {
            try $0.write { store in
              try step(store, counter, throwing: throwing)
            }
          }
        case 1...3:
          try await Store.write(configuration, waitingUpTo: limit) { store in
            try step(store, counter, throwing: throwing)
          }
        default:
          try await actor.write(waitingUpTo: limit) { store in
            try step(store, counter, throwing: throwing)
          }
        }
        note { $0.written += 1 }
      } catch is RollBack {
        note { $0.thrown += 1 }
      } catch StoreError.Code.writeTimedOut {
        note { $0.timedOut += 1 }
      }
    }
  }

  // MARK: - Killed writers

  /// Each write adds two nodes of the same name, and notes the name when it has returned.
  @Test func `a write of a killed process is there as a whole, or never was`() async throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Node(name: "0")) }
    let log = test.url.path + ".log"
    for kill in 0..<TestRun.count(12, long: 200) {
      _ = FileManager.default.createFile(atPath: log, contents: nil)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = test.url.path as String, log = log as String, kill = kill as Int] in
        try await Self.writeUntilKilled(path, log, kill)
      }
      // The survivor sees it, and can write.
      #expect(try store.refresh())
      let names = store.objects(Node.self).map(\.name)
      let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
      #expect(counts.allSatisfy { $0.key == "0" || $0.value == 2 }, "kill \(kill)")
      let acknowledged = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      for name in acknowledged { #expect(counts[String(name)] == 2, "kill \(kill)") }
      #expect(counts.keys.allSatisfy { !$0.hasPrefix("thrown") })
      try await Store.write(test.configuration) { try $0.deleteAll() }
      try store.write { try store.add(Node(name: "0")) }
      try test.expectWhole()
    }
  }

  private static func writeUntilKilled(_ path: String, _ log: String, _ number: Int) async throws {
    let configuration = Store.Configuration(
      url: URL(filePath: path), models: TestStore.models)
    let writer = try StoreWriter(configuration)
    // One commit that the survivor sees for certain: later ones may hold thrown writes only.
    try await writer.write { store in
      for _ in 0..<2 { try store.add(Node(name: "first")) }
    }
    let moments = Atomic(0)
    CommitProbe.observe { moment in
      guard moment == (number % 2 == 0 ? .before : .after) else { return }
      if moments.add(1, ordering: .relaxed).oldValue == number / 2 { kill(getpid(), SIGKILL) }
    }
    let descriptor = unsafe open(log, O_WRONLY | O_APPEND)
    @Sendable func note(_ name: String) {
      let bytes = Array((name + "\n").utf8)
      _ = unsafe bytes.withUnsafeBytes {
        unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0..<1_000 {
            let throwing = (task + round) % 5 == 0
            let name = "\(throwing ? "thrown" : "kept") \(task).\(round)"
            let body: @Sendable (Store) throws -> Void = { store in
              try store.add(Node(name: name))
              try store.add(Node(name: name))
              if throwing { throw RollBack() }
            }
            do {
              if task % 2 == 0 {
                try await Store.write(configuration, body)
              } else {
                try await writer.write(body)
              }
              note(name)
            } catch {}
          }
        }
      }
    }
  }
}

extension DispatchGroup {
  /// Waits, also in asynchronous code, whose thread is held up.
  fileprivate func waitHere() { wait() }
}
