private import Foundation

/// What the environment asks of a run of the tests.
public enum TestRun {
  /// Whether proofs take as long as they need: `WHIMBREL_LONG=1` tries more seeds, kills more
  /// processes and fills larger stores.
  public static let isLong = number("WHIMBREL_LONG") == 1

  /// Whether texts are recorded anew rather than compared: `WHIMBREL_RECORD=1`.
  public static let isRecording = number("WHIMBREL_RECORD") == 1

  /// The seed of a failure to repeat, from `WHIMBREL_SEED`. Nil in an ordinary run.
  public static let seed = number("WHIMBREL_SEED").map { UInt64($0) }

  /// Returns the number in a variable of the environment, or nil if it has none.
  public static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}
