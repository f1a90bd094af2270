import ArgumentParser
import WhimbrelInspection

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the versions, size, classes and history of a store.",
    discussion: """
      'bytes' counts the objects, keys and indexes of a class, in whole pages. 'layouts' is the \
      number of layouts that its records may have. The tool reads only the pages with these facts, \
      so a large store takes no longer; 'whimbrel check' reads all pages. '--sizes' splits the \
      bytes of each class into records, overflow (long values outside the records), links (tables \
      of the objects that link to an object) and indexes. '--layouts' reads every record. During \
      an online migration, the tool also shows its progress.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel info zones.whimbrel --layouts
        whimbrel info zones.whimbrel --sizes
        whimbrel info zones.whimbrel --json | jq '.classes[].objects'
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Flag(help: "Count the records of each layout.")
  var layouts = false

  @Flag(help: "Show the bytes of each class's records, overflow, links and indexes.")
  var sizes = false

  @Flag(help: "Write JSON instead of text.")
  var json = false

  func run() throws {
    var description: StoreDescription
    if layouts {
      let inspector = try StoreInspector(path: store)
      description = try inspector.descriptionWithLayouts(monitor: Progress.monitor())
      if sizes { description.sizes = try StoreSizes(of: inspector) }
    } else {
      let overview = try StoreOverview(path: store)
      description = try overview.description()
      if sizes { description.sizes = try StoreSizes(of: overview) }
    }
    try Output.write(json ? Output.text(description.json()) : description.text)
  }
}
