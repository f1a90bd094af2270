/// How far a load is.
final class LoadProgress {
  private let monitor: WorkMonitor
  private let cancellation: InspectionError
  /// How many objects have been added.
  var completed = 0
  private var total: Int?

  /// - Parameter cancellation: what is thrown when the load is to stop.
  init(_ monitor: WorkMonitor, _ cancellation: InspectionError) {
    self.monitor = monitor
    self.cancellation = cancellation
  }

  /// Takes note of how many objects there are to be.
  func expect(_ header: DumpHeader) {
    let counts = header.objectIDs.map(\.objects)
    guard !counts.contains(nil) else { return }
    // The first line may say anything.
    total = counts.compactMap(\.self).reduce(0) { sum, count in
      let (result, overflows) = sum.addingReportingOverflow(count)
      return overflows ? .max : result
    }
  }

  /// Says how many objects have been added.
  func update() throws {
    try monitor.update("Loading", completed, of: total, orThrow: cancellation)
  }

  /// Says how many lines have been looked through for keys.
  func update(lookedThrough lines: Int) throws {
    try monitor.update("Looking for keys", lines, of: total, orThrow: cancellation)
  }

  /// Says how far another step is.
  func update(_ step: String, _ completed: Int, of total: Int) throws {
    try monitor.update(step, completed, of: total, orThrow: cancellation)
  }
}
