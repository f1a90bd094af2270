import ArgumentParser
import WhimbrelInspection

/// `whimbrel check`
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check every page, record, index and link of a store.")

  func run() throws {
    throw CleanExit.message("'check' is being written.")
  }
}
