/// The progress of a load.
final class LoadProgress {
  private let monitor: WorkMonitor
  private let cancellation: InspectionError
  var completed = 0
  private var total: Int?

  /// - Parameter cancellation: The error to throw when the load is cancelled.
  init(_ monitor: WorkMonitor, _ cancellation: InspectionError) {
    self.monitor = monitor
    self.cancellation = cancellation
  }

  /// Sets the total to the sum of the counts in the header, if all are known.
  func expect(_ header: DumpHeader) {
    let counts = header.objectIDs.map(\.objects)
    guard !counts.contains(nil) else { return }
    // A damaged or hostile header may contain any number.
    total = counts.compactMap(\.self).reduce(0) { sum, count in
      let (result, overflows) = sum.addingReportingOverflow(count)
      return overflows ? .max : result
    }
  }

  /// Reports the number of added objects.
  func update() throws {
    try monitor.update("Loading", completed, of: total, orThrow: cancellation)
  }

  /// Reports the number of lines scanned for keys.
  func update(lookedThrough lines: Int) throws {
    try monitor.update("Finding keys", lines, of: total, orThrow: cancellation)
  }

  /// Reports the progress of another step.
  func update(_ step: String, _ completed: Int, of total: Int) throws {
    try monitor.update(step, completed, of: total, orThrow: cancellation)
  }
}
