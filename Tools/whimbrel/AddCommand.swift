import ArgumentParser
import Foundation
import WhimbrelInspection

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add one or several objects.",
    discussion: """
      Shows the object, and adds it only with '--write'. Write the values as for 'whimbrel set'. \
      Omitted properties get their defaults. An embedded object is part of its owner's JSON. \
      Standard input may contain several objects, as lines of JSON or as one array. The tool adds \
      all of them or none.

      Examples:
        whimbrel add zones.whimbrel Country code=XK name=Kosovo
        whimbrel add zones.whimbrel Country '{"code": "XK", "name": "Kosovo"}' --write
        whimbrel add zones.whimbrel Country - --write < new.json
      """)

  @OptionGroup var edited: EditedClass

  @Argument(
    help: ArgumentHelp(
      "The values: 'property=value' for each, one JSON object, or '-' for objects on standard "
        + "input.",
      valueName: "values"))
  var arguments: [String] = []

  @OptionGroup var options: EditOptions

  func run() throws {
    guard arguments == ["-"] else {
      return try options.run(
        [.add(class: edited.name, EditOptions.values(arguments))], in: edited.store)
    }
    let additions = try StoreEdit.Operation.additions(
      to: edited.name, json: EditOptions.standardInput(), name: "standard input")
    if additions.isEmpty {
      throw ValidationError("Standard input contains no object.")
    }
    try options.run(additions, in: edited.store)
  }
}
