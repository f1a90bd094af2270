import ArgumentParser
import WhimbrelInspection

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the migrations of a store, newest first.",
    discussion: """
      Each migration is shown with its schema changes and the marks that its code reported.

      Examples:
        whimbrel log zones.whimbrel
        whimbrel log zones.whimbrel --json | jq '.[0].marks'
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let history = try HistoryText(StoreOverview(path: store).migrationHistory)
    try Output.write(json ? Output.text(history.json()) : history.description)
  }
}
