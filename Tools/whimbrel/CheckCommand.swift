import ArgumentParser
import WhimbrelInspection

struct CheckCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check every page, record, index and link of a store.",
    discussion: """
      Prints each problem and its place, one finding per line. The check only reads the file, \
      which may be in use. It skips tables with damaged pages and checks the others. 'whimbrel \
      salvage' then copies what can be read into a new store.

      Examples:
        whimbrel check zones.whimbrel
        whimbrel check zones.whimbrel --quick
        whimbrel check zones.whimbrel --json | jq '.findings[].object'

      The exit code is 0 if nothing is wrong, 1 if something is, and 2 if the file cannot be \
      checked.
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Flag(help: "Check pages and checksums only, not indexes and links.")
  var quick = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let check = StoreCheck(path: store, depth: quick ? .quick : .full)
    let report = try check.run(monitor: Progress.monitor())
    try Output.write(json ? Output.text(report.json()) : report.text, goingOn: true)
    if report.isSound { return }
    if !json {
      let path = ErrorWords.argument(store)
      let hint = """
        Hint: 'whimbrel salvage \(path) saved.whimbrel' copies what can be read into a new store.

        """
      Output.say(hint)
    }
    throw ExitCode(1)
  }
}
