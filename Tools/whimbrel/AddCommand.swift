import ArgumentParser
import Foundation
import WhimbrelInspection

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an object, or several.",
    discussion: """
      The object is shown, and is added only with '--write'. Values are given as for \
      'whimbrel set'; what is not given is the default. An embedded object is part of its owner's \
      JSON. On standard input there may be several objects, as lines of JSON or as an array: all are \
      added, or none.

      Examples:
        whimbrel add zones.whimbrel Country code=XK name=Kosovo
        whimbrel add zones.whimbrel Zone '{"identifier": "Europe/Pristina", "country": "XK"}' --write
        whimbrel add zones.whimbrel Country - --write < new.json
      """)

  @OptionGroup var edited: EditedClass

  @Argument(
    help: ArgumentHelp(
      "The values: 'property=value' for each, one JSON object, or '-' for objects on standard input.",
      valueName: "values"))
  var arguments: [String] = []

  @OptionGroup var options: EditOptions

  func run() throws {
    guard arguments == ["-"] else {
      return try options.run(
        [.add(class: edited.name, EditOptions.values(arguments))], in: edited.store)
    }
    let input = try FileHandle.standardInput.readToEnd() ?? Data()
    let additions = try StoreEdit.Operation.additions(
      to: edited.name, json: input, name: "standard input")
    if additions.isEmpty {
      throw ValidationError("Give an object on standard input; there was none.")
    }
    try options.run(additions, in: edited.store)
  }
}
