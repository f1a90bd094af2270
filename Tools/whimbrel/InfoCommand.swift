import ArgumentParser
import WhimbrelInspection

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a store is: versions, size, classes and history.",
    discussion: """
      'bytes' are those of a class's objects, keys and indexes, in whole pages; 'layouts' are \
      how many forms its records may have. Only the pages that say so are read, so that it \
      takes no longer for a large store; 'whimbrel check' looks at all of them. With \
      '--layouts' every record is read. While an online migration is under way, it says how far \
      that has come.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel info zones.whimbrel --layouts
        whimbrel info zones.whimbrel --json | jq '.classes[].objects'
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Flag(help: "Count the records of each layout.")
  var layouts = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    let description =
      try layouts
      ? StoreInspector(path: store).descriptionWithLayouts(monitor: Progress.monitor())
      : StoreOverview(path: store).description()
    try Output.write(json ? Output.text(description.json()) : description.text)
  }
}
