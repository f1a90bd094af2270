import ArgumentParser
import WhimbrelInspection

/// `whimbrel plan`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what migrating a store to another schema needs.")

  func run() throws {
    throw CleanExit.message("'plan' is being written.")
  }
}
