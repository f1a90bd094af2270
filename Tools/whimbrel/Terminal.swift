import Foundation
import WhimbrelInspection

/// The terminal of standard output, if there is one.
enum Terminal {
  /// Whether standard output is a terminal, and not a file or a pipe.
  static let isOutput = isatty(STDOUT_FILENO) == 1

  /// The width of text for people in columns: `COLUMNS`, else the width of the terminal, else 80.
  static var width: Int {
    if let text = environment("COLUMNS"), let columns = Int(text), columns > 0 { return columns }
    return columns(STDOUT_FILENO)
  }

  /// Returns the number of columns of the terminal of a file descriptor, or 80.
  static func columns(_ descriptor: Int32) -> Int {
    var size = winsize()
    // Safe: the call fills the structure, and fails where there is no terminal.
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// The styling of text for people. A terminal that supports colours gets them unless `NO_COLOR`
  /// is set; `CLICOLOR_FORCE` turns them on everywhere.
  static var styling: TextStyling {
    if environment("NO_COLOR") != nil { return .plain }
    if let force = environment("CLICOLOR_FORCE"), force != "0" { return .coloured }
    let isDumb = [nil, "dumb"].contains(environment("TERM"))
    return isOutput && !isDumb ? .coloured : .plain
  }

  /// Returns an environment variable, or nil when it is unset or empty.
  static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
