/// A reporter of the progress of a migration, which asks whether to go on.
struct ProgressReporter {
  private let task: MigrationTask
  private var timer = ReportTimer()
  /// The number of bytes that the migration has written.
  var bytesWritten = 0
  /// The number of bytes that it will write, as the plan estimates.
  private let bytesExpected: Int
  /// Whether progress is reported at all.
  let isWanted: Bool

  init(_ task: MigrationTask, expecting bytesExpected: Int) {
    self.task = task
    self.bytesExpected = bytesExpected
    isWanted = task.request.migration.progress != nil
  }

  /// Reports at most every 50 ms, and throws if the answer is to cancel.
  mutating func report(
    _ phase: MigrationProgress.Phase, _ className: String?, _ completed: Int, of total: Int,
    isForced: Bool = false
  ) throws {
    guard let progress = task.request.migration.progress else { return }
    let isForced = isForced || task.request.migration.probe?.reportsEachObject == true
    guard timer.isDue(isForced: isForced) else { return }
    let response = progress(
      MigrationProgress(
        phase: phase, className: className, completed: completed, total: total,
        bytes: bytesWritten, totalBytes: max(bytesWritten, bytesExpected)))
    guard response == .continue || phase == .finishing else {
      throw StoreError.migrationCancelled(
        path: task.file.path, from: task.oldVersion, to: task.newVersion)
    }
  }
}

/// A timer that limits reports of progress to one every 50 ms.
///
/// It is asked after each object, which may be a million times a second. While objects are fast, it
/// reads the clock only about once a millisecond.
struct ReportTimer {
  private var lastReport: ContinuousClock.Instant?
  private var lastLook: ContinuousClock.Instant?
  /// The number of calls from one reading of the clock to the next.
  private var interval = 1
  private var untilLook = 1

  static let pause = Duration.milliseconds(50)
  /// The limit on the calls without a reading of the clock.
  static let maximumInterval = 256

  /// - Parameters:
  ///   - isForced: Whether to report whatever the time.
  ///   - clock: Gives the time.
  mutating func isDue(
    isForced: Bool, _ clock: () -> ContinuousClock.Instant = { .now }
  ) -> Bool {
    untilLook -= 1
    if untilLook > 0, !isForced { return false }
    let now = clock()
    let isEarly = lastLook.map { now - $0 < .milliseconds(1) } ?? false
    interval = isEarly ? min(interval * 2, Self.maximumInterval) : 1
    (untilLook, lastLook) = (interval, now)
    if let lastReport, !isForced, now - lastReport < Self.pause { return false }
    lastReport = now
    return true
  }
}
