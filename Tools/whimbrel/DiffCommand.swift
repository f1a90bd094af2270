import ArgumentParser
import WhimbrelInspection

/// `whimbrel diff`
struct DiffCommand: ReportsDifferences {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs between two stores.",
    discussion: """
      First what differs between the schemas, then the objects that were added (+), removed (-) \
      and changed (~), by primary key or else by object ID. Schemas may be of different versions: \
      what a migration does by itself to a value is no change of it. \
      The exit code is 0 when nothing differs, 1 when something does, and 2 when there is trouble.

      Examples:
        whimbrel diff old.whimbrel new.whimbrel
        whimbrel diff old.whimbrel new.whimbrel --stat
        whimbrel diff old.whimbrel new.whimbrel --class Zone --ignore Zone.comments --limit 20
        git config diff.whimbrel.command 'whimbrel diff --git'
      """)

  @Argument(help: "The file of the old store.", completion: .file())
  var old: String

  @Argument(help: "The file of the new store.", completion: .file())
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
    guard new != nil, rest.isEmpty else {
      throw ValidationError("Name two stores, the old one and the new one.")
    }
  }

  func run() throws {
    if git {
      try GitDiff([old] + [new].compactMap(\.self) + rest).run(show)
    } else if try show(old, new ?? "") {
      throw ExitCode(1)
    }
  }

  /// Shows what differs between two files, and returns whether anything does.
  private func show(_ old: String, _ new: String) throws -> Bool {
    let options = StoreDiff.Options(classes: classes, ignoredProperties: ignored)
    let diff = try StoreDiff(
      from: StoreInspector(path: old), to: StoreInspector(path: new), options,
      monitor: Progress.monitor())
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
