import ArgumentParser
import WhimbrelInspection

/// `whimbrel salvage`
struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Read what can be read of a damaged file into a new store.")

  func run() throws {
    throw CleanExit.message("'salvage' is being written.")
  }
}
