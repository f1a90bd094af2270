import ArgumentParser
import WhimbrelEngine
import WhimbrelInspection

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate a store to another schema if that needs no code.",
    discussion: """
      Shows the plan and the data in its way, and migrates only with '--write': completely or not \
      at all. The schema is a file that 'whimbrel schema --json' wrote, '-' for such JSON on \
      standard input, or another store. The tool lists changes that need code, which only an app \
      can make. It deletes properties that are not in the schema only with '--allow-loss'.

      Examples:
        whimbrel migrate zones.whimbrel schema.json
        whimbrel migrate zones.whimbrel schema.json --write --backup before.whimbrel
        whimbrel migrate zones.whimbrel new.whimbrel --to-version 5 --write --allow-loss
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

  @Flag(help: "Migrate the store. Without this option, the plan is only shown.")
  var write = false

  @Flag(help: "Delete data that is not in the schema.")
  var allowLoss = false

  @Option(
    help: "Copy the store to this file before changing it. The file must not exist yet.",
    completion: .file())
  var backup: String?

  @Flag(help: "Write the plan as JSON.")
  var json = false

  func validate() throws {
    if backup != nil, !write { throw ValidationError("'--backup' requires '--write'.") }
  }

  func run() throws {
    let migration = try SchemaMigration(
      ofStoreAt: store, to: SchemaInput.read(schema), version: toVersion,
      monitor: Progress.monitor())
    let outlook = migration.outlook
    try Output.write(
      json ? Output.text(outlook.json()) : outlook.description, goingOn: write)
    let deletions: SchemaMigration.Deletions = allowLoss ? .allowed : .refused
    if outlook.plan.isEmpty { return }
    if write {
      try migration.run(deletions, backup: backup) { _ in
        Interruption.isRequested ? .cancel : .continue
      }
    } else {
      try migration.requirePossible(deletions)
    }
    if json { return }
    try Output.write(
      write
        ? "\nDone: the store is at version \(outlook.plan.toVersion).\n"
        : "\nNothing was changed. Add '--write' to migrate the store.\n",
      goingOn: write)
  }
}
