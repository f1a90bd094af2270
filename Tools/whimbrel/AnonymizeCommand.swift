import ArgumentParser
import WhimbrelInspection

/// `whimbrel anonymize`
struct AnonymizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Make a store of the same shape, without the people.")

  func run() throws {
    throw CleanExit.message("'anonymize' is being written.")
  }
}
