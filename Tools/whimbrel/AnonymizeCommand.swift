import ArgumentParser
import WhimbrelInspection
import WhimbrelSampling

struct AnonymizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Create a store of the same shape without personal data.",
    discussion: """
      Replaces strings, data, UUIDs and object identifiers with others of the same length, script, \
      case and form, except in properties that '--keep-values' names. Equal values stay equal, and \
      different values stay different. Migrations can still parse the strings: JSON keeps its \
      names, and addresses, account numbers and dates keep their form. The same key gives the same \
      replacements in every store. Lengths, links, the frequency of values, and numbers and dates \
      that are not moved stay unchanged. The tool lists such numbers and dates.

      Examples:
        whimbrel anonymize customers.whimbrel shareable.whimbrel --random-key
        whimbrel anonymize v1.whimbrel v1-shareable.whimbrel --key-file secret.txt --report
        whimbrel anonymize customers.whimbrel shareable.whimbrel --key-file secret.txt \
      --keep-values 'Country.*' --jitter Customer.birthday=30d --jitter Order.total=10%
        whimbrel anonymize customers.whimbrel shareable.whimbrel --random-key --shift-dates 365d \
      --jitter-numbers 5%
        whimbrel anonymize copy.whimbrel --in-place --random-key
      """)

  @OptionGroup var options: OutputOptions
  @OptionGroup var key: KeyOptions

  @Option(
    help: ArgumentHelp(
      "Keep the values of a property, or of all properties of a class.",
      valueName: "Class.property"))
  var keepValues: [String] = []

  @Option(
    help: ArgumentHelp(
      "Move the numbers or dates of a property by at most this distance: '10%', '5' or '3d'.",
      valueName: "Class.property=reach"))
  var jitter: [String] = []

  @Option(
    help: ArgumentHelp(
      "Move all other dates by the same time, at most this distance: '30d'. The key determines it. "
        + "Dates in sets and in values of any type stay.",
      valueName: "reach"))
  var shiftDates: String?

  @Option(
    help: ArgumentHelp(
      "Move all other numbers by at most this distance: '10%' or '5'. Keys, unique values, "
        + "enums, sets and values of any type stay.",
      valueName: "reach"))
  var jitterNumbers: String?

  @Option(
    help: ArgumentHelp(
      "Replace strings so that they keep their order. This reveals more about them.",
      valueName: "Class.property"))
  var keepOrder: [String] = []

  @Flag(help: "Print what was done to each property.")
  var report = false

  @Flag(help: "Print what was done to each property as JSON.")
  var json = false

  func run() throws {
    let key = try key.chosen()
    var anonymization = StoreAnonymization(try StoreInspector(path: options.store), key: key)
    // `shiftDates` and `jitterNumbers` below leave out properties that have a choice, so the
    // choices for single properties come first.
    for name in keepValues { try anonymization.keepValues(of: name) }
    for name in keepOrder { try anonymization.keepOrder(of: name) }
    for choice in jitter {
      // The name of the property may contain '=' too, so the last one counts.
      let end = choice.lastIndex(of: "=") ?? choice.endIndex
      try anonymization.jitter(String(choice[..<end]), by: String(choice[end...].dropFirst()))
    }
    // These leave out properties that have a choice by now.
    if let shiftDates { try anonymization.shiftDates(by: shiftDates) }
    if let jitterNumbers { try anonymization.jitterNumbers(by: jitterNumbers) }
    let summary = try anonymization.write(to: options.destination, monitor: Progress.monitor())
    if self.key.randomKey { Output.say("The key is \(key.text)\n") }
    for warning in summary.warnings { Output.say("Warning: \(warning)\n") }
    for note in summary.notes { Output.say("Note: \(note)\n") }
    let text = (report ? summary.text + "\n" : "") + summary.sentence + "\n"
    try Output.write(json ? Output.text(summary.json()) : text, goingOn: true)
  }

  func validate() throws {
    if let choice = jitter.first(where: { !$0.contains("=") || $0.hasPrefix("=") }) {
      throw ValidationError(
        "Specify the distance for '\(PlainText.escaped(choice))': 'Class.property=3d'.")
    }
  }
}

/// The options for the key of an anonymisation. Exactly one must be given.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Read the key from a file.", valueName: "file"), completion: .file())
  var keyFile: String?

  @Option(
    help: ArgumentHelp(
      "Use this text as the key. Other users of the system may see it.", valueName: "text"))
  var key: String?

  @Flag(help: "Generate a key of 128 random bits and print it to standard error.")
  var randomKey = false

  func validate() throws {
    let count = [keyFile != nil, key != nil, randomKey].filter { $0 }.count
    if count != 1 {
      throw ValidationError("Give the key with one of '--key-file', '--key' and '--random-key'.")
    }
  }

  func chosen() throws -> AnonymizationKey {
    if let key { return try AnonymizationKey(text: key) }
    guard let keyFile else { return .random() }
    return try AnonymizationKey(contentsOfFile: keyFile)
  }
}
