extension InspectionError.Code {
  /// The objects of the selection cannot be dumped on their own.
  public static let badSelection = Self("badSelection")
  /// A link leads out of the dump, and the options refuse it.
  public static let linkLeadsOut = Self("linkLeadsOut")
  /// The loaded data has classes or properties that the store lacks.
  public static let schemaMismatch = Self("schemaMismatch")
  /// An object to be added is in the store already.
  public static let objectExists = Self("objectExists")
  /// A CSV file or an export of Realm Studio is not valid.
  public static let badImport = Self("badImport")
  /// Some values of an export cannot be stored.
  public static let lossyImport = Self("lossyImport")
}

// MARK: - Dumps

extension InspectionError {
  static func embeddedSelection(_ className: String) -> InspectionError {
    InspectionError(
      .badSelection,
      "Could not dump objects of class \(PlainText.quoted(className)) as selected: they are "
        + "embedded and go with the objects that they belong to.",
      "Select or leave out the class that they belong to.")
  }

  static func linkLeadsOut(
    _ property: String, of object: String, class className: String
  ) -> InspectionError {
    InspectionError(
      .linkLeadsOut,
      "Could not dump the selection: \(PlainText.quoted(property)) of object "
        + "\(PlainText.quoted(object)) of class \(PlainText.quoted(className)) leads to an object "
        + "outside the selection.",
      "Use '--follow' to include linked objects, or omit '--strict' to write such links as nil.")
  }

  static func foreignFolder(_ path: String) -> InspectionError {
    InspectionError(
      .fileExists,
      "Could not dump the store into the folder \(PlainText.quoted(path)): something that is not a "
        + "dump already has that name.",
      "Choose another name, or empty the folder first.")
  }

  static func existingFolder(_ path: String) -> InspectionError {
    InspectionError(
      .fileExists,
      "Could not dump the store into the folder \(PlainText.quoted(path)): the folder already "
        + "contains a dump.",
      "Use '--force' to replace it.")
  }

  package static func existingDump(_ path: String) -> InspectionError {
    InspectionError(
      .fileExists,
      "Could not dump the store into \(PlainText.quoted(path)): a file with that name already "
        + "exists.",
      "Choose another name, or use '--force' to replace the file.")
  }

  static func storeAsDump(_ path: String, _ kind: String) -> InspectionError {
    InspectionError(
      .fileExists,
      "Could not dump the store into \(PlainText.quoted(path)): the file is \(kind).",
      "Choose another name.")
  }

  static func badFolder(_ name: String, _ reason: String) -> InspectionError {
    InspectionError(
      .badDump, "Could not load the dump's \(PlainText.quoted(name)): \(reason).",
      "Check that the folder is one that 'whimbrel dump --folder' wrote. Nothing was changed.")
  }
}

// MARK: - Merging and importing

extension InspectionError {
  /// Returns the error for a schema that does not fit.
  ///
  /// - Parameter problems: Clauses that name a class, or a property as
  ///   `Zone.latitude`.
  package static func schemaMismatch(_ source: String, _ problems: [String]) -> InspectionError {
    InspectionError(
      .schemaMismatch,
      "Could not load \(PlainText.quoted(source)): \(problems.joined(separator: "; ")).",
      "Migrate the store to the same schema first, or use '--ignore-unknown' to omit unknown "
        + "classes and properties. Nothing was changed.")
  }

  static func objectExists(
    _ source: String, _ place: String, class className: String, key: String
  ) -> InspectionError {
    InspectionError(
      .objectExists,
      "Could not load \(PlainText.quoted(source)): \(place): the object \(PlainText.quoted(key)) "
        + "of class \(PlainText.quoted(className)) is already in the store.",
      "Use '--merge keep', 'replace' or 'update' instead of 'fail'. Nothing was changed.")
  }

  /// Returns the error for invalid input.
  ///
  /// - Parameter place: A position such as `line 3, column 7`, or the name of
  ///   an object.
  package static func badInput(
    _ code: Code, _ source: String, _ place: String, _ reason: String, line: Int? = nil,
    column: Int? = nil
  ) -> InspectionError {
    let where_ = place.isEmpty ? "" : ": \(place)"
    return InspectionError(
      code, "Could not load \(PlainText.quoted(source))\(where_): \(reason).",
      "Correct the file, or create it again. Nothing was changed.", line: line, column: column)
  }

  /// Returns the error for values that would be lost.
  ///
  /// - Parameters:
  ///   - losses: The first losses, each with its class, object and property.
  ///   - count: The number of all losses.
  package static func lossyImport(_ source: String, _ losses: [String], count: Int)
    -> InspectionError
  {
    let shown = losses.map { "\n  - \(PlainText.escaped($0))" }.joined()
    let rest = count > losses.count ? "\n  - and \(count - losses.count) more" : ""
    return InspectionError(
      .lossyImport,
      "Could not load \(PlainText.quoted(source)) without loss:\(shown)\(rest)",
      "Use '--allow-loss' to load the rest. Nothing was changed.")
  }
}

// MARK: - Schemas

extension InspectionError {
  /// The error for a missing schema: a source that can be read only once cannot
  /// be used to guess it.
  package static var schemaNeeded: InspectionError {
    InspectionError(
      .badArgument, "Could not guess a schema from standard input: it can be read only once.",
      "Specify a schema with '--schema', or the path of the export.")
  }
}
