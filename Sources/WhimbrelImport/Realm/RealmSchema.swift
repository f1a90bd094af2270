internal import WhimbrelEngine
public import WhimbrelInspection

/// A schema that is guessed from what Realm Studio exports as JSON, for apps whose models are not
/// written yet: `whimbrel schema --swift` makes them from the store.
///
/// ```swift
/// let guess = try RealmSchema(path: "export.json", primaryKeys: ["Zone": "identifier"])
/// try RealmImport(path: "export.json", into: "app.whimbrel", .newStore(guess.schema)).run()
/// ```
///
/// Types are the narrowest that all values have: `int` before `double`, and `date`, `uuid` or
/// `objectId` for texts that all are such. A property is optional when a value is nil or missing.
/// Objects in objects are links to the class that `$refId` names, or else the one class that has
/// the same properties; where there is none they are embedded, in a class named like the property.
/// Values of several types are `any`, and so are those of which there is none. Primary keys are
/// never guessed. Links that are only the primary key of an object, as Realm Studio 3 and 4 write
/// them, look like any value; only a schema tells.
public struct RealmSchema {
  /// The schema, of version 1.
  public let schema: SchemaExport
  /// What there was too little to see of, one sentence each.
  public let notes: [String]

  /// Looks at all values of an export.
  ///
  /// - Parameters:
  ///   - path: the export.
  ///   - primaryKeys: the primary keys, by class.
  /// - Throws: ``InspectionError`` with `badImport`, `badArgument` or `cannotRead`.
  /// - Complexity: O(*n*), in memory for one object and the schema.
  public init(path: String, primaryKeys: [String: String] = [:]) throws {
    let input = try RepeatableInput(path: path).opened()
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
          "Write a primary key as 'Zone.identifier'.")
      }
    }
    let classes = guess.classes(primaryKeys: primaryKeys)
    schema = SchemaExport(schemaVersion: 1, classes: classes)
    notes = guess.notes
  }
}
