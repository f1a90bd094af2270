import Foundation
import Synchronization
import Whimbrel

/// A line on standard error that tells how far a migration is.
///
/// On a terminal the line is rewritten in place; anywhere else only the end is
/// told.
final class ProgressLine: Sendable {
  /// What is told at the end.
  private struct State {
    var counts: [String: Int] = [:]
    var isShown = false
  }

  private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Shows a state: `Migrating: rewriting 'Zone' 312 of 312`.
  func show(_ progress: MigrationProgress) {
    // What another process does is not told as ours.
    guard progress.phase != .waiting else { return }
    var text = "Migrating: \(progress.phase.rawValue)"
    if let name = progress.className {
      text += " '\(name)' \(progress.completed) of \(progress.total)"
    }
    state.withLock { state in
      state.isShown = true
      if let name = progress.className, progress.phase == .rewriting {
        state.counts[name] = progress.completed
      }
    }
    if isTerminal { write("\r\u{1B}[K\(text)") }
  }

  /// Replaces the line by what was done, if there was a migration.
  func finish() {
    let state = state.withLock { $0 }
    guard state.isShown else { return }
    let counts = state.counts.sorted { $0.key < $1.key }.map { "\($0.value) '\($0.key)'" }
    let what = counts.isEmpty ? "the catalog" : counts.joined(separator: ", ")
    let time = start.duration(to: .now).formatted(.units(allowed: [.seconds, .milliseconds]))
    write("\(isTerminal ? "\r\u{1B}[K" : "")Migrated \(what) in \(time).\n")
  }

  /// Writes to standard error as it is.
  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
