import Foundation

/// Where the list is shown. A terminal shows the first rows and the last changes, and draws both anew
/// after each change. A pipe or a file gets a line for each change.
final class Screen {
  private static let rowCount = 10
  private static let lineCount = 8

  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private var lines: [String] = []
  /// The number of lines that are drawn anew with the next change.
  private var drawnCount = 0

  /// Says which file is shown, and how to change it from another terminal.
  func introduce(_ file: ShownFile) {
    write(
      """
      \(file.path)
      Change it from another terminal, in the folder of this repository. Ctrl-C ends the list.

        swift run whimbrel set '\(file.path)' Zone Europe/Paris 'comments=the capital' --write
        swift run whimbrel set '\(file.path)' Zone Europe/Paris latitude=80 --write
        swift run whimbrel rm '\(file.path)' Zone Europe/Paris --write


      """)
  }

  /// Shows the list, and lines about what has changed.
  func show(_ list: ZoneList, _ changes: [String]) {
    let time = Date.now.formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
        timeZone: .current, calendar: .current))
    let new = changes.map { "\(time) \($0)" }
    guard isTerminal else { return write(new.map { "\($0)\n" }.joined()) }
    lines = Array((lines + new).suffix(Self.lineCount))
    var drawn = list.rows.prefix(Self.rowCount).map { row in
      let latitude = String(format: "%6.2f", row.latitude)
      return "\(latitude)  \(row.identifier)  \(row.comments)"
    }
    let rest = list.rows.count - drawn.count
    if rest > 0 { drawn.append("        and \(rest) more") }
    drawn += [""] + lines
    // Up to the first line, then clear everything below.
    let start = drawnCount > 0 ? "\u{1B}[\(drawnCount)A\r\u{1B}[J" : ""
    // A line that wraps would be two.
    write(start + "\u{1B}[?7l" + drawn.map { "\($0)\n" }.joined() + "\u{1B}[?7h")
    drawnCount = drawn.count
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
