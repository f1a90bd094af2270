import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

@Model final class CrowdAccount {
  @PrimaryKey var number: Int
  var balance: Int
}

@Model final class CrowdWorker {
  @PrimaryKey var number: Int
  var writes: Int
  var transfers: StoredList<CrowdTransfer>
}

@Model final class CrowdTransfer {
  @Indexed var text: String
  var note: String
  var from: CrowdAccount?
  var to: CrowdAccount?
}

/// Four processes of eight threads, which read and write one store, and are killed and started
/// again: for a minute with `WHIMBREL_LONG=1`, otherwise for two seconds.
@Suite(.serialized) struct CrowdTests {
  private static let processes = 4
  private static let threads = 8
  private static let accounts = 25
  private static let sum = accounts * 1_000
  private static let models: [any Model.Type] = [
    CrowdAccount.self, CrowdWorker.self, CrowdTransfer.self,
  ]
  @Test(.takesLong) func `no write that returned is lost, and nobody sees half of one`()
    async throws
  {
    let test = try TestStore(Self.models)
    try test.open().write { store in
      for number in 0..<Self.accounts {
        try store.add(CrowdAccount(number: number, balance: 1_000))
      }
      for number in 0..<(Self.processes * Self.threads) {
        try store.add(CrowdWorker(number: number, writes: 0))
      }
    }
    let deadline = Date.now + (TestRun.isLong ? 60 : 2)
    let path = test.url.path
    let kills = try await withThrowingTaskGroup(of: Int.self) { group in
      for process in 0..<Self.processes {
        group.addTask { try await Self.runProcesses(process, path, until: deadline) }
      }
      return try await group.reduce(0, +)
    }
    let store = try test.open()
    let writes = store.objects(CrowdWorker.self).sum(of: \.writes)
    print("crowd: \(kills) kills, \(writes) writes")
    #expect(kills >= Self.processes && writes > 0)
    #expect(store.objects(CrowdAccount.self).sum(of: \.balance) == Self.sum)
    #expect(try store.integrityFindings().isEmpty)
  }

  /// Runs one process after the other, each of which is killed at some moment.
  private static func runProcesses(
    _ process: Int, _ path: String, until deadline: Date
  ) async throws -> Int {
    var random = WhimbrelTestSupport.SeededGenerator(seed: UInt64(process) + 1)
    var kills = 0
    repeat {
      let delay = UInt32.random(in: 100_000..<1_000_000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, process = process as Int, delay = delay as UInt32] in
        try await Self.work(process, path, killedAfter: delay)
      }
      kills += 1
      let store = try Store(configuration(path))
      for number in (process * threads)..<((process + 1) * threads) {
        let log = logPath(path, number)
        let returned =
          (try? FileManager.default.attributesOfItem(atPath: log))?[.size] as? Int ?? 0
        let worker = try #require(store.object(ofType: CrowdWorker.self, forPrimaryKey: number))
        let isRight = [returned, returned + 1].contains(worker.writes)
        #expect(isRight, "worker \(number), kill \(kills)")
        // The log has one byte for each write.
        let known = Data(count: worker.writes)
        #expect(FileManager.default.createFile(atPath: log, contents: known))
      }
      try store.close()
    } while Date.now < deadline
    return kills
  }

  private static func configuration(_ path: String) -> Store.Configuration {
    Store.Configuration(url: URL(filePath: path), models: models, schemaVersion: 0)
  }

  private static func logPath(_ path: String, _ worker: Int) -> String { "\(path).log-\(worker)" }

  /// Lets threads read and write until the process is killed.
  private static func work(
    _ process: Int, _ path: String, killedAfter delay: UInt32
  ) async throws {
    let (failures, continuation) = AsyncStream.makeStream(of: (any Error).self)
    for number in (process * threads)..<((process + 1) * threads) {
      Thread.detachNewThread {
        do { try work(as: number, path) } catch { continuation.yield(error) }
      }
    }
    Thread.detachNewThread {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }
    for await failure in failures { throw failure }
  }

  private struct WrongSum: Error { let sum: Int }

  private static func work(as number: Int, _ path: String) throws {
    let store = try Store(configuration(path))
    let log = unsafe open(logPath(path, number), O_WRONLY | O_APPEND | O_CREAT, 0o600)
    let worker = try #require(store.object(ofType: CrowdWorker.self, forPrimaryKey: number))
    var random = WhimbrelTestSupport.SeededGenerator(seed: UInt64(worker.writes * 64 + number))
    func account() throws -> CrowdAccount {
      let number = Int.random(in: 0..<accounts, using: &random)
      return try #require(store.object(ofType: CrowdAccount.self, forPrimaryKey: number))
    }
    while true {
      try store.refresh()
      let sum = store.objects(CrowdAccount.self).sum(of: \.balance)
      if sum != Self.sum { throw WrongSum(sum: sum) }
      try store.write {
        let (from, to) = (try account(), try account())
        let amount = Int.random(in: 1..<50, using: &random)
        from.balance -= amount
        to.balance += amount
        let note = String(repeating: "note ", count: worker.writes % 9 == 0 ? 1_500 : 2)
        let transfer = CrowdTransfer(
          text: "transfer \(worker.writes % 40)", note: note, from: from, to: to)
        worker.transfers.append(transfer)
        if worker.transfers.count > 20, let oldest = worker.transfers.first {
          try store.delete(oldest)
        }
        worker.writes += 1
      }
      var mark: UInt8 = 0
      _ = unsafe write(log, &mark, 1)
    }
  }
}
