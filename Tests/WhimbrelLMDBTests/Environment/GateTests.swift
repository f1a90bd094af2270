import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

@Suite struct GateTests {
  private final class Counts: Sendable {
    let inside = Atomic<Int>(0)
    let alone = Atomic<Int>(0)
  }

  @Test func `who is inside shared may enter again while another waits to be alone`() async throws {
    let gate = Gate()
    gate.enter()
    async let alone: Bool = onThread {
      try gate.exclusively(patience: .seconds(3600)) { () throws(LMDBError) in true } ?? false
    }
    try await Task.sleep(for: .milliseconds(20))
    gate.enter()
    gate.leave()
    gate.leave()
    #expect(try await alone)
  }

  @Test func `being alone is given up after the patience`() throws {
    let gate = Gate()
    gate.enter()
    let begin = ContinuousClock.now
    let result = try gate.exclusively(patience: .milliseconds(50)) { () throws(LMDBError) in 1 }
    #expect(result == nil)
    #expect(ContinuousClock.now - begin >= .milliseconds(50))
    gate.leave()
    let after = try gate.exclusively(patience: .zero) { () throws(LMDBError) in 1 }
    #expect(after == 1)
  }

  // Each new entry waited for 20 ms. Between transactions of two threads that took longer there was
  // never a gap, and a write that needed a larger map failed after half a minute.
  @Test(.takesLong) func `transactions that overlap all the time leave a gap`() async throws {
    let gate = Gate()
    let counts = Counts()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try await onThread {
            usleep(UInt32(thread) * 35_000)
            while counts.alone.load(ordering: .relaxed) == 0 {
              gate.enter()
              usleep(140_000)
              gate.leave()
            }
          }
        }
      }
      try await Task.sleep(for: .milliseconds(100))
      let alone = try await onThread {
        defer { counts.alone.store(1, ordering: .relaxed) }
        return try gate.exclusively(patience: .seconds(10)) { () throws(LMDBError) in true }
      }
      #expect(alone == true)
      try await group.waitForAll()
    }
  }

  @Test func `an error inside opens the gate again`() throws {
    let gate = Gate()
    #expect(throws: LMDBError.self) {
      _ = try gate.exclusively(patience: .zero) { () throws(LMDBError) in
        throw LMDBError(code: .noMemory, function: "test")
      }
    }
    gate.enter()
    gate.leave()
  }

  @Test func `nobody is inside while somebody is alone`() async throws {
    let gate = Gate()
    let counts = Counts()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<300 {
            gate.enter()
            counts.inside.add(1, ordering: .sequentiallyConsistent)
            #expect(counts.alone.load(ordering: .sequentiallyConsistent) == 0)
            counts.inside.subtract(1, ordering: .sequentiallyConsistent)
            gate.leave()
            await Task.yield()
          }
        }
      }
      group.addTask {
        for _ in 0..<50 {
          _ = try gate.exclusively(patience: .seconds(10)) { () throws(LMDBError) in
            counts.alone.store(1, ordering: .sequentiallyConsistent)
            #expect(counts.inside.load(ordering: .sequentiallyConsistent) == 0)
            counts.alone.store(0, ordering: .sequentiallyConsistent)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
