import ArgumentParser
import WhimbrelInspection

/// `whimbrel query`
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Find objects by a query in text.")

  func run() throws {
    throw CleanExit.message("'query' is being written.")
  }
}
