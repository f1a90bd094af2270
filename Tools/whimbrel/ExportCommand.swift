import ArgumentParser
import WhimbrelInspection

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a store as an SQLite database.",
    discussion: """
      Each class becomes a table, and each property a column. Links become foreign keys to the \
      primary key of the object, or to its 'id' if it has none. A list becomes a table \
      'Class_property' with the columns 'owner', 'position' and 'value'. A set has no 'position', \
      and a map has 'name' instead. Embedded objects are rows of their class, with a column \
      'owner_Class_property'.

      Whole numbers and data are exact. Dates are ISO 8601 text, decimals and UUIDs are text, and \
      values of any type are JSON as in a dump. The file gets its name when it is complete. The \
      tool uses the system's SQLite library.

      Examples:
        whimbrel export zones.whimbrel --sqlite zones.db
        sqlite3 zones.db 'SELECT c.name, count(*) FROM Zone z JOIN Country c ON z.country = c.code \
      GROUP BY 1'
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp("The database to create. It must not exist yet.", valueName: "file"),
    completion: .file())
  var sqlite: String

  @Flag(help: "Write the number of rows of each table as JSON.")
  var json = false

  func run() throws {
    let export = SQLiteExport(try StoreInspector(path: store), monitor: Progress.monitor())
    let summary = try export.write(to: sqlite)
    try Output.write(json ? Output.text(summary.json()) : summary.text, goingOn: true)
  }
}
