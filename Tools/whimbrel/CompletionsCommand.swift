import ArgumentParser
import WhimbrelInspection

/// `whimbrel completions`
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Write the completions for a shell.")

  func run() throws {
    throw CleanExit.message("'completions' is being written.")
  }
}
