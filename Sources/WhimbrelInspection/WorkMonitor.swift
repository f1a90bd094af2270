/// What watches a long piece of work: it is told how far the work is, and asked whether to go
/// on.
///
/// ```swift
/// let monitor = WorkMonitor(isCancelled: { Task.isCancelled }) { progress in
///   print(progress.step, progress.completed, progress.total ?? 0)
/// }
/// ```
public struct WorkMonitor {
  /// Is asked whether to stop; what stops then calls ``update(_:_:of:_:orThrow:)``, which throws.
  package let isCancelled: () -> Bool
  private let report: (WorkProgress) -> Void
  private(set) var onWait: @Sendable (WriterWait) -> Void = { _ in }

  /// Watches nothing.
  public static var silent: WorkMonitor { WorkMonitor() }

  /// - Parameters:
  ///   - isCancelled: is asked now and then whether to stop.
  ///   - report: is told how far the work is, some hundred to thousand times a second.
  public init(
    isCancelled: @escaping () -> Bool = { false },
    _ report: @escaping (WorkProgress) -> Void = { _ in }
  ) {
    self.isCancelled = isCancelled
    self.report = report
  }

  /// The same monitor, which also tells of waiting.
  ///
  /// - Parameter report: is told, on another thread, that the work has to wait for somebody else who
  ///   writes the store, and then that it goes on; nothing where it goes on within half a second.
  public func reportingWaits(
    _ report: @escaping @Sendable (WriterWait) -> Void
  ) -> WorkMonitor {
    var monitor = self
    monitor.onWait = report
    return monitor
  }

  /// Says how far the work is. What works calls it every thousand objects or so, and at the
  /// end of each step.
  ///
  /// - Throws: what `cancellation` makes, when the work is to stop.
  package func update(
    _ step: String, _ completed: Int, of total: Int?, _ unit: WorkProgress.Unit = .objects,
    orThrow cancellation: @autoclosure () -> InspectionError
  ) throws {
    if isCancelled() { throw cancellation() }
    report(WorkProgress(step: step, completed: completed, total: total, unit: unit))
  }
}

/// How far a long piece of work is.
public struct WorkProgress: Hashable, Sendable {
  /// What is being done, in a few words: "Copying Zone".
  public let step: String
  /// How many objects, bytes or pages of this step are done.
  public let completed: Int
  /// How many there are in this step, or nil when nobody knows.
  public let total: Int?
  /// What is counted.
  public let unit: Unit

  /// What progress is counted in.
  public enum Unit: String, Hashable, Sendable {
    case objects, bytes, pages
  }
}
