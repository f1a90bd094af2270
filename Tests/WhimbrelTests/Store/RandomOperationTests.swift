import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct RandomOperationTests {
  private static let seeds: Range<UInt64> = runsLong ? 0..<500 : 0..<20
  private static let steps = runsLong ? 2_000 : 500

  @Test(arguments: seeds)
  func `a store holds what a dictionary would, whatever is done to it`(seed: UInt64) throws {
    var walk = try RandomStoreWalk(seed: seed)
    try walk.run(steps: Self.steps)
    #expect(walk.commits > 0 && walk.rollbacks > 0 && walk.refusals > 0)
    try walk.test.expectWhole()
  }
}
