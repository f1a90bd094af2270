import Foundation
import Testing
import WhimbrelTestSupport

/// The walks of both suites below.
///
/// Each suite goes through its seeds one after the other: walks that all wait for a
/// thread keep every other test that waits for something from going on.
private enum Walks {
  /// `WHIMBREL_SEED` repeats one seed, and shows the operations that led to its failure.
  static let seeds: [UInt64] = {
    if let seed = TestRun.seed { return [seed] }
    return Array(0..<TestRun.count(4, long: 1_000))
  }()

  static func run(_ seed: UInt64) throws {
    let walk = try RandomWalk(seed: seed)
    try walk.run(steps: TestRun.isLong ? 4_000 : 2_000)
    #expect(walk.commits > 0 && walk.rollbacks > 0 && walk.refusals > 0)
  }
}

@Suite(.serialized) struct RandomWalkTests {
  @Test(.takesLong, arguments: Walks.seeds.filter { $0 % 2 == 0 })
  func `a store holds what a dictionary would, whatever is done to it`(seed: UInt64) throws {
    try Walks.run(seed)
  }
}

@Suite(.serialized) struct OddRandomWalkTests {
  @Test(arguments: Walks.seeds.filter { $0 % 2 == 1 })
  func `a store holds what a dictionary would, whatever is done to it`(seed: UInt64) throws {
    try Walks.run(seed)
  }
}
