import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// What is left of a writer that is killed at any moment: 1,000 times in a long run.
///
/// Each child moves amounts between accounts, one write after the other, and says in another file
/// when a write has returned. The next child goes on with the same store.
@Suite(.serialized) struct KilledWriterTests {
  private static let accounts = 20
  private static let balance = 1_000
  /// How many transfers are kept: those before are removed.
  private static let kept = 300
  private static let classes = [
    ClassSchema("Account", .key("number"), .required("balance", .int)),
    ClassSchema(
      "Transfer", .key("number"), .indexed("text", .string), .link("from", to: "Account")),
  ]

  @Test func `every write that returned is there, and the last one is there or not`() async throws {
    let store = try TestStore(Self.classes) { session in
      for number in 0..<Self.accounts {
        try session.create(
          "Account", ["number": .int(Int64(number)), "balance": .int(Int64(Self.balance))])
      }
    }
    let log = store.path + ".log"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    var random = SeededGenerator(seed: 1)
    var acknowledged = 0
    for kill in 0..<TestRun.count(15, long: 1_000) {
      let delay = UInt32.random(in: 0..<30_000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = store.path as String, log = log as String, delay = delay as UInt32,
          first = acknowledged as Int
        ] in
        try Self.writeUntilKilled(path, log, after: delay, from: first)
      }
      acknowledged = try #require(
        FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
      let numbers = try store.contents().values("Transfer", "number")
      let isLastThere = numbers.last == .int(Int64(acknowledged))
      if isLastThere { acknowledged += 1 }
      let expected = max(0, acknowledged - Self.kept)..<acknowledged
      #expect(numbers == expected.map { .int(Int64($0)) }, "kill \(kill)")
      // The file has one byte for each write.
      let handle = try #require(FileHandle(forWritingAtPath: log))
      try handle.truncate(atOffset: UInt64(acknowledged))
      try handle.close()
      #expect(try Self.problems(store) == [], "kill \(kill)")
    }
    print("killed writers: \(acknowledged) writes")
    #expect(acknowledged > 0)
  }

  private static func writeUntilKilled(
    _ path: String, _ log: String, after delay: UInt32, from first: Int
  ) throws {
    let session = try Session(StoreFile.open(TestStore.request(path, classes, version: 1)))
    let (accounts, transfers) = (try session.table("Account"), try session.table("Transfer"))
    let descriptor = unsafe open(log, O_WRONLY | O_APPEND)
    func startTimer() {
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
    }
    // On a busy machine, the first child could be killed before it has written anything.
    if first > 0 { startTimer() }
    var random = SeededGenerator(seed: UInt64(first))
    let position = try #require(accounts.resolved.properties.firstIndex { $0.name == "balance" })
    var number = first
    while true {
      let amount = Int64.random(in: 1..<50, using: &random)
      let places = Array(0..<Self.accounts).shuffled(using: &random).prefix(2)
      try session.write {
        for (place, difference) in zip(places, [-amount, amount]) {
          let id = try #require(try accounts.find(.int(Int64(place))))
          let record = try #require(try accounts.record(id))
          guard case .int(let balance) = try accounts.value(position, of: record, id) else {
            continue
          }
          try accounts.update(id) { try $0.set(position, .int(balance + difference)) }
        }
        try session.create(
          "Transfer",
          [
            "number": .int(Int64(number)), "text": .string("transfer \(number % 40)"),
            "from": try accounts.find(.int(Int64(places[0]))).map { .link($0) } ?? .null,
          ])
        if let old = try transfers.find(.int(Int64(number - Self.kept))) {
          try transfers.remove(old)
        }
        // Some write more than others, so that they take longer.
        if number % 7 == 0, number > 40, let old = try transfers.find(.int(Int64(number - 40))) {
          try transfers.update(old) {
            try $0.set(1, .string(String(repeating: "long ", count: 2_000)))
          }
        }
      }
      var mark: UInt8 = 1
      _ = unsafe write(descriptor, &mark, 1)
      if number == 0 { startTimer() }
      number += 1
    }
  }

  /// What is not as it must be after every write.
  private static func problems(_ store: TestStore) throws -> [String] {
    var problems = try store.findings()
    let sum = try store.contents().values("Account", "balance").reduce(Int64(0)) { sum, value in
      if case .int(let balance) = value { sum + balance } else { sum }
    }
    if sum != Int64(accounts * balance) { problems.append("the sum is \(sum)") }
    return problems
  }
}
