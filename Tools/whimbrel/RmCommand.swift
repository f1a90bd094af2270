import ArgumentParser
import WhimbrelInspection

struct RmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm",
    abstract: "Remove objects, by name or by a query.",
    discussion: """
      Shows the objects, and removes them only with '--write': all of them or none. Embedded \
      objects are removed with their owners. Links to a removed object become nil, and collections \
      lose it. The tool shows both effects.

      Examples:
        whimbrel rm zones.whimbrel Zone Europe/Paris id:17
        whimbrel rm zones.whimbrel Zone --where 'country == nil' --write --backup before.whimbrel
      """)

  @OptionGroup var edited: EditedClass

  @Argument(
    help:
      "The objects: primary keys, or object IDs such as 'id:17'. Write '--' before a key such as '-8'."
  )
  var objects: [String] = []

  @Option(name: .customLong("where"), help: "Remove all objects that this query finds.")
  var query: String?

  @OptionGroup var options: EditOptions

  func validate() throws {
    try EditOptions.requireCondition(in: query)
    if objects.isEmpty == (query == nil) {
      throw ValidationError("Name the objects to remove, or use '--where' with a query.")
    }
  }

  func run() throws {
    let objects = query.map(StoreEdit.Objects.query) ?? .named(self.objects)
    try options.run(.remove(class: edited.name, objects), in: edited.store)
  }
}
