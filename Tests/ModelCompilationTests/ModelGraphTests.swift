import Foundation
import Testing
import WhimbrelTestSupport

/// Models compile whatever the order of their declarations and the files that they are in.
///
/// A model in another file, or further down in its own, was not seen to be a `CollectionElement`
/// or to have an optional that can be stored: the compiler was asked for that before it had
/// expanded the model, and found only the conformances that the macro spells.
@Suite(.serialized) struct ModelGraphTests {
  /// The seeds; more of them when there is time.
  private static let seeds: Range<UInt64> = TestRun.isLong ? 0..<100 : 0..<3

  @Test(.takesLong, arguments: seeds)
  func `random models compile in one file`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let graph = ModelGraph(&random)
    let mode: Compiler.Mode = seed.isMultiple(of: 3) ? .release : .debug
    try expectCompiles(graph.sources(fileCount: 1, &random), mode, "seed \(seed)")
  }

  @Test(.takesLong, arguments: seeds)
  func `random models compile in many files`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1_000)
    let graph = ModelGraph(&random)
    let fileCount = Int.random(in: 2...8, using: &random)
    let mode = Compiler.Mode.allCases[Int(seed % 3)]
    try expectCompiles(graph.sources(fileCount: fileCount, &random), mode, "seed \(seed)")
  }
}
