/// A reporter of the progress of a migration, which asks whether to go on.
struct ProgressReporter {
  private let task: MigrationTask
  private var timer = ReportTimer()
  /// How many bytes the migration has written.
  var bytesWritten = 0
  /// How many it will write, as the plan estimates.
  private let bytesExpected: Int
  /// Whether anybody listens.
  let isWanted: Bool

  init(_ task: MigrationTask, expecting bytesExpected: Int) {
    self.task = task
    self.bytesExpected = bytesExpected
    isWanted = task.request.progress != nil
  }

  /// Reports at most every 50 ms, and throws when the answer is to stop.
  mutating func report(
    _ phase: MigrationProgress.Phase, _ className: String?, _ completed: Int, of total: Int,
    isForced: Bool = false
  ) throws {
    guard let progress = task.request.progress else { return }
    let isForced = isForced || task.request.probe?.reportsEachObject == true
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
/// It is asked between objects, of which there may be a million a second: as long as they
/// are quick it looks at the clock about every millisecond only.
struct ReportTimer {
  private var lastReport: ContinuousClock.Instant?
  private var lastLook: ContinuousClock.Instant?
  /// How often it is asked from one look at the clock to the next.
  private var interval = 1
  private var untilLook = 1

  static let pause = Duration.milliseconds(50)
  /// The most objects without a look.
  static let maximumInterval = 256

  /// - Parameters:
  ///   - isForced: whether to report whatever the time.
  ///   - clock: gives the time.
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
