import ArgumentParser
import Foundation

/// What the tool tells its caller by its exit code.
enum ExitStatus: Int32 {
  /// Everything was done, or nobody wants to read more of it.
  case success = 0
  /// The file could not be read or made; standard error says why. Of a comparison or a check:
  /// there are differences, or findings.
  case failure = 1
  /// Two things could not be compared, or one not be checked; standard error says why.
  case trouble = 2
  /// The arguments are not those of a verb: `EX_USAGE`.
  case wrongUsage = 64
  /// The user stopped it: 128 and the number of SIGINT, as shells have it.
  case interrupted = 130

  /// Ends the process.
  func exit() -> Never { Foundation.exit(rawValue) }
}
