import ArgumentParser
import WhimbrelInspection

struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change values of an object, or of all objects that a query finds.",
    discussion: """
      Shows the changes, and writes them only with '--write': all of them or none. Values are text \
      such as 'latitude=48.87', or one JSON object as in a dump ('-' reads it from standard \
      input). A link is the name of an object: its primary key, or its object ID such as 'id:17'. \
      'null' is nil. A value in double quotes is always text, so 'name="null"' sets the word.

      A damaged object is changed only with '--discard-damaged-values'. It is then rewritten with \
      the values that can still be read. These may be wrong: look at them with 'whimbrel show'. \
      Other values become nil or the default, and are listed.

      Examples:
        whimbrel set zones.whimbrel Zone Europe/Paris latitude=48.8667 country=FR
        whimbrel set zones.whimbrel Zone id:17 '{"isPopular": true, "country": null}' --write
        whimbrel set zones.whimbrel Zone --where 'latitude > 60' isPopular=true --write
      """)

  @OptionGroup var edited: EditedClass

  @Argument(
    help: ArgumentHelp(
      "The object, unless you use '--where', and the values. Write '--' before a key such as '-8'.",
      valueName: "object-and-values"))
  var arguments: [String] = []

  @Option(name: .customLong("where"), help: "Change all objects that this query finds.")
  var query: String?

  @Flag(
    help: ArgumentHelp(
      "Also change a damaged object. Values that cannot be read become nil or the default."))
  var discardDamagedValues = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    try EditOptions.requireCondition(in: query)
    if query == nil, arguments.count < 2 {
      throw ValidationError("Name an object and give it a value, such as 'latitude=48.87'.")
    }
    if query != nil, discardDamagedValues {
      throw ValidationError(
        "'--discard-damaged-values' requires the name of an object instead of '--where'.")
    }
    if arguments.isEmpty { throw ValidationError("Give a value, such as 'latitude=48.87'.") }
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
