import ArgumentParser
import WhimbrelInspection

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a store is: versions, size, classes and history.",
    discussion: """
      'bytes' are those of a class's objects, keys and indexes, in whole pages; 'layouts' are \
      how many forms its records may have. Only the pages that say so are read, so that it \
      takes no longer for a large store; 'whimbrel check' looks at all of them. '--sizes' says \
      how many bytes of each class are records, overflow (long values, outside of records), links \
      (tables of the objects that link to an object) and indexes. With \
      '--layouts' every record is read. While an online migration is under way, it says how far \
      that has come.

      Examples:
        whimbrel info zones.whimbrel
        whimbrel info zones.whimbrel --layouts
        whimbrel info zones.whimbrel --sizes
        whimbrel info zones.whimbrel --json | jq '.classes[].objects'
      """)

  @Argument(help: "The file of the store.", completion: .file())
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
