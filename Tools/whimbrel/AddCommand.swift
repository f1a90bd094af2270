import ArgumentParser
import WhimbrelInspection

/// `whimbrel add`
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an object.",
    discussion: """
      The object is shown, and is added only with '--write'. Values are given as for \
      'whimbrel set'; what is not given is the default. An embedded object is part of its owner's \
      JSON.

      Examples:
        whimbrel add zones.whimbrel Country code=XK name=Kosovo
        whimbrel add zones.whimbrel Zone '{"identifier": "Europe/Pristina", "country": "XK"}' --write
        jq '.[0]' new.json | whimbrel add zones.whimbrel Country - --write
      """)

  @OptionGroup var edited: EditedClass

  @Argument(
    help: ArgumentHelp(
      "The values: 'property=value' for each, one JSON object, or '-'.", valueName: "values"))
  var arguments: [String] = []

  @OptionGroup var options: EditOptions

  func run() throws {
    try options.run(.add(class: edited.name, EditOptions.values(arguments)), in: edited.store)
  }
}
