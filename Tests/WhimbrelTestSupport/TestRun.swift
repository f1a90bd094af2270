private import Foundation
public import Testing

/// What the environment asks of a run of the tests.
public enum TestRun {
  /// Whether proofs take as long as they need: `WHIMBREL_LONG=1` tries more seeds, kills more
  /// processes and fills larger stores.
  public static let isLong = number("WHIMBREL_LONG") == 1

  /// Whether the run is for somebody who has just saved a file: `WHIMBREL_BRIEF=1` tries few seeds,
  /// and leaves out the tests that take long. The other variables take precedence.
  public static let isBrief =
    number("WHIMBREL_BRIEF") == 1 && !isLong && !isRecording && seed == nil

  /// Whether texts are recorded anew rather than compared: `WHIMBREL_RECORD=1`.
  public static let isRecording = number("WHIMBREL_RECORD") == 1

  /// The seed of a failure to repeat, from `WHIMBREL_SEED`. Nil in an ordinary run.
  public static let seed = number("WHIMBREL_SEED").map { UInt64($0) }

  /// Returns the number in a variable of the environment, or nil if it has none.
  public static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// Returns how many seeds or rounds a test takes: an eighth of the ordinary number in a brief run,
  /// and at least one.
  public static func count<Number: BinaryInteger>(_ ordinary: Number, long: Number) -> Number {
    isLong ? long : isBrief ? max(1, ordinary / 8) : ordinary
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test that takes more than a second out of brief runs.
  public static var takesLong: Self {
    .disabled(if: TestRun.isBrief, "It takes long. A run without WHIMBREL_BRIEF has it.")
  }
}
