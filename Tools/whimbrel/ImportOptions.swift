import ArgumentParser
import WhimbrelEngine
import WhimbrelImport
import WhimbrelInspection

/// The options of `load` for CSV, JSON and exports of Realm Studio.
struct ImportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The schema of the new store, as 'whimbrel schema --json' writes it.", valueName: "path"),
    completion: .file())
  var schema: String?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("The class of the objects in CSV or JSON.", valueName: "name"),
    completion: .classOfStore)
  var className: String?

  @Option(
    help: ArgumentHelp(
      "Without a schema, the primary key of the objects in CSV or JSON.", valueName: "property"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "A CSV column whose name differs from its property.", valueName: "column=property"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "The separator of CSV fields, or 'tab'. By default, the comma, semicolon or tab in the first "
        + "line.", valueName: "character"))
  var separator: String?

  @Option(
    help: ArgumentHelp(
      "Without a schema, the primary key of a class in an export of Realm Studio.",
      valueName: "class.property"))
  var primaryKey: [String] = []

  @Flag(help: "Load an export of Realm Studio even if values are lost, and list them.")
  var allowLoss = false

  /// Throws when options do not fit together.
  func validate(for format: LoadCommand.Format, isMerge: Bool) throws {
    switch format {
    case .dump:
      if schema != nil || className != nil || !map.isEmpty || allowLoss || !primaryKey.isEmpty
        || key != nil || separator != nil
      {
        throw ValidationError("A dump has its own schema. Use '--from' for other formats.")
      }
    case .csv, .json, .jsonl:
      if className == nil { throw ValidationError("Name the class of the objects with '--class'.") }
      if isMerge, schema != nil {
        throw ValidationError(
          "Use '--merge' for an existing store, or '--schema' for a new one.")
      }
      if key != nil, isMerge || schema != nil {
        throw ValidationError("The schema declares the primary key.")
      }
      if !primaryKey.isEmpty {
        throw ValidationError("Name the primary key of CSV or JSON with '--key'.")
      }
      if allowLoss { throw ValidationError("'--allow-loss' is for exports of Realm Studio.") }
      if format != .csv, !map.isEmpty || separator != nil {
        throw ValidationError("'--map' and '--separator' are for columns of CSV.")
      }
      if let separator, separator != "tab", separator.count != 1 {
        throw ValidationError("Give one character as separator, or 'tab'.")
      }
    case .realm:
      if key != nil {
        throw ValidationError("Also name the class: '--primary-key Class.property'.")
      }
      if className != nil || !map.isEmpty || separator != nil {
        throw ValidationError("'--class', '--map' and '--separator' are for CSV and JSON.")
      }
      if isMerge, schema != nil || !primaryKey.isEmpty {
        throw ValidationError("'--merge' uses the schema of the store.")
      }
      if schema != nil, !primaryKey.isEmpty {
        throw ValidationError("The schema declares the primary keys.")
      }
    }
    for text in map where QualifiedName(text, separator: "=") == nil {
      throw ValidationError("Write '--map' as 'column=property'.")
    }
    for text in primaryKey where QualifiedName(text) == nil {
      throw ValidationError("Write '--primary-key' as 'Class.property'.")
    }
  }

  private func pairs(_ texts: [String], _ separator: Unicode.Scalar) -> [String: String] {
    let pairs = texts.compactMap { QualifiedName($0, separator: separator) }
    return Dictionary(pairs.map { ($0.first, $0.second) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the destination of CSV or JSON, or nil when the schema has to be guessed.
  func destination(_ policy: MergePolicy?) throws -> ImportDestination? {
    if let policy { return .merge(policy) }
    // Do not write this with '??': in an autoclosure the compiler destroys a case whose value was
    // never initialised.
    guard let schema else { return nil }
    let export = try readSchema(schema)
    return .newStore(export)
  }

  func csvOptions(_ unknown: StoreMerge.UnknownNames) -> CSVImport.Options {
    var options = CSVImport.Options()
    options.separator = separator == "tab" ? "\t" : separator?.first
    options.properties = pairs(map, "=")
    options.unknown = unknown
    return options
  }

  /// Returns the destination of an export of Realm Studio. Without a schema it guesses one.
  func realmDestination(_ policy: MergePolicy?, _ source: String) throws -> ImportDestination {
    if let policy { return .merge(policy) }
    if let schema { return .newStore(try readSchema(schema)) }
    if source == "-" {
      throw InspectionError.schemaNeeded
    }
    let guess = try RealmSchema(path: source, primaryKeys: pairs(primaryKey, "."))
    for note in guess.notes { Self.say(note) }
    Self.say("The schema was guessed from the values. 'whimbrel schema --swift' shows it.")
    return .newStore(guess.schema)
  }

  func realmOptions(_ unknown: StoreMerge.UnknownNames) -> RealmImport.Options {
    var options = RealmImport.Options()
    options.unknown = unknown
    options.losses = allowLoss ? .allowed : .refused
    return options
  }

  private func readSchema(_ path: String) throws -> SchemaExport {
    if path == "-" { throw ValidationError("'--schema' requires a file.") }
    return try SchemaInput.read(path).schema
  }

  /// Writes a guessed schema to standard error.
  static func show(_ guess: GuessedSchema) {
    let rows = StoreError.count(guess.rows, "row")
    Output.say(
      "The schema was guessed from \(rows). Use '--schema' for another one.\n" + guess.text)
    for note in guess.notes { say(note) }
  }

  /// Writes a note to standard error.
  static func say(_ note: String) {
    Output.say("Note: \(PlainText.escaped(note))\n")
  }
}
