import WhimbrelInspection

/// How far a long piece of work is, on the terminal.
enum Progress {
  /// What watches a verb's work: it draws a bar once that takes more than half a second, and stops
  /// it when the user wants to.
  static func monitor() -> WorkMonitor {
    Interruption.watch()
    return WorkMonitor(isCancelled: { Interruption.isRequested })
  }
}
