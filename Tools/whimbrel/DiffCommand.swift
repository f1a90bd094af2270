import ArgumentParser
import WhimbrelInspection

/// `whimbrel diff`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs between two stores.")

  func run() throws {
    throw CleanExit.message("'diff' is being written.")
  }
}
