/// Reports the progress of a migration, and finds out whether to go on.
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
