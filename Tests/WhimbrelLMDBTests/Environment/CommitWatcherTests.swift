import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// Commits of other processes, heard by the one thread of this process.
@Suite(.mustEnd) struct CommitWatcherTests {
  // MARK: Other processes

  @Test func `each of 400 commits of another process is heard`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    let listener = CommitListener(environment)
    let log = file.sibling("log")
    await #expect(processExitsWith: .success) {
      [path = file.path as String, log = log as String] in
      let environment = try Environment.open(path: path).environment
      var random = SeededGenerator(seed: 1)
      var commits: [CommitTime] = []
      for commit in 0..<400 {
        try environment.fill(0..<10, mark: UInt8(truncatingIfNeeded: commit))
        commits.append(CommitTime(number: try environment.information().lastTransaction))
        // Alone, and several in a row.
        if commit % 3 == 0 { usleep(.random(in: 0..<3_000, using: &random)) }
      }
      try JSONEncoder().encode(commits).write(to: URL(filePath: log))
    }
    let commits = try JSONDecoder().decode(
      [CommitTime].self, from: Data(contentsOf: URL(filePath: log)))
    let last = try #require(commits.last?.number)
    #expect(listener.hears(last))
    let heard = listener.commits
    let delays = try commits.map { commit in
      let first = try #require(heard.first { $0.number >= commit.number })
      return first.time - commit.time
    }.sorted()
    let (median, late) = (delays[delays.count / 2] / 1e6, delays[delays.count * 99 / 100] / 1e6)
    print("commits heard: median \(median) ms, p99 \(late) ms, \(heard.count) signals")
    // Thousands of other tests may run beside this one.
    #expect(late < (TestRun.isLong ? 10 : 1_000))
    #expect(heard.map(\.number) == heard.map(\.number).sorted())
  }

  @Test func `the last commit of a killed writer is heard`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let listener = CommitListener(environment)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let environment = try Environment.open(path: path).environment
      for mark in UInt8(0)..<5 { try environment.fill(0..<10, mark: mark) }
      CommitProbe.observe { if $0 == .after { kill(getpid(), SIGKILL) } }
      try environment.fill(0..<10, mark: 5)
    }
    #expect(try environment.marks().marks == [5])
    #expect(listener.hears(try ReadTransaction(environment).view.transactionID))
  }

  @Test func `an opener sees the commit of a writer that was killed before readers could`()
    async throws
  {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    // The bytes of the next commit.
    let copy = file.sibling("copy")
    try FileManager.default.copyItem(atPath: file.path, toPath: copy)
    try Environment.open(path: copy).environment.fill(0..<10, mark: 2)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = file.path as String, copy = copy as String] in
      let environment = try Environment.open(path: path).environment
      let writing = try WriteTransaction(environment)
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      try handle.write(contentsOf: Data(contentsOf: URL(filePath: copy)))
      kill(getpid(), SIGKILL)
      writing.abort()
    }
    #expect(try environment.marks().marks == [1])
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let environment = try Environment.open(path: path).environment
      #expect(try environment.marks().marks == [2])
    }
    #expect(try environment.marks().marks == [2])
  }

  /// LMDB writes the meta page before it gives the number to readers.
  @Test func `a commit that its writer did not finish gives no signal, and the next one does`()
    async throws
  {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    let listener = CommitListener(environment)
    let last = try environment.information().lastTransaction
    // The writer leaves a meta page of the next commit, with the same tables.
    let handle = try FileHandle(forUpdating: URL(filePath: file.path))
    let pageSize = try environment.information().pageSize
    try handle.seek(toOffset: UInt64(last % 2 * pageSize))
    var page = try #require(try handle.read(upToCount: pageSize))
    let number = unsafe withUnsafeBytes(of: UInt64(last + 1).littleEndian) { unsafe Data($0) }
    page.replaceSubrange(144..<152, with: number)
    page[0] = UInt8((last + 1) % 2)
    try handle.seek(toOffset: UInt64((last + 1) % 2 * pageSize))
    try handle.write(contentsOf: page)
    #expect(try environment.information().lastTransaction == last + 1)
    usleep(50_000)
    #expect(listener.commits.isEmpty)
    let path = file.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try Environment.open(path: path).environment.fill(0..<10, mark: 2)
    }
    #expect(listener.hears(last + 1))
  }

  @Test func `a commit is heard by the subscribers of its file only`() async throws {
    let files = [try EnvironmentTestFile(), try EnvironmentTestFile()]
    let listeners = try files.map { CommitListener(try $0.environment()) }
    for (number, file) in files.enumerated() {
      await #expect(processExitsWith: .success) { [path = file.path as String] in
        try Environment.open(path: path).environment.fill(0..<10, mark: 2)
      }
      let last = try file.environment().information().lastTransaction
      #expect(listeners[number].hears(last))
      #expect(number == 1 || listeners[1].commits.isEmpty)
    }
  }

  // MARK: This process

  @Test func `a commit of this process is told once, before it returns`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let listener = CommitListener(environment)
    try await onThread {
      for commit in 1...100 {
        try environment.fill(0..<10, mark: UInt8(commit))
        #expect(listener.commits.count == commit)
      }
    }
    usleep(20_000)
    #expect(listener.commits.count == 100)
  }

  /// LMDB gives the number of a write that has written nothing to the next one.
  @Test func `another process's commit is heard after a write that wrote nothing`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    let listener = CommitListener(environment)
    try await onThread { try WriteTransaction(environment).commit() }
    let before = listener.commits.count
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      try Environment.open(path: path).environment.fill(0..<10, mark: 2)
    }
    #expect(listener.hears(try environment.information().lastTransaction))
    #expect(listener.commits.count > before)
  }

  @Test func `a waiter returns a signal, or nothing at its deadline`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try await onThread {
      let waiter = environment.commitSignals.makeWaiter()
      #expect(waiter.wait(until: .now) == nil)
      #expect(waiter.wait(until: .now + .milliseconds(5)) == nil)
      try environment.fill(0..<10, mark: 1)
      try environment.fill(0..<10, mark: 2)
      // One signal for both, also after the deadline.
      #expect(waiter.wait(until: .now) == .commit)
      #expect(waiter.wait(until: .now) == nil)
      Thread.detachNewThread {
        usleep(10_000)
        try? environment.fill(0..<10, mark: 3)
      }
      #expect(waiter.wait(until: .now + .seconds(600)) == .commit)
      try FileManager.default.removeItem(atPath: environment.path)
      #expect(waiter.wait(until: .now + .seconds(600)) == .moved)
      #expect(waiter.wait(until: .now + .milliseconds(5)) == nil)
    }
  }

  // MARK: The file

  enum Fate: CaseIterable { case moved, deleted, replaced }

  @Test(arguments: Fate.allCases)
  func `a file that is moved, deleted or replaced gives one signal`(fate: Fate) throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let listener = CommitListener(environment)
    switch fate {
    case .moved:
      try FileManager.default.moveItem(atPath: file.path, toPath: file.sibling("elsewhere"))
    case .deleted: try FileManager.default.removeItem(atPath: file.path)
    case .replaced:
      try Data("another file".utf8).write(to: URL(filePath: file.sibling("other")))
      #expect(unsafe rename(file.sibling("other"), file.path) == 0)
    }
    #expect(listener.hearsMove())
    _ = unsafe utimes(file.sibling("elsewhere"), nil)
    usleep(20_000)
    #expect(listener.moves == 1)
  }

  @Test func `a subscription does not keep the file open`() throws {
    let file = try EnvironmentTestFile()
    var lease: EnvironmentLease? = try file.open()
    weak let environment = lease?.environment
    let listener = CommitListener(try #require(environment))
    lease = nil
    #expect(environment == nil)
    #expect(listener.commits.isEmpty)
  }

  // MARK: The system's limits

  enum Refusal: String, CaseIterable, Codable { case watch, descriptor }

  @Test(.oneAtATime, arguments: Refusal.allCases)
  func `without watches, a file is looked at every 100 ms, and it is said once`(
    refusal: Refusal
  ) async throws {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<10, mark: 1)
    let path = file.path
    async let child = #expect(processExitsWith: .success) {
      [path = path as String, refusal = refusal as Refusal] in
      let environment = try Environment.open(path: path).environment
      let reports = Mutex(0)
      FallbackReport.observe { _ in reports.withLock { $0 += 1 } }
      switch refusal {
      case .watch: FileNotices.refusesWatches.store(true, ordering: .relaxed)
      case .descriptor:
        // A snapshot maps the file without a descriptor.
        let next = dup(0)
        close(next)
        var limit = rlimit(rlim_cur: rlim_t(next), rlim_max: rlim_t(next))
        #if os(Linux)
          let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
          let code = unsafe setrlimit(RLIMIT_NOFILE, &limit)
        #endif
        guard code == 0 else { exit(2) }
      }
      let listeners = [CommitListener(environment), CommitListener(environment)]
      let last = try environment.information().lastTransaction
      // A limit of descriptors keeps a file from being made.
      guard unsafe rename(path + ".start", path + ".open") == 0 else { exit(3) }
      for listener in listeners where !listener.hears(last + 1) { exit(4) }
      if reports.withLock({ $0 }) != 1 { exit(5) }
      guard unsafe rename(path, path + ".moved") == 0 else { exit(6) }
      for listener in listeners where !listener.hearsMove() { exit(7) }
    }
    Signal.send(path + ".start")
    try await Signal.arrival(of: path + ".open")
    try await onThread {
      try Environment.open(path: path).environment.fill(0..<10, mark: 2)
    }
    _ = await child
  }

  /// The log said that the system cannot watch more files.
  @Test(.oneAtATime) func `a file that was deleted is not called a lack of watches`() async throws {
    let file = try EnvironmentTestFile()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let environment = try Environment.open(path: path).environment
      let reports = Mutex(0)
      FallbackReport.observe { _ in reports.withLock { $0 += 1 } }
      guard unsafe unlink(path) == 0 else { exit(2) }
      let listener = CommitListener(environment)
      if !listener.hearsMove() { exit(3) }
      if reports.withLock({ $0 }) != 0 { exit(4) }
    }
  }

  @Test func `1,000 subscriptions leave no descriptor and no thread`() async throws {
    let file = try EnvironmentTestFile()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let environment = try Environment.open(path: path).environment
      func entries(_ folder: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
      }
      let descriptors = try entries("fd")
      // Each thread ends soon after the last subscription of its time.
      for number in 0..<1_000 {
        let first = environment.commitSignals.subscribe { _ in }
        let second = number % 2 == 0 ? environment.commitSignals.subscribe { _ in } : nil
        withExtendedLifetime((first, second)) {}
      }
      let deadline = ContinuousClock.now + .seconds(60)
      func hasWatcher() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").contains {
          let name = FileManager.default.contents(atPath: "/proc/self/task/\($0)/comm") ?? Data()
          return String(decoding: name, as: UTF8.self).hasPrefix("whimbrel.commit")
        }
      }
      // The test runner may open one of its own meanwhile. A watcher that is left has three.
      while try hasWatcher() || entries("fd") > descriptors + 2 {
        if ContinuousClock.now > deadline { exit(try hasWatcher() ? 2 : 3) }
        usleep(1_000)
      }
    }
  }

  /// Ending a watch in a child of a fork would end its parent's, too.
  @Test func `a child of a fork harms no subscription, and may have its own`() async throws {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<10, mark: 1)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let environment = try Environment.open(path: path).environment
      var listener: CommitListener? = CommitListener(environment)
      let last = try environment.information().lastTransaction
      let child = forkProcess()
      if child == 0 {
        listener = nil
        guard let own = try? Environment.open(path: path).environment else { _exit(2) }
        let ownListener = CommitListener(own)
        guard (try? own.fill(0..<10, mark: 2)) != nil else { _exit(3) }
        _exit(ownListener.commits.count == 1 ? 0 : 4)
      }
      var status: Int32 = -1
      if unsafe waitpid(child, &status, 0) != child || status != 0 { exit(5) }
      if listener?.hears(last + 1) != true { exit(6) }
    }
  }
}

