import ArgumentParser
import Foundation

enum ExitStatus: Int32 {
  /// The command succeeded, or the reader of its output closed the pipe and nobody asked for an
  /// answer.
  case success = 0
  /// A file could not be read or written; standard error says why. For a comparison or a check:
  /// there are differences or findings.
  case failure = 1
  /// The command could not compare or check; standard error says why.
  case trouble = 2
  /// The arguments do not fit a command: `EX_USAGE`.
  case wrongUsage = 64
  /// The user stopped the tool: 128 plus the number of SIGINT, as in shells.
  case interrupted = 130

  /// Ends the process with this code.
  func exit() -> Never { Foundation.exit(rawValue) }
}
