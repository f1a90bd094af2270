import ArgumentParser
import WhimbrelInspection

/// `whimbrel ls`
struct LsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List objects of a class as a table.")

  func run() throws {
    throw CleanExit.message("'ls' is being written.")
  }
}
