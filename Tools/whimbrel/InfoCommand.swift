import ArgumentParser
import WhimbrelInspection

/// `whimbrel info`
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a store is: versions, size, classes and history.",
    discussion: """
      Every page of the file is checked first. 'bytes' are those of a class's objects, keys and \
      indexes, in whole pages; 'layouts' are how many forms its records may have.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel info zones.whimbrel --json
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let description = try StoreInspector(path: store).description()
    let text = try json ? Output.text(description.json()) : description.text
    try Output.write(text)
  }
}
