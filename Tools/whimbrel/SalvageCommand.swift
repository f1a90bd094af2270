import ArgumentParser
import WhimbrelInspection

struct SalvageCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Get what can be read of a damaged store into a new one.",
    discussion: """
      Every page is looked at by itself, and what has the right checksum is taken, wherever it is \
      found. Links to lost objects become nil, and indexes are built anew. Says for each class what \
      was found and what was lost.

      Examples:
        whimbrel salvage damaged.whimbrel saved.whimbrel
        whimbrel salvage damaged.whimbrel saved.whimbrel --schema-from backup.whimbrel

      Objects that were deleted before the damage may be back when the list of free pages or a \
      page is lost. They are counted apart.

      A store whose objects were being migrated one by one needs its own catalog, or that of a \
      copy from that time. Any other does not have the shapes of objects that were not yet \
      converted: they are counted and left out.

      The exit code is 0 when it is proven that nothing was lost and nothing deleted is back, 1 \
      otherwise, and 2 when nothing can be salvaged.
      """)

  @Argument(help: "The file of the damaged store.", completion: .file())
  var store: String

  @Argument(help: "The file to make; there must be none yet.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "A healthy store of the same app, best a copy, for its schema where the damaged one has lost its own.",
      valueName: "store"), completion: .file())
  var schemaFrom: String?

  @Flag(help: "Look at free pages too: deleted objects may be back.")
  var stale = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let salvage = StoreSalvage(
      path: store, schemaFrom: schemaFrom, search: stale ? .allPages : .usedPages)
    let report = try salvage.run(to: output, monitor: Progress.monitor())
    try Output.write(json ? Output.text(report.json()) : report.text)
    if !report.isComplete { throw ExitCode(1) }
  }
}
