import ArgumentParser
import Foundation
import WhimbrelEngine
import WhimbrelInspection

/// The inspector for stores: what people keep beside the app.
@main
struct Whimbrel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whimbrel",
    abstract: "Look into Whimbrel stores, without the app that wrote them.",
    discussion: """
      Stores are only read; 'load' makes a new one and touches no other.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel schema zones.whimbrel --json > schema.json
        whimbrel log zones.whimbrel
        whimbrel dump zones.whimbrel | grep '"class":"Zone"'
        whimbrel dump zones.whimbrel | whimbrel load - copy.whimbrel

      The exit code is 0 for success, 1 for failure and 64 for wrong usage.
      """,
    version: "whimbrel \(StoreInspector.libraryVersion)",
    subcommands: [
      InfoCommand.self, SchemaCommand.self, LogCommand.self, LsCommand.self, ShowCommand.self,
      QueryCommand.self, DumpCommand.self, LoadCommand.self, DiffCommand.self, PlanCommand.self,
      PruneCommand.self, AnonymizeCommand.self, CoverageCommand.self, CheckCommand.self,
      CompactCommand.self, SalvageCommand.self, SetCommand.self, AddCommand.self, RmCommand.self,
      CompletionsCommand.self,
    ])

  static func main() {
    // A pipe that nobody reads any more then is an error of the write, and not
    // the end of the process.
    signal(SIGPIPE, SIG_IGN)
    var failure = ExitStatus.failure
    do {
      var command = try parseAsRoot()
      if command is any ReportsDifferences { failure = .trouble }
      try command.run()
    } catch is BrokenPipe {
      ExitStatus.success.exit()
    } catch let error as StoreError {
      Output.complain(error.message, hint: error.recovery)
      failure.exit()
    } catch let error as InspectionError {
      Output.complain(error.message, hint: error.recovery)
      (error.code == .cancelled ? ExitStatus.interrupted : failure).exit()
    } catch {
      // Help, the version, and wrong usage: the parser's own words and codes.
      exit(withError: error)
    }
  }
}
