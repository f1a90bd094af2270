import Foundation
import Synchronization
import WhimbrelInspection

/// The progress bar of a long operation.
///
/// The bar is drawn on standard error if that is a terminal that can return to the start of a line.
/// It appears after half a second and is drawn at most ten times a second.
enum Progress {
  private static let line = Mutex<ProgressLine?>(nil)

  /// Returns the monitor for a command's work. It draws the bar, and cancels the work when the user
  /// asks to stop.
  static func monitor() -> WorkMonitor {
    Interruption.watch()
    guard isTerminal else {
      return WorkMonitor(isCancelled: { Interruption.isRequested }).reportingWaits(say)
    }
    let start = ContinuousClock.now
    line.withLock { $0 = ProgressLine() }
    let monitor = WorkMonitor(isCancelled: { Interruption.isRequested }) { progress in
      line.withLock { line in
        let text = line?.update(
          progress, after: ContinuousClock.now - start, width: Terminal.columns(STDERR_FILENO))
        if let text { write(text) }
      }
    }
    return monitor.reportingWaits(say)
  }

  /// Says on standard error, terminal or not, that the tool waits for another writer.
  private static func say(_ wait: WriterWait) {
    switch wait {
    case .begun(let path):
      wipe()
      write("Waiting for another program that is writing \(PlainText.quoted(path)) …\n")
      // Nothing has been done yet, and the wait itself cannot be cancelled, so a signal may end the
      // process.
      Interruption.endsProcess()
    case .over: Interruption.watch()
    }
  }

  /// Removes the bar until there is more progress. Call this before writing to the terminal.
  static func wipe() {
    line.withLock { line in
      if let text = line?.wipe() { write(text) }
    }
  }

  private static func write(_ text: String) {
    // The work goes on even if the terminal is gone.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  private static var isTerminal: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }
}
