internal import WhimbrelEngine
public import WhimbrelInspection

/// A schema that is guessed from a JSON export of Realm Studio. It is for apps without models;
/// `whimbrel schema --swift` writes them from the store.
///
/// ```swift
/// let guess = try RealmSchema(path: "export.json", primaryKeys: ["Zone": "identifier"])
/// try RealmImport(path: "export.json", into: "app.whimbrel", .newStore(guess.schema)).run()
/// ```
///
/// The type of a property is the narrowest one that all values have: `int` before `double`, and
/// `date`, `uuid` or `objectId` when all texts are such values. A property is optional when a value
/// is nil or missing. An object in an object is a link to the class that `$refId` names, or else to
/// the only class with the same properties. If there is no such class, the object is embedded, in a
/// class named after the property. Properties with values of several types, or without values, are
/// `any`. Primary keys are never guessed. Links that are only a primary key, as in Realm Studio 3
/// and 4, look like other values; only a declared schema identifies them.
public struct RealmSchema {
  /// The schema, of version 1.
  public let schema: SchemaExport
  /// Notes on properties without enough values for a guess, one sentence each.
  public let notes: [String]

  /// Guesses the schema of an export. All values are read.
  ///
  /// - Parameters:
  ///   - path: The export.
  ///   - primaryKeys: The primary keys, by class.
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument` or `cannotRead`.
  /// - Complexity: O(*n*), in memory for one object and the schema.
  public init(path: String, primaryKeys: [String: String] = [:]) throws {
    let input = try RepeatableInput(path: path)
    let document = try RealmFormat.document(input)
    var guess = SchemaGuess()
    try document.forEach { className, node in try guess.noteObject(className, node) }
    try document.forEach { className, node in
      try guess.look(at: node.members(), of: className, depth: 0)
    }
    for (className, property) in primaryKeys.sorted(by: { $0.key < $1.key }) {
      guard guess.has(property, in: className) else {
        throw InspectionError.badArgument(
          "\(className).\(property)", "the export has no such property",
          "Write the primary key as 'Zone.identifier'.")
      }
    }
    let classes = guess.classes(primaryKeys: primaryKeys)
    schema = SchemaExport(schemaVersion: 1, classes: classes)
    notes = guess.notes
  }
}
