import ArgumentParser
import Foundation
import WhimbrelInspection

struct CheckCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check every page, record, index and link of a store.",
    discussion: """
      Prints what is wrong and where, a finding a line. The file is only read and may be in use. \
      A table with damaged pages is not entered, and the others are checked all the same; \
      'whimbrel salvage' then gets out what can be read.

      Examples:
        whimbrel check zones.whimbrel
        whimbrel check zones.whimbrel --quick
        whimbrel check zones.whimbrel --json | jq '.findings[].object'

      The exit code is 0 when nothing is wrong, 1 when something is, and 2 when the file cannot be \
      checked.
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Flag(help: "Check pages and checksums only, not indexes and links.")
  var quick = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let check = StoreCheck(path: store, depth: quick ? .quick : .full)
    let report = try check.run(monitor: Progress.monitor())
    try Output.write(json ? Output.text(report.json()) : report.text)
    if report.isSound { return }
    if !json {
      let path = ErrorWords.argument(store)
      FileHandle.standardError.write(
        Data(
          "Hint: 'whimbrel salvage \(path) saved.whimbrel' gets what can be read into a new store.\n"
            .utf8))
    }
    throw ExitCode(1)
  }
}
