import ArgumentParser
import WhimbrelInspection

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show one object, what it links to, and what links to it.",
    discussion: """
      An object is named by its primary key, or by its object ID as 'id:17'. Objects that it links \
      to are shown inside of it, '--depth' links far, each of them once; of a collection the \
      first ten elements are. Below stands by which properties objects link to it. \
      An object that an online migration has not yet converted is shown as it was, with its version.

      Examples:
        whimbrel show zones.whimbrel Zone Europe/Andorra
        whimbrel show zones.whimbrel Country AD FR --depth 0
        whimbrel show zones.whimbrel Zone id:17 --json | jq .values.latitude
      """)

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Argument(
    help: ArgumentHelp("The class of the objects.", valueName: "class"), completion: .classOfStore)
  var className: String

  @Argument(
    help: ArgumentHelp(
      "The objects: primary keys, or object IDs as 'id:17'; '--' before a key such as '-8'.",
      valueName: "object"))
  var objects: [String]

  @Option(help: ArgumentHelp("Follow so many links one after the other.", valueName: "number"))
  var depth = 1

  @Flag(help: "Write a line of JSON for each object.")
  var json = false

  func validate() throws {
    if objects.isEmpty { throw ValidationError("Name at least one object.") }
    if depth < 0 { throw ValidationError("'--depth' is not negative.") }
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
