import ArgumentParser
import WhimbrelInspection

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a store as a database of SQLite.",
    discussion: """
      Each class is a table and each property a column. Links are foreign keys, to the primary key \
      of the object or else to its 'id'. A list is a table 'Class_property' with 'owner', \
      'position' and 'value', a set has no 'position', and a map a 'name' instead of it. Embedded \
      objects are rows of their class, with a column 'owner_Class_property'.

      Whole numbers and data are exact; dates are ISO 8601, decimals and UUIDs text, and values of \
      any type JSON as in a dump. The file gets its name once it is whole. The system's SQLite \
      library is used.

      Examples:
        whimbrel export zones.whimbrel --sqlite zones.db
        sqlite3 zones.db 'SELECT c.name, count(*) FROM Zone z JOIN Country c ON z.country = c.code \
      GROUP BY 1'
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp("The database to make; there must be none yet.", valueName: "file"),
    completion: .file())
  var sqlite: String

  @Flag(help: "Write how many rows each table has as JSON.")
  var json = false

  func run() throws {
    let export = SQLiteExport(try StoreInspector(path: store), monitor: Progress.monitor())
    let summary = try export.write(to: sqlite)
    try Output.write(json ? Output.text(summary.json()) : summary.text)
  }
}
