import Foundation

/// The duration and the answer of a workload.
struct Outcome {
  private(set) var duration: Duration
  /// The processor time of all cores.
  private(set) var processorTime: Duration
  /// The answer, which must be the same for all engines.
  let answer: Double
  /// The number of bytes moved, for workloads that move bytes.
  var bytes: Int?

  /// Measures work, which returns its answer.
  static func measure(_ work: () throws -> Double) rethrows -> Outcome {
    let (start, processorStart) = (ContinuousClock.now, currentProcessorTime)
    let answer = try work()
    let (end, processorEnd) = (ContinuousClock.now, currentProcessorTime)
    return Outcome(
      duration: end - start, processorTime: processorEnd - processorStart, answer: answer,
      bytes: nil)
  }

  /// Returns the outcome with a number of moved bytes.
  func moving(bytes: Int) -> Outcome {
    var outcome = self
    outcome.bytes = bytes
    return outcome
  }

  /// Returns the outcome without the time of other work.
  func subtracting(_ other: Outcome) -> Outcome {
    var outcome = self
    outcome.duration = max(.zero, duration - other.duration)
    outcome.processorTime = max(.zero, processorTime - other.processorTime)
    return outcome
  }

  private static var currentProcessorTime: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
