import ArgumentParser
import WhimbrelEngine
import WhimbrelInspection

struct PlanCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what migrating a store to a schema would need.",
    discussion: """
      The schema is one that 'whimbrel schema --json' wrote, that of another store, or '-' for \
      JSON on standard input. With '--check' every object is read, to find those that the new \
      schema has no place for. It also says whether rules can make the changes while the app runs. \
      Nothing is written. The exit code is 0 if it takes no code, and \
      nothing was found; 1 if it does or something was; and 2 for trouble.

      Examples:
        whimbrel plan zones.whimbrel schema.json
        whimbrel plan zones.whimbrel new.whimbrel --check
        whimbrel plan zones.whimbrel - --to-version 5 < schema.json
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Argument(
    help: "The schema to migrate to, as JSON, or a store that has it.", completion: .file())
  var schema: String

  @Option(
    help: ArgumentHelp(
      "The version of the schema; by default the one that it says.", valueName: "version"))
  var toVersion: SchemaVersion?

  @Flag(help: "Read every object to find data that stands in the way.")
  var check = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let outlook = try MigrationOutlook(
      ofStoreAt: store, to: SchemaInput.read(schema), version: toVersion,
      checking: check ? .objects : .catalog, monitor: Progress.monitor())
    try Output.write(json ? Output.text(outlook.json()) : outlook.description)
    if !outlook.isReady { throw ExitCode(ExitStatus.failure.rawValue) }
  }
}
