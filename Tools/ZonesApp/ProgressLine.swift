import Foundation
import Synchronization
import Whimbrel

/// A line on standard error that tells how far a migration is.
///
/// On a terminal the line is rewritten in place; anywhere else only the last
/// state is written, when it is finished.
final class ProgressLine: Sendable {
  private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1
  private let last = Mutex<String?>(nil)

  /// Shows a state: `Migrating: rewriting 'Zone' 312 of 312`.
  func show(_ progress: MigrationProgress) {
    var text = "Migrating: \(progress.phase.rawValue)"
    if let name = progress.className {
      text += " '\(name)' \(progress.completed) of \(progress.total)"
    }
    last.withLock { $0 = text }
    if isTerminal { write("\r\u{1B}[K\(text)") }
  }

  /// Ends the line, if there is one.
  func finish() {
    guard let text = last.withLock({ $0 }) else { return }
    write(isTerminal ? "\n" : "\(text)\n")
  }

  /// Writes to standard error as it is.
  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
