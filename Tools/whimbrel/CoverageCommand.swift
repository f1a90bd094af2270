import ArgumentParser
import WhimbrelInspection

/// `whimbrel coverage`
struct CoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show what of a schema sample stores exercise, and what is missing.")

  func run() throws {
    throw CleanExit.message("'coverage' is being written.")
  }
}
