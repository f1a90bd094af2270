import ArgumentParser
import WhimbrelInspection

/// `whimbrel schema`
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Show the classes of a store and their properties.",
    discussion: """
      A '?' behind a type says that a property may be nil; links, as '<Country>', always may. \
      The JSON is the same for the same schema, and meant for version control.

      Examples:
        whimbrel schema zones.whimbrel
        whimbrel schema zones.whimbrel --json > schema.json
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let schema = try StoreInspector(path: store).schema
    let text = try json ? Output.text(schema.json()) : SchemaText(schema).description
    try Output.write(text)
  }
}
