import ArgumentParser
import WhimbrelInspection

/// `whimbrel set`
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change values of an object.")

  func run() throws {
    throw CleanExit.message("'set' is being written.")
  }
}
