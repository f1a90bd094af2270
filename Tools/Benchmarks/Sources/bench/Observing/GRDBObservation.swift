import Foundation
import GRDB

/// Observes the same objects with GRDB's `ValueObservation`.
final class GRDBObservation {
  private let queue: DatabaseQueue
  private let count: Int
  private let repeats: Int
  private var random = SplitMix64(seed: 7)

  init(path: String, count: Int, repeats: Int) throws {
    queue = try DatabaseQueue.forBench(path: path)
    (self.count, self.repeats) = (count, repeats)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE resident (
            id INTEGER PRIMARY KEY, email TEXT NOT NULL, rank INTEGER NOT NULL,
            score DOUBLE NOT NULL
          );
          CREATE INDEX byRank ON resident (rank);
          """)
      var random = SplitMix64(seed: 1)
      let insertion = try database.makeStatement(sql: "INSERT INTO resident VALUES (?, ?, ?, ?)")
      for id in 0..<count {
        try insertion.execute(arguments: [
          id, Self.email(&random), Int(random.next() % 1_000_000_000), Double(id),
        ])
      }
    }
  }

  private static func email(_ random: inout SplitMix64) -> String {
    "resident.\(random.next() % 1_000_000_000)@example.org"
  }

  func run() throws -> [(String, Double)] {
    let all = "SELECT id FROM resident ORDER BY email"
    return [
      ("sorted by text, one moved", try measure(all, changes: 1)),
      ("sorted by text, 1,000 moved", try measure(all, changes: 1_000)),
      (
        "limit 100 by an index, one of them",
        try measure("SELECT id FROM resident ORDER BY rank LIMIT 100", changes: 1)
      ),
    ]
  }

  /// Returns the time from a commit to the callback, in milliseconds.
  private func measure(_ query: String, changes: Int) throws -> Double {
    let arrival = DispatchSemaphore(value: 0)
    let observation = ValueObservation.tracking { try Int.fetchAll($0, sql: query) }
    let cancellable = observation.start(
      in: queue, scheduling: .async(onQueue: .global()), onError: { _ in },
      onChange: { _ in arrival.signal() })
    arrival.wait()
    var times: [Double] = []
    for _ in 0..<repeats {
      let ids = (0..<changes).map { _ in Int(random.next() % UInt64(count)) }
      let emails = ids.map { _ in Self.email(&random) }
      // GRDB fetches while the write goes on: the time is that of the write with its callback, less
      // that of the write alone.
      let start = ContinuousClock.now
      try queue.write { database in
        for (id, email) in zip(ids, emails) {
          try database.execute(
            sql: "UPDATE resident SET email = ?, rank = rank + 1 WHERE id = ?",
            arguments: [email, id])
        }
      }
      arrival.wait()
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    cancellable.cancel()
    return times.median
  }
}
