import ArgumentParser
import WhimbrelInspection

struct DiffCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show the differences between two stores or dumps.",
    discussion: """
      Shows the differences of the schemas first, then the objects that were added (+), removed \
      (-) or changed (~). Objects are matched by primary key, or else by object ID. The schemas \
      may have different versions: a value that a migration converts by itself does not count as \
      changed. Instead of a store you can give a dump: a file, a folder, or '-' for standard \
      input. The exit code is 0 if nothing differs, 1 if something does, and 2 if an error \
      occurred.

      Examples:
        whimbrel diff old.whimbrel new.whimbrel
        whimbrel diff old.whimbrel new.whimbrel --stat
        whimbrel diff dump.jsonl zones.whimbrel
        whimbrel diff old.whimbrel new.whimbrel --class Zone --ignore Zone.comments --limit 20
        git config diff.whimbrel.command 'whimbrel diff --git'
      """)

  @Argument(help: "The old store file, or a dump.", completion: .file())
  var old: String

  @Argument(help: "The new store file, or a dump.", completion: .file())
  var new: String?

  @Argument(help: ArgumentHelp("The other arguments that git passes.", visibility: .hidden))
  var rest: [String] = []

  @Flag(help: "Show only how many objects of each class differ.")
  var stat = false

  @Flag(help: "Write lines of JSON instead of text.")
  var json = false

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Compare only this class. You can repeat this option.", valueName: "class"),
    completion: .classOfStore)
  var classes: [String] = []

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp(
      "Do not compare this property. You can repeat this option.",
      valueName: "class.property"))
  var ignored: [String] = []

  @Option(help: "Show at most this many objects of each class.")
  var limit: Int?

  @Flag(help: "Accept the arguments that git passes to a diff driver, and exit with 0.")
  var git = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("'--limit' must not be negative.") }
    if git { return }
    guard let new, rest.isEmpty else {
      throw ValidationError("Name two stores, the old one and the new one.")
    }
    if old == "-", new == "-" {
      throw ValidationError("Only one of the two can be standard input.")
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
    return try StoreDiffReport(diff, style: style, limit: limit ?? .max).write {
      try Output.write($0, goingOn: true)
    }
  }
}
