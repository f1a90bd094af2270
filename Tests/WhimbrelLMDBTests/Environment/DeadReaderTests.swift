import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// Snapshots that keep pages from being reused.
@Suite struct DeadReaderTests {
  /// Leaves the snapshot of a killed process in a file.
  private func killReader(of path: String) async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lease = try Environment.open(path: path)
      let snapshot = try ReadTransaction(lease.environment)
      kill(getpid(), SIGKILL)
      _ = consume snapshot
    }
  }

  /// LMDB looks for dead readers when a file is opened or full. A reader killed beside a writer that
  /// stays open let a file grow from 20 MB to 1.06 GB in 7 s.
  @Test func `a killed reader does not let the file grow`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<1_000, mark: 1)
    await killReader(of: file.path)
    #expect(try environment.otherReaders() == 1)
    for mark in 0..<200 {
      try environment.fill(0..<1_000, mark: UInt8(truncatingIfNeeded: mark))
    }
    #expect(try environment.otherReaders() == 0)
    let facts = try environment.information()
    // Without the check, each commit takes some 30 pages more.
    #expect(facts.lastPage < 4_000, "\(facts.lastPage) pages")
  }

  /// LMDB takes slots with the ID of this process for slots of this process. An app was killed in a
  /// container while another process had the store open. It was started again with the same ID, and
  /// its file grew with every commit: 7 MB for 100 commits.
  @Test func `a killed reader with the ID of this process does not keep its slot`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    await killReader(of: file.path)
    let dead = try #require(try environment.readerSlots().first)
    await #expect(processExitsWith: .success) {
      [path = file.path as String, dead = dead.processID as Int32] in
      // The file is not open in this process yet, so closing the lock file does no harm.
      let descriptor = unsafe open(path + "-lock", O_RDWR)
      // LMDB: two cache lines precede the slots. A slot is a transaction, a process and a thread.
      var (process, place) = (Int32(0), off_t(2 * 64 + 8))
      while unsafe pread(descriptor, &process, 4, place) == 4, process != dead { place += 64 }
      process = getpid()
      guard unsafe pwrite(descriptor, &process, 4, place) == 4 else { exit(3) }
      close(descriptor)
      let lease = try Environment.open(path: path)
      if try lease.environment.hasOwnSlots() { exit(4) }
    }
    #expect(try environment.readerSlots().isEmpty)
  }

  /// The slots stayed taken as long as the file was open elsewhere, and no other process could open
  /// it.
  @Test func `a file opens if killed readers have left all slots`() async throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let lease = try Environment.open(path: path)
      func takeAll() {
        do {
          let snapshot = try ReadTransaction(lease.environment)
          takeAll()
          _ = consume snapshot
        } catch {
          kill(getpid(), SIGKILL)
        }
      }
      takeAll()
    }
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let lease = try Environment.open(path: path)
      if try lease.environment.marks().count != 10 { exit(3) }
    }
  }

  @Test func `a snapshot is listed with its process, its age and what it pins`() throws {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let begin = Date()
    let snapshot = try ReadTransaction(environment)
    #expect(try environment.snapshots().first?.date == nil)
    for mark in UInt8(1)...10 { try environment.fill(0..<1_000, mark: mark) }
    let found = try #require(try environment.snapshots().first)
    #expect(found.slot.processID == getpid())
    #expect(found.slot.thread == Environment.currentThread)
    #expect(found.commitsBehind == 10)
    #expect(found.growth > 10 * 4_096)
    #expect(try #require(found.date) >= begin)
    _ = consume snapshot
    #expect(try environment.snapshots().isEmpty)
  }

  @Test func `a file size limit is an error and not a signal`() async throws {
    let file = try EnvironmentTestFile()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      // Threads of Dispatch block all signals, and those of an app do not.
      var set = sigset_t()
      unsafe sigemptyset(&set)
      unsafe sigaddset(&set, SIGXFSZ)
      unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
      let lease = try Environment.open(path: path)
      let environment = lease.environment
      try environment.fill(0..<10, mark: 1)
      try Data(count: 1 << 20).write(to: URL(filePath: path + ".large"))
      try limitFiles(to: 256 << 10)
      // Exit codes, because a child cannot describe its issues.
      do {
        try environment.fill(0..<10_000, mark: 2)
        exit(3)
      } catch is LMDBError {}
      do {
        try FileBytes.copy(path + ".large", to: path + ".copy")
        exit(4)
      } catch is LMDBError {}
      // The app's own setting is as it was.
      unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
      if unsafe sigismember(&set, SIGXFSZ) != 0 { exit(5) }
      if try environment.marks().marks != [1] { exit(6) }
    }
  }
}
