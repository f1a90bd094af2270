import ArgumentParser
import WhimbrelInspection

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show what the values of each property are like.",
    discussion: """
      For each property: how many values are nil, how many different ones there are, between which \
      bounds numbers and dates lie and how they are spread from the least to the greatest, how long \
      texts are, and which values occur most often. Of a list, a set or a map these are the \
      elements. With 131,072 different values or more, their number is estimated, and '~' stands \
      before it. Every object is read twice, unless '--limit' says how many: then these are \
      the first ones.

      Examples:
        whimbrel stats zones.whimbrel
        whimbrel stats zones.whimbrel 'Zone where latitude > 60'
        whimbrel stats zones.whimbrel Zone --properties latitude,area --limit 100000
        whimbrel stats zones.whimbrel Zone --json | jq 'select(.nil > 0) | .property'
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The class, or the class and a query: 'Zone where latitude > 60'. Without one, all classes.",
      valueName: "class"),
    completion: .classOfStore)
  var selection: String?

  @Option(help: "Look only at these properties of the class, separated by commas.")
  var properties: String?

  @Option(help: ArgumentHelp("Look only at the first objects of each class.", valueName: "count"))
  var limit: Int?

  @Flag(help: "Write a line of JSON for each property.")
  var json = false

  @Flag(help: "Cut nothing to the width of the terminal.")
  var wide = false

  func validate() throws {
    if json, wide { throw ValidationError("'--wide' is for tables.") }
    if let limit, limit < 0 { throw ValidationError("'--limit' is a number from 0 on.") }
    if properties != nil, selection == nil {
      throw ValidationError("'--properties' needs the class that has them.")
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
