import Foundation
import Testing

@Suite struct RandomWalkTests {
  /// `WHIMBREL_SEED` repeats one seed, and shows the operations that led to its failure.
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["WHIMBREL_SEED"].flatMap(UInt64.init) { return [seed] }
    return Array(0..<(runsLong ? 1_000 : 200))
  }()
  private static let steps = runsLong ? 4_000 : 2_000

  @Test(arguments: seeds)
  func `a store holds what a dictionary would, whatever is done to it`(seed: UInt64) throws {
    let walk = try RandomWalk(seed: seed)
    try walk.run(steps: Self.steps)
    #expect(walk.commits > 0 && walk.rollbacks > 0 && walk.refusals > 0)
  }
}
