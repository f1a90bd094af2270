import ArgumentParser
import Foundation
import WhimbrelEngine
import WhimbrelInspection

/// The command-line tool, which inspects stores without their app.
@main
struct Whimbrel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whimbrel",
    abstract: "Inspect Whimbrel stores without the app that wrote them.",
    discussion: """
      Verbs are read-only unless they say otherwise. Verbs that write create a new file, or \
      require '--in-place' or '--write'.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel ls zones.whimbrel Zone
        whimbrel dump zones.whimbrel | grep '^{"class":"Zone"'
        whimbrel diff old.whimbrel new.whimbrel
        whimbrel plan zones.whimbrel schema.json --check

      The exit code is 0 for success, 1 for failure and 64 for wrong usage. Verbs that compare or \
      check give 0 if nothing was found, 1 if something was found, and 2 if an error occurred. \
      'help' gives 2 for an unknown verb. 'whimbrel help schema.json' describes the file of a \
      schema.
      """,
    version: "whimbrel \(StoreInspector.libraryVersion)",
    groupedSubcommands: [
      CommandGroup(
        name: "Look",
        subcommands: [
          InfoCommand.self, SchemaCommand.self, LsCommand.self, ShowCommand.self,
          QueryCommand.self, StatsCommand.self, DumpCommand.self, LogCommand.self,
          StudioCommand.self,
        ]),
      CommandGroup(
        name: "Compare and check",
        subcommands: [
          DiffCommand.self, PlanCommand.self, CheckCommand.self, CoverageCommand.self,
        ]),
      CommandGroup(
        name: "Make",
        subcommands: [
          LoadCommand.self, PruneCommand.self, AnonymizeCommand.self, CompactCommand.self,
          SalvageCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: "Edit",
        subcommands: [
          SetCommand.self, AddCommand.self, RmCommand.self, MigrateCommand.self,
        ]),
      CommandGroup(name: "Shell", subcommands: [CompletionsCommand.self]),
    ])

  /// The names of all commands, in the order of the help.
  static var verbNames: [String] {
    configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
  }

  static func main() {
    // With SIGPIPE ignored, a closed pipe is an error of the write and does not
    // end the process.
    signal(SIGPIPE, SIG_IGN)
    // Determined now: LMDB opens '/dev/null' in the place of a closed stream.
    _ = Output.isClosed
    var failure = ExitStatus.failure
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if let complaint = UsageComplaint(ofDamagedTextIn: arguments) { complaint.exit() }
      if arguments == SchemaFormatHelp.arguments { return try Output.write(SchemaFormatHelp.text) }
      if let complaint = UsageComplaint(ofUnknownVerbIn: arguments) { complaint.exit() }
      if let complaint = UsageComplaint(ofEmptyValueIn: arguments) { complaint.exit() }
      var command = try parseAsRoot()
      if let verb = command as? any ReportsDifferences, verb.reportsDifferences {
        failure = .trouble
      }
      defer { Progress.wipe() }
      try command.run()
    } catch is BrokenPipe {
      ExitStatus.success.exit()
    } catch let error as StoreError {
      let words = ErrorWords(error)
      Output.complain(words.message, hint: words.hint)
      (error.code == .migrationCancelled ? ExitStatus.interrupted : failure).exit()
    } catch let error as InspectionError {
      Output.complain(error.message, hint: error.recovery)
      (error.code == .cancelled ? ExitStatus.interrupted : failure).exit()
    } catch {
      // The parser stops the program if it has fewer columns than its help needs.
      unsafe setenv("COLUMNS", "\(max(Terminal.width, 40))", 1)
      // Help and the version come as errors too: the parser prints them and
      // sets the code.
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      UsageComplaint(error, in: Array(CommandLine.arguments.dropFirst())).exit()
    }
  }
}
