import ArgumentParser
import WhimbrelInspection

/// `whimbrel compact`
struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Write a store anew, packed.")

  func run() throws {
    throw CleanExit.message("'compact' is being written.")
  }
}
