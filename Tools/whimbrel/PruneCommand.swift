import ArgumentParser
import WhimbrelInspection
import WhimbrelSampling

struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Make a small store that is complete and representative.",
    discussion: """
      The small store shows every facet of the large one: nil, default and other values, each \
      case of an enum, the shortest and the longest, long lists, objects that nothing links to, \
      cycles, each layout of records, and old values of objects that an online migration has not \
      yet converted. Links are followed to the end, which may keep everything where all \
      is connected: '--links depth:1' follows one, and what leads further becomes nil. The same \
      store gives the same file, byte for byte. If a facet would be lost that '--allow-loss' does \
      not name, nothing is written.

      Examples:
        whimbrel prune zones.whimbrel small.whimbrel
        whimbrel prune zones.whimbrel small.whimbrel --per-class 5 --links depth:1
        whimbrel prune zones.whimbrel small.whimbrel --keep 'Zone where latitude > 60'
        whimbrel prune zones.whimbrel --in-place --drop Zone.comments --limit-bytes 200000
        whimbrel prune zones.whimbrel --dry-run
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Argument(help: "The file to make; there must be none yet.", completion: .file())
  var output: String?

  @Flag(
    help: """
      Replace the store itself. It stays as it was until the new one is whole and checked, and a \
      backup stands beside it until then.
      """)
  var inPlace = false

  @Flag(help: "Say what would be kept, and write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Keep at least so many objects of each class.", valueName: "count"))
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
        throw ValidationError("Say 'follow', 'nil' or 'depth:2'.")
      }
      return links
    })
  var links = StorePruning.Links.follow

  @Option(
    help: ArgumentHelp(
      "How large the file may be; '--per-class' gives way.", valueName: "bytes"))
  var limitBytes: Int?

  @Option(
    help: ArgumentHelp(
      "How many objects may be kept; '--per-class' gives way.", valueName: "count"))
  var maxObjects: Int?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A facet that may be lost, as 'Zone.comments: nil'.", valueName: "facet"))
  var allowLoss: [String] = []

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func validate() throws {
    let places = (inPlace ? 1 : 0) + (output == nil ? 0 : 1) + (dryRun ? 1 : 0)
    if places != 1 {
      throw ValidationError("Name the file to make, or say '--in-place' or '--dry-run'.")
    }
    if perClass < 0 { throw ValidationError("'--per-class' takes a number from 0.") }
    if let limitBytes, limitBytes < 0 {
      throw ValidationError("'--limit-bytes' takes a number from 0.")
    }
    if let maxObjects, maxObjects < 0 {
      throw ValidationError("'--max-objects' takes a number from 0.")
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
    try Output.write(json ? Output.text(report.json()) : report.text)
  }
}
