import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Random changes of two stores, with observers that must be able to follow them.
@Suite struct RandomObservationTests {
  static let seeds: ClosedRange<UInt64> =
    TestRun.isLong ? 1...300 : 1...6

  @Test(.takesLong, arguments: seeds)
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
      try changes.change(store, or: other)
      for mirror in mirrors { mirror.check(note) }
    }
    #expect(mirrors.allSatisfy { $0.initialCount == 1 })
    #expect(mirrors.filter { $0.updateCount > 0 }.count > 20)
  }
}
