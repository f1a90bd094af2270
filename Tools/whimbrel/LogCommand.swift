import ArgumentParser
import WhimbrelInspection

struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the migrations that a store has been through, newest first.",
    discussion: """
      Each has the changes of the schema, and what the migration's code reported.

      Examples:
        whimbrel log zones.whimbrel
        whimbrel log zones.whimbrel --json | jq '.[0].marks'
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let history = try HistoryText(StoreOverview(path: store).migrationHistory)
    try Output.write(json ? Output.text(history.json()) : history.description)
  }
}
