/// An observer of long work. It receives the progress and can cancel the work.
///
/// ```swift
/// let monitor = WorkMonitor(isCancelled: { Task.isCancelled }) { progress in
///   print(progress.step, progress.completed, progress.total ?? 0)
/// }
/// ```
public struct WorkMonitor {
  /// Returns whether to cancel the work. ``update(_:_:of:_:orThrow:)`` then throws.
  package let isCancelled: () -> Bool
  private let report: (WorkProgress) -> Void
  private(set) var onWait: @Sendable (WriterWait) -> Void = { _ in }

  /// A monitor that ignores progress and never cancels.
  public static var silent: WorkMonitor { WorkMonitor() }

  /// Creates a monitor.
  ///
  /// - Parameters:
  ///   - isCancelled: Returns whether to cancel the work. It is called regularly.
  ///   - report: Receives the progress, some hundred to thousand times a second.
  public init(
    isCancelled: @escaping () -> Bool = { false },
    _ report: @escaping (WorkProgress) -> Void = { _ in }
  ) {
    self.isCancelled = isCancelled
    self.report = report
  }

  /// Returns the same monitor with reports of waiting.
  ///
  /// - Parameter report: Is called on another thread when the work has waited half a second for
  ///   another writer, and again when it continues. It is not called for shorter waits.
  public func reportingWaits(
    _ report: @escaping @Sendable (WriterWait) -> Void
  ) -> WorkMonitor {
    var monitor = self
    monitor.onWait = report
    return monitor
  }

  /// Reports the progress. Long work calls this about every thousand objects and at the end of each
  /// step.
  ///
  /// - Throws: The result of `cancellation`, if the work is cancelled.
  package func update(
    _ step: String, _ completed: Int, of total: Int?, _ unit: WorkProgress.Unit = .objects,
    orThrow cancellation: @autoclosure () -> InspectionError
  ) throws {
    if isCancelled() { throw cancellation() }
    report(WorkProgress(step: step, completed: completed, total: total, unit: unit))
  }
}

/// The progress of long work.
public struct WorkProgress: Hashable, Sendable {
  /// The current step in a few words: "Copying Zone".
  public let step: String
  /// The number of completed objects, bytes or pages in this step.
  public let completed: Int
  /// The number of all objects, bytes or pages in this step, or nil if it is not known.
  public let total: Int?
  /// The unit of the numbers.
  public let unit: Unit

  /// A unit of progress.
  public enum Unit: String, Hashable, Sendable {
    case objects, bytes, pages
  }
}
