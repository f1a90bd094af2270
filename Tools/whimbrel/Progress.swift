import Foundation
import Synchronization
import WhimbrelInspection

/// How far a long piece of work is, on the terminal.
///
/// A bar is drawn on standard error where that is a terminal which can go back to the start of
/// a line, once the work has taken half a second, and ten times a second at most.
enum Progress {
  private static let line = Mutex<ProgressLine?>(nil)

  /// What watches a verb's work: it draws a bar once that takes more than half a second, and stops
  /// it when the user wants to.
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
          progress, after: ContinuousClock.now - start, width: terminalWidth())
        if let text { write(text) }
      }
    }
    return monitor.reportingWaits(say)
  }

  /// Says on standard error, be it a terminal or not, that another program writes the store.
  private static func say(_ wait: WriterWait) {
    switch wait {
    case .begun(let path):
      wipe()
      write("Waiting for another program that is writing \(PlainText.quoted(path)) …\n")
      // Nothing has been done yet, and the wait itself cannot be cancelled.
      Interruption.endsProcess()
    case .over: Interruption.watch()
    }
  }

  /// Wipes the bar, if there is one, until there is more progress: whoever writes to the
  /// terminal calls this before.
  static func wipe() {
    line.withLock { line in
      if let text = line?.wipe() { write(text) }
    }
  }

  private static func write(_ text: String) {
    // A terminal that has gone away is no reason to stop the work.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  private static var isTerminal: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  private static func terminalWidth() -> Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
}
