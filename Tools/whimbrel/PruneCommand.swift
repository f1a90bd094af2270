import ArgumentParser
import WhimbrelInspection

/// `whimbrel prune`
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Make a small store that is complete and representative.")

  func run() throws {
    throw CleanExit.message("'prune' is being written.")
  }
}
