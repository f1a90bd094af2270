import ArgumentParser
import WhimbrelInspection

struct SalvageCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Copy what can be read of a damaged store into a new one.",
    discussion: """
      Reads every page by itself, and keeps all data with a correct checksum, wherever it is \
      found. Links to lost objects become nil, and indexes are rebuilt. The tool shows for each \
      class what was found and what was lost.

      Examples:
        whimbrel salvage damaged.whimbrel saved.whimbrel
        whimbrel salvage damaged.whimbrel saved.whimbrel --schema-from backup.whimbrel

      Objects that were deleted before the damage may be back if the list of free pages or a page \
      is lost. They are counted separately.

      A store whose objects were being migrated one by one needs its own catalog, or that of a \
      copy from that time. Any other catalog lacks the shapes of objects that were not yet \
      converted. These are counted and left out.

      The exit code is 0 if it is certain that nothing was lost and no deleted object is back, 1 \
      otherwise, and 2 if nothing can be salvaged.
      """)

  @Argument(help: "The damaged store file.", completion: .file())
  var store: String

  @Argument(help: "The file to create. It must not exist yet.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "An undamaged store of the same app, preferably a copy. Its schema is used if that of the "
        + "damaged store is lost.",
      valueName: "store"), completion: .file())
  var schemaFrom: String?

  @Flag(help: "Also read free pages. Deleted objects may be back.")
  var stale = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let salvage = StoreSalvage(
      path: store, schemaFrom: schemaFrom, search: stale ? .allPages : .usedPages)
    let report = try salvage.run(to: output, monitor: Progress.monitor())
    try Output.write(json ? Output.text(report.json()) : report.text, goingOn: true)
    if !report.isComplete { throw ExitCode(1) }
  }
}
