import ArgumentParser
import WhimbrelInspection

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change values of an object, or of all that a query finds.",
    discussion: """
      What changes is shown, and is done only with '--write': all of it or nothing. \
      Values are texts as 'latitude=48.87', or one JSON object as a dump has them ('-' reads it from \
      standard input). A link is the name of an object: its primary key, or its object ID as \
      'id:17'. 'null' is nil; a text in double quotes is itself, so that 'name="null"' is the word.

      A damaged object is not changed, unless '--discard-damaged-values' allows it. Then it is \
      written anew with the values that can still be read, which may be wrong: look at them with \
      'whimbrel show'. Other values become nil or the default, and are listed.

      Examples:
        whimbrel set zones.whimbrel Zone Europe/Paris latitude=48.8667 country=FR
        whimbrel set zones.whimbrel Zone id:17 '{"tags": ["a", "b"]}' --write
        whimbrel set zones.whimbrel Zone --where 'latitude > 60' area=north --write
      """)

  @OptionGroup var edited: EditedClass

  @Argument(
    help: ArgumentHelp(
      "The object, unless there is '--where', and the values.", valueName: "object-and-values"))
  var arguments: [String] = []

  @Option(name: .customLong("where"), help: "Change all objects that this query finds.")
  var query: String?

  @Flag(
    help: ArgumentHelp(
      "Change a damaged object, too: values of it that cannot be read become nil or the default."))
  var discardDamagedValues = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    if query == nil, arguments.count < 2 {
      throw ValidationError("Name an object and give it a value, as 'latitude=48.87'.")
    }
    if query != nil, discardDamagedValues {
      throw ValidationError(
        "'--discard-damaged-values' goes with the name of an object, not with '--where'.")
    }
    if arguments.isEmpty { throw ValidationError("Give a value, as 'latitude=48.87'.") }
  }

  func run() throws {
    let objects = query.map(StoreEdit.Objects.query) ?? .named([arguments[0]])
    let values = try EditOptions.values(
      Array(query == nil ? arguments.dropFirst() : arguments[...]))
    try options.run(
      .set(class: edited.name, objects, values), in: edited.store,
      discardingDamagedValues: discardDamagedValues)
  }
}
