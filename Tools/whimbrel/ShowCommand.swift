import ArgumentParser
import WhimbrelInspection

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one object, what it links to, and what links to it.",
    discussion: """
      Name an object by its primary key, or by its object ID such as 'id:17'. Objects that it \
      links to are shown inside it, '--depth' levels deep, each of them once. Of a collection, the \
      first ten elements are shown. Below, the tool lists the properties by which other objects \
      link to it. An object that an online migration has not yet converted is shown as it is \
      stored, with its version.

      Examples:
        whimbrel show zones.whimbrel Zone Europe/Andorra
        whimbrel show zones.whimbrel Country AD FR --depth 0
        whimbrel show zones.whimbrel Zone id:17 --json | jq .values.latitude
      """)

  @Argument(help: "The store file.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class of the objects.", valueName: "class"), completion: .classOfStore)
  var className: String

  @Argument(
    help: ArgumentHelp(
      "The objects: primary keys, or object IDs such as 'id:17'. Write '--' before a key such as "
        + "'-8'.",
      valueName: "object"))
  var objects: [String]

  @Option(help: ArgumentHelp("Follow links this many levels deep.", valueName: "number"))
  var depth = 1

  @Flag(help: "Write a line of JSON for each object.")
  var json = false

  func validate() throws {
    if objects.isEmpty { throw ValidationError("Name at least one object.") }
    if depth < 0 { throw ValidationError("'--depth' must not be negative.") }
  }

  func run() throws {
    let inspector = try StoreInspector(path: store)
    let views = try objects.map { try inspector.view(of: $0, class: className, depth: depth) }
    if json {
      for view in views { try Output.write(Output.text(view.json())) }
      return
    }
    try Pager.run { write in
      let texts = views.map { $0.text(styling: Terminal.styling) }
      try write(texts.joined(separator: "\n"))
    }
  }
}