/// Swift hides `fork`; C code in the same process may call it all the same.
@_silgen_name("fork") private func forkProcess() -> pid_t

/// A commit and the time at which it returned or was heard of.
private struct CommitTime: Codable {
  let number: Int
  /// In nanoseconds, by a clock that all processes share.
  let time: Double

  init(number: Int) {
    self.number = number
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    time = Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
  }
}

/// A subscriber that notes what it hears, and what it then sees.
private final class CommitListener: Sendable {
  private struct Heard {
    var commits: [CommitTime] = []
    var moves = 0
  }

  private final class Log: Sendable {
    let heard = Mutex(Heard())
  }

  private let log = Log()
  private let subscription: CommitSignals.Subscription

  init(_ environment: Environment) {
    subscription = environment.commitSignals.subscribe { [weak environment, log] event in
      switch event {
      case .commit:
        guard let environment, let snapshot = try? ReadTransaction(environment) else { return }
        let commit = CommitTime(number: snapshot.view.transactionID)
        log.heard.withLock { $0.commits.append(commit) }
      case .moved: log.heard.withLock { $0.moves += 1 }
      }
    }
  }

  var commits: [CommitTime] { log.heard.withLock { $0.commits } }
  var moves: Int { log.heard.withLock { $0.moves } }

  /// Waits until a commit is heard of, for a minute.
  func hears(_ number: Int) -> Bool { waits { $0.commits.contains { $0.number >= number } } }

  /// Waits until a move is heard of, for a minute.
  func hearsMove() -> Bool { waits { $0.moves > 0 } }

  private func waits(for condition: (Heard) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while !log.heard.withLock({ condition($0) }) {
      if ContinuousClock.now > deadline { return false }
      usleep(1_000)
    }
    return true
  }
}
