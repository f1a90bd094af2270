import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Random changes of two stores, with observers that must be able to follow them.
@Suite struct RandomObservationTests {
  static let seeds: ClosedRange<UInt64> =
    runsLong ? 1...300 : 1...6

  @Test(arguments: seeds)
  func `each change that is told leads from the objects before to those after`(
    seed: UInt64
  ) throws {
    let observed = try HarborStore()
    let other = try observed.place.open()
    var changes = HarborChanges(seed: seed)
    let mirrors = observed.mirrors()
    let store = observed.store
    for round in 0..<60 {
      let note = "seed \(seed), round \(round)"
      if changes.random.happens(percent: 45) {
        // The commits of another store, told together.
        for _ in 0..<changes.random.number(1..<3) {
          try other.write { try changes.change(other) }
        }
        try store.refresh()
      } else if changes.random.happens(percent: 10) {
        do {
          try store.write {
            try changes.change(store)
            throw RollBack()
          }
        } catch is RollBack {}
      } else {
        try store.write { try changes.change(store) }
      }
      for mirror in mirrors { mirror.check(note) }
    }
    #expect(mirrors.allSatisfy { $0.initialCount == 1 })
    #expect(mirrors.filter { $0.updateCount > 0 }.count > 20)
  }
}
