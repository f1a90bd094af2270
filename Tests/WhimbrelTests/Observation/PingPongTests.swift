import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Two processes that answer each other: 10,000 commits in a long run. With one that is not heard,
/// both would wait forever.
@Suite(.oneAtATime, .mustEnd) struct PingPongTests {
  /// How a process waits for the other.
  enum Way: String, CaseIterable, Codable {
    case wait
    case loop
  }

  /// An error: a commit was not heard.
  private struct Missed: Error {
    let seen: [Int]
  }

  private static let last = TestRun.isLong ? 10_000 : 300
  private static let patience = Duration.seconds(TestRun.isLong ? 600 : 300)

  @Test(arguments: Way.allCases)
  func `two processes that answer each other miss no commit`(way: Way) async throws {
    let test = try TestStore()
    try await onThread {
      let store = try test.open()
      try store.write { try store.add(Numbered(number: 0, text: "0")) }
    }
    let path = test.url.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String, way = way as Way, last = Self.last as Int] in
      _ = try await Self.play(path, way, answering: 1, to: last)
    }
    let begin = ContinuousClock.now
    let longest = try await Self.play(path, way, answering: 0, to: Self.last)
    print("\(way): \(Self.last) commits in \(begin.duration(to: .now)), longest wait \(longest)")
    // Thousands of other tests may run beside this one.
    #expect(longest < .seconds(TestRun.isLong ? 5 : 60))
    _ = await child
  }

  /// Adds 1 whenever the number is even, or whenever it is odd, up to the last one. Returns the longest
  /// wait for a number of the other process.
  private static func play(
    _ path: String, _ way: Way, answering remainder: Int, to last: Int
  ) async throws -> Duration {
    switch way {
    case .wait: try await onThread { try playWaiting(path, answering: remainder, to: last) }
    case .loop: try await playInLoop(path, answering: remainder, to: last)
    }
  }

  private static func open(_ path: String) throws -> Store {
    var configuration = Store.Configuration(url: URL(filePath: path), models: TestStore.models)
    configuration.durability = .relaxed
    return try Store(configuration)
  }

  private static func number(_ results: Results<Numbered>) -> Int {
    results.first.flatMap { Int($0.text) } ?? -1
  }

  private static func add(_ store: Store) throws {
    try store.write {
      let results = store.objects(Numbered.self)
      results.first?.text = "\(number(results) + 1)"
    }
  }

  /// Throws if a number of the other process was not told, or any was told twice.
  ///
  /// An own number may be left out: the other process has answered before the write took its new
  /// snapshot, and both are told together.
  private static func requireAll(
    _ seen: [Int], answering remainder: Int, to last: Int
  ) throws {
    let others = seen.filter { $0 % 2 == remainder }
    let expected = ((others.first ?? 0)...last).filter { $0 % 2 == remainder }
    if others != expected || seen != Set(seen).sorted() { throw Missed(seen: seen) }
  }

  private static func playWaiting(
    _ path: String, answering remainder: Int, to last: Int
  ) throws -> Duration {
    let store = try open(path)
    let results = store.objects(Numbered.self).results
    var seen: [Int] = []
    let token = results.observe { change in
      if case .error(let error) = change {
        Issue.record(error)
      } else {
        seen.append(number(results))
      }
    }
    var longest = Duration.zero
    while let now = seen.last, now < last {
      if now % 2 == remainder {
        try add(store)
        continue
      }
      let begin = ContinuousClock.now
      guard try store.waitForChanges(timeout: patience) else { throw Missed(seen: seen) }
      // The other process may still have to start.
      if now > 2 { longest = max(longest, begin.duration(to: .now)) }
    }
    try requireAll(seen, answering: remainder, to: last)
    withExtendedLifetime(token) {}
    return longest
  }

  private static func playInLoop(
    _ path: String, answering remainder: Int, to last: Int
  ) async throws -> Duration {
    let task = Task {
      let store = try open(path)
      let results = store.objects(Numbered.self).results
      var seen: [Int] = []
      var longest = Duration.zero
      var time = ContinuousClock.now
      for await change in results.changes {
        if case .error(let error) = change { throw error }
        let now = number(results)
        if now > 2 { longest = max(longest, time.duration(to: .now)) }
        seen.append(now)
        if now == last { break }
        if now % 2 == remainder { try add(store) }
        time = .now
      }
      try requireAll(seen, answering: remainder, to: last)
      return longest
    }
    let watchdog = Task {
      try await Task.sleep(for: patience)
      task.cancel()
    }
    defer { watchdog.cancel() }
    return try await task.value
  }
}
