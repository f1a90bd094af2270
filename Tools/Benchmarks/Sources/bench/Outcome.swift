import Foundation

/// How long a workload took, and what it found out.
struct Outcome {
  private(set) var duration: Duration
  /// The time of all cores together.
  private(set) var processorTime: Duration
  /// What every engine must find out the same.
  let answer: Double
  /// How many bytes have gone through, where that is what counts.
  var bytes: Int?

  /// Measures work that returns its answer.
  static func measure(_ work: () throws -> Double) rethrows -> Outcome {
    let (start, processorStart) = (ContinuousClock.now, currentProcessorTime)
    let answer = try work()
    let (end, processorEnd) = (ContinuousClock.now, currentProcessorTime)
    return Outcome(
      duration: end - start, processorTime: processorEnd - processorStart, answer: answer,
      bytes: nil)
  }

  /// The same, and how many bytes went through.
  func moving(bytes: Int) -> Outcome {
    var outcome = self
    outcome.bytes = bytes
    return outcome
  }

  /// The same without what other work took.
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
