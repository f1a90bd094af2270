import ArgumentParser
import WhimbrelInspection

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show statistics of the values of each property.",
    discussion: """
      For each property, the tool shows how many values are nil, how many are distinct, the range \
      and distribution of numbers and dates, the lengths of strings, and the most frequent values. \
      For a list, a set or a map, it counts the elements. From 131,072 distinct values on, their \
      number is estimated and marked with '~'. The tool reads every object twice, unless '--limit' \
      restricts it to the first objects.

      Examples:
        whimbrel stats zones.whimbrel
        whimbrel stats zones.whimbrel 'Zone where latitude > 60'
        whimbrel stats zones.whimbrel Zone --properties latitude,area --limit 100000
        whimbrel stats zones.whimbrel Zone --json | jq 'select(.nil > 0) | .property'
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The class, or the class and a query: 'Zone where latitude > 60'. Without one, all classes.",
      valueName: "class"),
    completion: .classOfStore)
  var selection: String?

  @Option(help: "Show only these properties of the class, separated by commas.")
  var properties: String?

  @Option(help: ArgumentHelp("Read only the first objects of each class.", valueName: "count"))
  var limit: Int?

  @Flag(help: "Write a line of JSON for each property.")
  var json = false

  @Flag(help: "Do not cut the table to the width of the terminal.")
  var wide = false

  func validate() throws {
    if json, wide { throw ValidationError("'--wide' is for tables.") }
    if let limit, limit < 0 { throw ValidationError("'--limit' must not be negative.") }
    if properties != nil, selection == nil {
      throw ValidationError("'--properties' requires a class.")
    }
  }

  func run() throws {
    let inspector = try StoreInspector(path: store)
    let selections =
      try selection.map { [try ObjectSelection($0)] }
      ?? inspector.classList().classes.map { ObjectSelection(className: $0.name) }
    for selection in selections {
      let left = try inspector.objectsLeftOut(of: selection)
      Output.note(left, .query(of: selection.className))
      if left.isEmpty {
        Output.note(try inspector.unconvertedObjects(of: selection.className), .statistics)
      }
    }
    let monitor = Progress.monitor()
    if json {
      for selection in selections {
        try Output.write(statistics(of: selection, inspector, monitor).jsonLines())
      }
      return
    }
    try Pager.run { write in
      let format = TableFormat(width: wide ? nil : Terminal.width, styling: Terminal.styling)
      for (index, selection) in selections.enumerated() {
        let statistics = try statistics(of: selection, inspector, monitor)
        try write((index > 0 ? "\n" : "") + statistics.text(format))
      }
    }
  }

  private func statistics(
    of selection: ObjectSelection, _ inspector: StoreInspector, _ monitor: WorkMonitor
  ) throws -> StoreStatistics {
    try StoreStatistics(
      of: selection, properties: properties, limit: limit, in: inspector, monitor: monitor)
  }
}
