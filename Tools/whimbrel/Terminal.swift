import Foundation
import WhimbrelInspection

/// What is known of where standard output goes.
enum Terminal {
  /// Whether somebody looks at it, and no file or pipe takes it.
  static let isOutput = isatty(STDOUT_FILENO) == 1

  /// How many columns text for people may have: what `COLUMNS` says, else the width of the
  /// terminal, else 80.
  static var width: Int {
    if let text = environment("COLUMNS"), let columns = Int(text), columns > 0 { return columns }
    var size = winsize()
    // Safe: the call fills the structure, and fails where there is no terminal.
    let result = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
    return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether text for people has colours: on a terminal that knows them, unless `NO_COLOR`
  /// forbids it; `CLICOLOR_FORCE` asks for them everywhere.
  static var styling: TextStyling {
    if environment("NO_COLOR") != nil { return .plain }
    if let force = environment("CLICOLOR_FORCE"), force != "0" { return .coloured }
    let isDumb = [nil, "dumb"].contains(environment("TERM"))
    return isOutput && !isDumb ? .coloured : .plain
  }

  /// A variable of the environment that is set and not empty.
  static func environment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
