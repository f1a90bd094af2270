import Foundation
import Synchronization
import Whimbrel

/// A line on standard error with the progress of a migration.
///
/// On a terminal the line is rewritten in place. Elsewhere only the summary at
/// the end is written.
final class ProgressLine: Sendable {
  /// The facts for the summary.
  private struct State {
    var counts: [String: Int] = [:]
    var isShown = false
  }

  private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Shows progress: `Migrating: rewriting 'Zone' 312 of 312`.
  func show(_ progress: MigrationProgress) {
    // Waiting for another process is not progress of this one.
    guard progress.phase != .waiting else { return }
    var text = "Migrating: \(progress.phase.rawValue)"
    if let name = progress.className {
      text += " '\(name)' \(progress.completed) of \(progress.total)"
    }
    state.withLock { state in
      state.isShown = true
      if let name = progress.className, progress.phase == .rewriting {
        // Not what was completed: the last of the reports, of which some are left out, is of before.
        state.counts[name] = progress.total
      }
    }
    if isTerminal { write("\r\u{1B}[K\(text)") }
  }

  /// Replaces the line by a summary, if there was a migration.
  func finish() {
    let state = state.withLock { $0 }
    guard state.isShown else { return }
    let counts = state.counts.sorted { $0.key < $1.key }.map { "\($0.value) '\($0.key)'" }
    let what = counts.isEmpty ? "the catalog" : counts.joined(separator: ", ")
    let time = start.duration(to: .now).formatted(.units(allowed: [.seconds, .milliseconds]))
    write("\(isTerminal ? "\r\u{1B}[K" : "")Migrated \(what) in \(time).\n")
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
