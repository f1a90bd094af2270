import ArgumentParser
import WhimbrelInspection

/// `whimbrel add`
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an object.")

  func run() throws {
    throw CleanExit.message("'add' is being written.")
  }
}
