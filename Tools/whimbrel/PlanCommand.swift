import ArgumentParser
import WhimbrelEngine
import WhimbrelInspection

struct PlanCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a migration to a schema would need.",
    discussion: """
      The schema is a file that 'whimbrel schema --json' wrote, '-' for such JSON on standard \
      input, or another store. '--check' reads every object to find data that does not fit the new \
      schema. The tool also shows whether rules can make the changes while the app runs. It writes \
      nothing. The exit code is 0 if the migration needs no code and nothing was found, 1 if it \
      needs code or something was found, and 2 if an error occurred.

      Examples:
        whimbrel plan zones.whimbrel schema.json
        whimbrel plan zones.whimbrel new.whimbrel --check
        whimbrel plan zones.whimbrel - --to-version 5 < schema.json
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: "The schema to migrate to, as JSON, or a store that has it.", completion: .file())
  var schema: String

  @Option(
    help: ArgumentHelp(
      "The version of the schema. The default is the version in the schema.", valueName: "version"))
  var toVersion: SchemaVersion?

  @Flag(help: "Read every object to find data that stands in the way.")
  var check = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let outlook = try MigrationOutlook(
      ofStoreAt: store, to: SchemaInput.read(schema), version: toVersion,
      checking: check ? .objects : .catalog, monitor: Progress.monitor())
    try Output.write(json ? Output.text(outlook.json()) : outlook.description, goingOn: true)
    if !outlook.isReady { throw ExitCode(ExitStatus.failure.rawValue) }
  }
}
