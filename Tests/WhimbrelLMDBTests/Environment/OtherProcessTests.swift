import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// Swift hides `fork`; C code in the same process may call it all the same.
@_silgen_name("fork") private func systemFork() -> pid_t
#if os(Linux)
  @_silgen_name("unshare") private func systemUnshare(_ flags: Int32) -> Int32
#endif

private func codeOfOpening(
  _ path: String, _ options: Environment.Options = .init()
) -> LMDBError.Code? {
  do throws(LMDBError) {
    _ = try Environment.open(path: path, options: options)
    return nil
  } catch { return error.code }
}

/// The number of writes of several threads that have begun or failed.
private final class Tries: Sendable {
  let count = Atomic(0)
}

@Suite struct OtherProcessTests {
  #if os(Linux)
    /// The writers' lock has the number of its thread. A thread of another container that waited for
    /// it was killed, and had the same number: Linux took the writer for dead, and a third process
    /// wrote at the same time.
    @Test(.enabled(if: getuid() == 0, "only root makes namespaces"))
    func `two processes do not write with IDs of different namespaces`() async throws {
      let file = try EnvironmentTestFile()
      let lease = try file.open()
      try lease.environment.fill(0..<10, mark: 1)
      await #expect(processExitsWith: .success) { [path = file.path as String] in
        guard systemUnshare(0x2000_0000) == 0 else { exit(3) }
        let child = systemFork()
        if child == 0 {
          var options = EnvironmentTestFile.options()
          guard codeOfOpening(path, options) == .otherContainer else { _exit(4) }
          options.isReadOnly = true
          guard codeOfOpening(path, options) == nil else { _exit(5) }
          _exit(0)
        }
        var status: Int32 = 0
        unsafe waitpid(child, &status, 0)
        exit(status >> 8)
      }
      try lease.environment.fill(0..<10, mark: 2)
    }
  #endif

  /// The first process of each container has the ID 1. The second to open a file got "Resource
  /// temporarily unavailable", with the advice to check the disk.
  @Test func `a process with the ID of another one that has the file open is told so`() async throws
  {
    let file = try EnvironmentTestFile()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let child = systemFork()
      if child == 0 {
        usleep(300_000)
        _exit(codeOfOpening(path) == .otherContainer ? 0 : 4)
      }
      // LMDB: a process locks the byte of its ID.
      let descriptor = unsafe open(path + "-lock", O_RDWR | O_CREAT, 0o644)
      var lock = flock()
      (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
      (lock.l_start, lock.l_len) = (off_t(child), 1)
      guard unsafe fcntl(descriptor, F_SETLK, &lock) == 0 else { exit(3) }
      var status: Int32 = 0
      unsafe waitpid(child, &status, 0)
      exit(status >> 8)
    }
  }

  /// Closing a second environment, or a descriptor of the lock file, would drop
  /// this process's lock, and the other would write over the pages read here.
  @Test func `a snapshot keeps its pages while another process writes`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    try lease.environment.fill(0..<500, mark: 1)
    let table = try lease.environment.numbers
    var reader = try ReadTransaction(lease.environment)
    for path in [file.path, file.sibling("link")] {
      try? FileManager.default.createSymbolicLink(
        atPath: file.sibling("link"), withDestinationPath: file.path)
      _ = try Environment.open(path: path).environment.marks()
    }
    let path = file.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let lease = try Environment.open(path: path)
      let environment = lease.environment
      for mark in UInt8(2)..<60 { try environment.fill(0..<500, mark: mark) }
      #expect(try environment.otherReaders() == 1)
    }
    let seen = try reader.view.marks(table)
    #expect(seen.marks == [1] && seen.count == 500)
    try reader.renew()
    #expect(try reader.view.marks(table).marks == [59])
  }

  @Test(arguments: [false, true])
  func `a map that another process has enlarged is adopted`(besideSnapshot: Bool) async throws {
    let size = 64 << 10
    let file = try EnvironmentTestFile(mapSize: size)
    let lease = try file.open(mapSize: size)
    let environment = lease.environment
    try environment.fill(0..<10, mark: 1)
    var reader = try ReadTransaction(environment)
    if !besideSnapshot { reader.reset() }
    let path = file.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let lease = try Environment.open(path: path)
      try lease.environment.fill(0..<1_000, bytes: 1_000, mark: 2)
    }
    if besideSnapshot {
      // Without the release, this waits for the snapshot, and gives up.
      try WriteTransaction(environment) { reader.reset() }.abort()
      let isHeld = reader.isActive
      #expect(!isHeld)
    }
    let copy = file.sibling("copy.mdb")
    try environment.copy(to: copy, isCompacted: true)
    #expect(try Environment.open(path: copy).environment.marks().count == 1_000)
    try reader.renew()
    #expect(try reader.view.marks(environment.numbers).count == 1_000)
    reader.reset()
    try environment.fill(1_000..<1_010, bytes: 1_000, mark: 2)
    #expect(try environment.marks().count == 1_010)
  }

  @Test func `a killed reader's slot is freed`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    try lease.environment.fill(0..<10, mark: 1)
    let path = file.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lease = try Environment.open(path: path)
      let reader = try ReadTransaction(lease.environment)
      kill(getpid(), SIGKILL)
      _ = consume reader
    }
    #expect(try lease.environment.otherReaders() == 1)
    #expect(try lease.environment.removeDeadReaders() == 1)
    #expect(try lease.environment.otherReaders() == 0)
  }

  @Test func `a writer killed half way leaves nothing, and lets others write`() async throws {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    try lease.environment.fill(0..<10, mark: 1)
    let path = file.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let lease = try Environment.open(path: path)
      let table = try lease.environment.numbers
      let transaction = try WriteTransaction(lease.environment)
      try transaction.view.empty(table)
      kill(getpid(), SIGKILL)
      try transaction.commit()
    }
    #expect(try lease.environment.marks().count == 10)
    try lease.environment.fill(10..<20, mark: 1)
    #expect(try lease.environment.marks().count == 20)
  }

  // macOS refuses a limit below the addresses that a process has already: hundreds of gigabytes.
  #if os(Linux)
    private static func limitAddresses(to size: rlim_t) {
      var limit = rlimit(rlim_cur: size, rlim_max: size)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    }

    @Test func `little address space means a smaller map, and no crash`() async throws {
      let file = try EnvironmentTestFile()
      let path = file.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        Self.limitAddresses(to: 3 << 30)
        let lease = try Environment.open(path: path)
        let size = try lease.environment.information().mapSize
        #expect(size >= 1 << 28 && size <= 3 << 30)
        #expect(throws: LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")) {
          try lease.environment.grow(to: 8 << 30)
        }
        try lease.environment.ensureRoom(4 << 30)
        try lease.environment.fill(0..<100, mark: 4)
        #expect(try lease.environment.marks().count == 100)
      }
    }

    // LMDB unmaps its map before it maps a larger one. If that fails, it has none.
    @Test(.oneAtATime)
    func `a map of another process that does not fit is an error, and no crash`() async throws {
      let file = try EnvironmentTestFile()
      try file.environment().fill(0..<10, mark: 1)
      let path = file.path
      async let child = #expect(processExitsWith: .success) { [path = path as String] in
        let lease = try Environment.open(
          path: path, options: EnvironmentTestFile.options(1 << 20))
        #expect(try lease.environment.information().mapSize == 1 << 20)
        Signal.send(path + ".open")
        try Signal.wait(for: path + ".grown")
        Self.limitAddresses(to: 3 << 30)
        for _ in 0..<2 {
          #expect(throws: LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")) {
            _ = try ReadTransaction(lease.environment)
          }
          #expect(throws: LMDBError(code: .noMemory, function: "mdb_env_set_mapsize")) {
            _ = try WriteTransaction(lease.environment)
          }
        }
      }
      try await Signal.arrival(of: path + ".open")
      let lease = try file.open()
      try lease.environment.grow(to: 8 << 30)
      try lease.environment.fill(0..<40_000, mark: 2)
      #expect(try lease.environment.information().lastPage > 256)
      Signal.send(path + ".grown")
      _ = await child
    }
  #endif

  // Each such snapshot waited for half a minute, although the only thread that could release the
  // other one was the one that waited.
  @Test(.takesLong, .oneAtATime)
  func `a map of another process is not adopted while this one holds a snapshot`() async throws {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<10, mark: 1)
    let path = file.path
    async let child = #expect(processExitsWith: .success) { [path = path as String] in
      let lease = try Environment.open(
        path: path, options: EnvironmentTestFile.options(1 << 20))
      let held = try ReadTransaction(lease.environment)
      Signal.send(path + ".open")
      try Signal.wait(for: path + ".grown")
      let begin = ContinuousClock.now
      #expect(throws: LMDBError(code: .mapResized, function: "mdb_txn_begin")) {
        _ = try ReadTransaction(lease.environment)
      }
      #expect(ContinuousClock.now - begin < Environment.growthPatience / 2)
      _ = consume held
      #expect(try lease.environment.marks().count == 40_000)
    }
    try await Signal.arrival(of: path + ".open")
    let lease = try file.open()
    try lease.environment.fill(0..<40_000, mark: 2)
    #expect(try lease.environment.information().lastPage > 256)
    Signal.send(path + ".grown")
    _ = await child
  }

  // A write that waited kept the snapshot for which its thread then waited itself. The others also
  // waited for the snapshots of the thread that had adopted the size.
  @Test(.oneAtATime)
  func `writes that wait while another process enlarges the file release their snapshots`()
    async throws
  {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    try environment.fill(0..<10, mark: 1)
    let path = file.path
    async let child = #expect(processExitsWith: .success) { [path = path as String] in
      let lease = try Environment.open(
        path: path, options: EnvironmentTestFile.options(1 << 20))
      let environment = lease.environment
      Signal.send(path + ".open")
      try Signal.wait(for: path + ".begun")
      let tried = Tries()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            try await onThread {
              var held: ReadTransaction? = try ReadTransaction(environment)
              let begun = Result { () throws(LMDBError) in
                try WriteTransaction(environment) { _ = held.take() }.abort()
              }
              // As a store does, which shows a snapshot after its write.
              let shown = try? ReadTransaction(environment)
              tried.count.add(1, ordering: .relaxed)
              while tried.count.load(ordering: .relaxed) < 4 { usleep(1_000) }
              _ = consume shown
              try begun.get()
            }
          }
        }
        while environment.writer.line.count < 3 { usleep(1_000) }
        Signal.send(path + ".waiting")
        try await group.waitForAll()
      }
      #expect(try environment.marks().count == 40_000)
    }
    try await Signal.arrival(of: path + ".open")
    try await onThread {
      let (table, value) = (try environment.numbers, [UInt8](repeating: 2, count: 100))
      try environment.write { view throws(LMDBError) in
        Signal.send(path + ".begun")
        try? Signal.wait(for: path + ".waiting")
        for key in 0..<40_000 {
          try PageBytes.with(value) { value throws(LMDBError) in
            _ = try view.put(table, UInt64(key), value)
          }
        }
      }
    }
    _ = await child
  }

  /// Closing in the child what the parent opened would free the parent's slots.
  @Test func `a child of a fork is refused, harms nothing, and may open its own`() async throws {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<10, mark: 1)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      var lease: EnvironmentLease? = try Environment.open(path: path)
      let parent = try #require(lease?.environment)
      let table = try parent.numbers
      var reader: ReadTransaction? = try ReadTransaction(parent)
      let child = systemFork()
      if child == 0 {
        let refusal = LMDBError(code: .usedAfterFork, function: "fork")
        guard (try? ReadTransaction(parent)) == nil, (try? parent.openTables([])) == nil,
          (try? WriteTransaction(parent)) == nil
        else { _exit(2) }
        do throws(LMDBError) { _ = try parent.openTables([]) } catch {
          guard error == refusal else { _exit(3) }
        }
        reader = nil
        lease = nil
        guard let own = try? Environment.open(path: path), own.environment !== parent,
          let count = try? own.environment.marks().count, count == 10,
          (try? own.environment.fill(0..<20, mark: 2)) != nil
        else { _exit(4) }
        // The parent's snapshot, seen from here, is still in its slot.
        _exit((try? own.environment.otherReaders()) == 1 ? 0 : 5)
      }
      var status: Int32 = -1
      #expect(unsafe waitpid(child, &status, 0) == child)
      #expect(status == 0, "the child exited with \(status >> 8)")
      let seen = try reader?.view.marks(table)
      #expect(seen?.marks == [1] && seen?.count == 10)
      withExtendedLifetime(lease) {}
    }
  }

  // The child took a lock that another thread of its parent held, and was stopped or waited for ever.
  @Test func `a child of a fork ends a snapshot while other threads of its parent take some`()
    async throws
  {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<10, mark: 1)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let lease = try Environment.open(path: path)
      let environment = lease.environment
      let isOver = Atomic<Bool>(false)
      for _ in 0..<8 {
        Thread.detachNewThread {
          while !isOver.load(ordering: .relaxed) { _ = try? ReadTransaction(environment) }
        }
      }
      for _ in 0..<50 {
        let reader = try ReadTransaction(environment)
        let child = systemFork()
        if child == 0 {
          alarm(60)
          guard (try? ReadTransaction(environment)) == nil else { _exit(2) }
          _ = consume reader
          _exit(0)
        }
        var status: Int32 = -1
        #expect(unsafe waitpid(child, &status, 0) == child)
        try #require(status == 0, "the child ended with \(status)")
        _ = consume reader
      }
      isOver.store(true, ordering: .relaxed)
    }
  }

  // The child committed the transaction of its parent, whose commit then had the same number.
  @Test(arguments: [false, true])
  func `a child of a fork that ends a write of its parent leaves it to the parent`(
    inGroup: Bool
  ) async throws {
    let file = try EnvironmentTestFile()
    try file.environment().fill(0..<10, mark: 1)
    await #expect(processExitsWith: .success) {
      [path = file.path as String, inGroup = inGroup as Bool] in
      let lease = try Environment.open(path: path)
      let environment = lease.environment
      let words = try environment.words
      let before = try Data(contentsOf: URL(filePath: path))
      let group = inGroup ? try WriteGroup(environment) : nil
      let transaction = try group?.nested() ?? WriteTransaction(environment)
      try transaction.view.put(words, "word", [1])
      let child = systemFork()
      if child == 0 {
        do throws(LMDBError) {
          try transaction.commit()
          _exit(2)
        } catch {
          guard error.code == .usedAfterFork else { _exit(3) }
        }
        do throws(LMDBError) {
          try group?.commit()
          if inGroup { _exit(4) }
        } catch {
          guard error.code == .usedAfterFork else { _exit(5) }
        }
        let after = try? Data(contentsOf: URL(filePath: path))
        _exit(after == before ? 0 : 6)
      }
      var status: Int32 = -1
      #expect(unsafe waitpid(child, &status, 0) == child)
      #expect(status == 0, "the child exited with \(status >> 8)")
      try transaction.commit()
      try group?.commit()
      let structure = try FileStructure.inspect(path: path)
      try structure.checkPagesAndAccounts()
      #expect(try structure.checkSeal())
      #expect(try environment.read { view throws(LMDBError) in try view.count(words) } == 1)
      try environment.fill(0..<20, mark: 2)
      #expect(try environment.marks().count == 20)
    }
  }
}
