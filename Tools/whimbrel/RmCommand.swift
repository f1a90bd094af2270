import ArgumentParser
import WhimbrelInspection

/// `whimbrel rm`
struct RmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Remove objects.")

  func run() throws {
    throw CleanExit.message("'rm' is being written.")
  }
}
