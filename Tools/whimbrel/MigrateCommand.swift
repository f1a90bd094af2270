import ArgumentParser
import WhimbrelEngine
import WhimbrelInspection

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a store to another schema where that needs no code.",
    discussion: """
      The plan is shown, with what is in the way in the data, and is done only with '--write': all \
      of it or nothing. The schema is a file as 'whimbrel schema --json' writes it, '-' for one on \
      standard input, or another store. What needs code is listed, and is for an app. Properties \
      that the schema has not are deleted only with '--allow-loss'.

      Examples:
        whimbrel migrate zones.whimbrel schema.json
        whimbrel migrate zones.whimbrel schema.json --write --backup before.whimbrel
        whimbrel migrate zones.whimbrel new.whimbrel --to-version 5 --write --allow-loss
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

  @Flag(help: "Do it. Without this, what would be done is only shown.")
  var write = false

  @Flag(help: "Delete what the schema has no place for.")
  var allowLoss = false

  @Option(
    help: "Copy the store to this file before it is changed; there must be none yet.",
    completion: .file())
  var backup: String?

  @Flag(help: "Write the plan as JSON.")
  var json = false

  func validate() throws {
    if backup != nil, !write { throw ValidationError("'--backup' goes with '--write'.") }
  }

  func run() throws {
    let migration = try SchemaMigration(
      ofStoreAt: store, to: SchemaInput.read(schema), version: toVersion,
      monitor: Progress.monitor())
    let outlook = migration.outlook
    try Output.write(json ? Output.text(outlook.json()) : outlook.description)
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
        : "\nNot done. Say the same with '--write' to do it.\n")
  }
}
