import ArgumentParser
import WhimbrelInspection

struct LsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List objects of a class as a table.",
    discussion: """
      Without a class, the tool lists the classes. The table shows the object ID ('#'), the \
      primary key, and as many properties as fit the terminal. '--columns' chooses other columns, \
      also along links. A link is shown as the class and key of its target, a list as its count \
      and first elements, and data as its size. On a terminal, the table goes through \
      $WHIMBREL_PAGER or $PAGER. Elsewhere its width is $COLUMNS, or 80. Objects that an online \
      migration has not yet converted have empty cells for values that they lack.

      Examples:
        whimbrel ls zones.whimbrel
        whimbrel ls zones.whimbrel Zone --limit 20
        whimbrel ls zones.whimbrel Zone --columns identifier,country.name
        whimbrel ls zones.whimbrel Zone --csv > zones.csv
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class of the objects to list.", valueName: "class"),
    completion: .classOfStore)
  var className: String?

  @OptionGroup var table: TableOptions

  func validate() throws {
    if className == nil, table.columns != nil || table.limit != nil || table.offset != 0 {
      throw ValidationError("Name the class of the objects to list.")
    }
  }

  func run() throws {
    let inspector = try StoreInspector(path: store)
    if let className {
      return try table.write(ObjectSelection(className: className), of: inspector)
    }
    let classes = try inspector.classList()
    if table.json {
      try Output.write(Output.text(classes.json()))
    } else if table.csv {
      try Output.write(Array(classes.csv()))
    } else {
      try Pager.run { try $0(classes.text(styling: Terminal.styling)) }
    }
  }
}
