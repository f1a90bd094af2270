import ArgumentParser
import WhimbrelInspection
import WhimbrelSampling

struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Create a small store that is complete and representative.",
    discussion: """
      The small store shows every facet of the large one: nil, default and other values, each case \
      of an enum, the shortest and longest values, long lists, objects that nothing links to, \
      cycles, each record layout, and old values of objects that an online migration has not yet \
      converted. The tool follows links to the end, which may keep everything if all objects are \
      connected. '--links depth:1' follows one link; further links become nil. The same store \
      gives the same file, byte for byte. If a facet would be lost that '--allow-loss' does not \
      name, nothing is written.

      Examples:
        whimbrel prune zones.whimbrel small.whimbrel
        whimbrel prune zones.whimbrel small.whimbrel --per-class 5 --links depth:1
        whimbrel prune zones.whimbrel small.whimbrel --keep 'Zone where latitude > 60'
        whimbrel prune zones.whimbrel --in-place --drop Zone.comments --limit-bytes 200000
        whimbrel prune zones.whimbrel --dry-run
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(help: "The file to create. It must not exist yet.", completion: .file())
  var output: String?

  @Flag(
    help: """
      Replace the store itself. It does not change until the new store is complete and checked. \
      Until then, a backup is kept beside it.
      """)
  var inPlace = false

  @Flag(help: "Show what would be kept, and write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Keep at least this many objects of each class.", valueName: "count"))
  var perClass = 0

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Keep these objects: a class, or 'Zone where latitude > 60'.", valueName: "selection"),
    completion: .classOfStore)
  var keep: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Leave a property out of the schema.", valueName: "class.property"))
  var drop: [String] = []

  @Option(
    help: ArgumentHelp(
      "How far links are followed: 'follow', 'nil' or 'depth:2'. (default: follow)",
      valueName: "how"),
    transform: { text in
      guard let links = StorePruning.Links(text) else {
        throw ValidationError("Use 'follow', 'nil' or 'depth:2'.")
      }
      return links
    })
  var links = StorePruning.Links.follow

  @Option(
    help: ArgumentHelp(
      "The size limit of the file. It overrides '--per-class'.", valueName: "bytes"))
  var limitBytes: Int?

  @Option(
    help: ArgumentHelp(
      "The limit of kept objects. It overrides '--per-class'.", valueName: "count"))
  var maxObjects: Int?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A facet that may be lost, such as 'Zone.comments: nil'.", valueName: "facet"))
  var allowLoss: [String] = []

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func validate() throws {
    let places = (inPlace ? 1 : 0) + (output == nil ? 0 : 1) + (dryRun ? 1 : 0)
    if places != 1 {
      throw ValidationError("Name the file to create, or use '--in-place' or '--dry-run'.")
    }
    if perClass < 0 { throw ValidationError("'--per-class' must not be negative.") }
    if let limitBytes, limitBytes < 0 {
      throw ValidationError("'--limit-bytes' must not be negative.")
    }
    if let maxObjects, maxObjects < 0 {
      throw ValidationError("'--max-objects' must not be negative.")
    }
  }

  func run() throws {
    let pruning = StorePruning(
      StorePruning.Options(
        perClass: perClass, keep: try keep.map { try ObjectSelection($0) }, drop: drop,
        links: links, byteLimit: limitBytes, maximumObjects: maxObjects, allowedLosses: allowLoss))
    let inspector = try StoreInspector(path: store)
    let monitor = Progress.monitor()
    let report =
      try dryRun
      ? pruning.plan(inspector, monitor: monitor)
      : pruning.run(
        inspector, into: output.map(StoreOutput.newFile) ?? .inPlace, monitor: monitor)
    try Output.write(json ? Output.text(report.json()) : report.text, goingOn: !dryRun)
  }
}
