import ArgumentParser
import WhimbrelInspection

/// `whimbrel show`
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one object, and what it links to.")

  func run() throws {
    throw CleanExit.message("'show' is being written.")
  }
}
