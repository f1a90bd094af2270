import ArgumentParser
import WhimbrelInspection

struct DiffCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs between two stores, or dumps of them.",
    discussion: """
      First what differs between the schemas, then the objects that were added (+), removed (-) \
      and changed (~), by primary key or else by object ID. Schemas may be of different versions: \
      what a migration does by itself to a value is no change of it. In the place of a store may \
      stand a dump: a file, a folder, or '-' for standard input. \
      The exit code is 0 when nothing differs, 1 when something does, and 2 when there is trouble.

      Examples:
        whimbrel diff old.whimbrel new.whimbrel
        whimbrel diff old.whimbrel new.whimbrel --stat
        whimbrel diff dump.jsonl zones.whimbrel
        whimbrel diff old.whimbrel new.whimbrel --class Zone --ignore Zone.comments --limit 20
        git config diff.whimbrel.command 'whimbrel diff --git'
      """)

  @Argument(help: "The file of the old store, or a dump.", completion: .file())
  var old: String

  @Argument(help: "The file of the new store, or a dump.", completion: .file())
  var new: String?

  @Argument(help: ArgumentHelp("What git says beside the files.", visibility: .hidden))
  var rest: [String] = []

  @Flag(help: "Show only how many objects of each class differ.")
  var stat = false

  @Flag(help: "Write lines of JSON instead of text.")
  var json = false

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Compare only this class; may be given several times.", valueName: "class"),
    completion: .classOfStore)
  var classes: [String] = []

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp(
      "Do not compare this property; may be given several times.",
      valueName: "class.property"))
  var ignored: [String] = []

  @Option(help: "Show at most this many objects of each class.")
  var limit: Int?

  @Flag(help: "Take the arguments that git gives to a diff driver, and exit with 0.")
  var git = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("'--limit' should not be negative.") }
    if git { return }
    guard let new, rest.isEmpty else {
      throw ValidationError("Name two stores, the old one and the new one.")
    }
    if old == "-", new == "-" {
      throw ValidationError("Only one of both can be standard input.")
    }
  }

  func run() throws {
    if git {
      try GitDiff([old] + [new].compactMap(\.self) + rest).run(show)
    } else if try show(old, new ?? "") {
      throw ExitCode(1)
    }
  }

  /// Shows the differences between two files, and returns whether there are
  /// any.
  private func show(_ old: String, _ new: String) throws -> Bool {
    let options = StoreDiff.Options(classes: classes, ignoredProperties: ignored)
    let monitor = Progress.monitor()
    let (oldStore, newStore) = (
      try ComparedStore(path: old, monitor: monitor), try ComparedStore(path: new, monitor: monitor)
    )
    for (path, store) in [(old, oldStore), (new, newStore)] {
      let unconverted = try store.inspector.unconvertedObjects()
      Output.note(unconverted, .comparison(path: path))
    }
    let diff = try StoreDiff(
      from: oldStore.inspector, to: newStore.inspector, options, monitor: monitor)
    let style: StoreDiffReport.Style =
      switch (json, stat) {
      case (false, false): .text
      case (false, true): .statistics
      case (true, false): .json
      case (true, true): .jsonStatistics
      }
    return try StoreDiffReport(diff, style: style, limit: limit ?? .max).write(Output.write)
  }
}
