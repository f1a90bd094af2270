import ArgumentParser
import WhimbrelEngine
import WhimbrelInspection

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Find objects by a query in text.",
    discussion: """
      The query has the syntax of 'where' in an app: conditions, then SORT(…), DISTINCT(…), \
      OFFSET(…) and LIMIT(…). Write it after a class and 'where', or as a separate argument. The \
      answer is a table as 'ls' shows it, one value, or, with '--group-by', a row for each value \
      of a property. '$0', '$1' and so on stand for the arguments of '--arg'. They have the type \
      that the query compares them with, and need no quotes inside the query. After IN, an \
      argument is a JSON array. A query without a condition needs no 'where'.

      Examples:
        whimbrel query zones.whimbrel 'Zone where latitude > 60 SORT(latitude DESC) LIMIT(5)'
        whimbrel query zones.whimbrel Zone 'country.name BEGINSWITH "Sw"' --columns identifier
        whimbrel query zones.whimbrel 'Zone where area == "europe"' --count
        whimbrel query zones.whimbrel Zone --max latitude
        whimbrel query zones.whimbrel Zone --group-by country.name --avg latitude
        whimbrel query zones.whimbrel 'Zone where country.name == $0' --arg "$country"
        whimbrel query zones.whimbrel 'Zone where country.code IN $0' --arg '["FR", "AD"]'
        whimbrel query zones.whimbrel 'Zone SORT(latitude DESC) LIMIT(3)'
        whimbrel query zones.whimbrel 'Zone where latitude > 60' --explain
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp(
      "The class, or the class and its query: 'Zone where latitude > 60'.", valueName: "class"),
    completion: .classOfStore)
  var selection: String

  @Argument(help: "The query, if the class is given without one.")
  var query: String?

  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The value of '$0' in the query. Repeat the option for '$1' and so on.",
      valueName: "value"))
  var arguments: [String] = []

  @OptionGroup var table: TableOptions

  @Option(
    help: ArgumentHelp(
      "Count the objects for each value, and apply '--min', '--max', '--sum' and '--avg' to each "
        + "group.",
      valueName: "path"))
  var groupBy: String?

  @Flag(help: "Write only the number of objects.")
  var count = false

  @Flag(help: "Write how the objects are found: which indexes are used, and what is read.")
  var explain = false

  @Option(help: ArgumentHelp("Write the least value.", valueName: "path"))
  var min: String?

  @Option(help: ArgumentHelp("Write the greatest value.", valueName: "path"))
  var max: String?

  @Option(help: ArgumentHelp("Write the sum of the values.", valueName: "path"))
  var sum: String?

  @Option(help: ArgumentHelp("Write the mean of the values.", valueName: "path"))
  var avg: String?

  func validate() throws {
    if groupBy != nil {
      if count || explain {
        throw ValidationError("'--group-by' cannot be combined with '--count' or '--explain'.")
      }
      if table.columns != nil || table.offset != 0 {
        throw ValidationError("'--columns' and '--offset' are for objects, not for groups.")
      }
      return
    }
    let answers = aggregates.count + (count ? 1 : 0) + (explain ? 1 : 0)
    if answers > 1 {
      throw ValidationError(
        "Choose one of '--count', '--explain', '--min', '--max', '--sum' and '--avg'.")
    }
    if answers == 1, table.areGiven {
      throw ValidationError("Columns, '--limit', '--offset', '--csv' and '--wide' are for tables.")
    }
  }

  func run() throws {
    var asked =
      try query.map { ObjectSelection(className: selection, query: $0) }
      ?? ObjectSelection(selection)
    asked.arguments = arguments
    let inspector = try StoreInspector(path: store)
    if groupBy != nil || count || explain || !aggregates.isEmpty {
      let paths = [groupBy].compactMap(\.self) + aggregates.map(\.path)
      Output.note(
        try inspector.objectsLeftOut(of: asked, paths), .query(of: asked.className))
    }
    if let groupBy {
      try writeGroups(asked, by: groupBy, of: inspector)
    } else if let (aggregate, path) = aggregates.first {
      let value = try ObjectQuery(asked, of: inspector).value(aggregate, of: path)
      try table.json ? Output.write(Output.text(value.json)) : Output.write(value.text + "\n")
    } else if count {
      try Output.write("\(ObjectQuery(asked, of: inspector).count())\n")
    } else if explain {
      let explanation = try ObjectQuery(asked, of: inspector).explanation()
      try Output.write(table.json ? Output.text(explanation.json()) : "\(explanation)\n")
    } else {
      try table.write(asked, of: inspector)
    }
  }

  /// The requested aggregates with the paths of their values.
  private var aggregates: [(aggregate: ObjectQuery.Aggregate, path: String)] {
    let asked: [(ObjectQuery.Aggregate, String?)] = [
      (.minimum, min), (.maximum, max), (.sum, sum), (.average, avg),
    ]
    return asked.compactMap { aggregate, path in path.map { (aggregate: aggregate, path: $0) } }
  }

  private func writeGroups(
    _ selection: ObjectSelection, by path: String, of inspector: StoreInspector
  ) throws {
    let groups = try QueryGroups(
      selection, by: path, aggregates, of: inspector, monitor: Progress.monitor())
    if table.json { return try Output.write(groups.jsonLines(limit: table.limit)) }
    if table.csv { return try Output.write(groups.csv(limit: table.limit)) }
    try Pager.run { write in
      let format = TableFormat(
        width: table.wide ? nil : Terminal.width, styling: Terminal.styling)
      try write(groups.text(format, limit: table.limit))
      let hidden = groups.groups.count - (table.limit ?? .max)
      if hidden > 0 {
        let note = "Left out: \(StoreError.count(hidden, "group")) after these."
        try write(format.styling.apply(.note, to: note) + "\n")
      }
    }
  }
}
