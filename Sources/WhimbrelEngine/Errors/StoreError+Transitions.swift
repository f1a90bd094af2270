// The errors of online migrations.

extension StoreError {
  /// Returns the error for a rule that reads or changes anything but its object.
  ///
  /// - Parameter className: The class of the other object, or nil if it is not known.
  package static func ruleSeesOneObject(
    class className: String?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .ruleFailed,
      Sentence(
        "use \(className.map { "an object of \(quoted($0))" } ?? "another object") in a rule",
        "a rule can read and set the values of one object only",
        "Migrate with a block if values depend on other objects, or if objects are added or "
          + "deleted."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a rule that sets a property whose index entries stay.
  package static func ruleSetsKeptProperty(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .ruleFailed,
      Sentence(
        "set \(quoted(className + "." + property)) in a rule",
        "it is kept from the old version, and it is the primary key, part of an index, or of a "
          + "type that can hold links",
        "Let the rule set a new property, or migrate with a block."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for an object that a rule has failed to convert.
  package static func ruleFailed(
    underlying: any Error, class className: String, objectID: ObjectID,
    primaryKey: PropertyValue?, version: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let reason = (underlying as? StoreError)?.message ?? "\(underlying)"
    return StoreError(
      .ruleFailed,
      Sentence(
        "convert \(object(objectID, primaryKey)) of \(quoted(className)) from version \(version)",
        "its rule failed (\(withoutFullStop(reason)))",
        "Correct the rule. Until then, the object stays as it is stored."),
      Context(class: className, objectID: objectID, primaryKey: primaryKey, stored: version),
      underlying: underlying, file: file, line: line)
  }

  /// Returns the error for a store whose objects need a rule that the app does not have.
  package static func transitionNeedsRule(
    path: String, class className: String, name: String, version: SchemaVersion,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .transitionNeedsRule,
      .store(
        "open", path,
        "objects of \(quoted(className)) are not yet converted from version \(version)",
        "Declare with '.online' the rule for \(quoted(name)) from version \(version) that the previous "
          + "release had, or open the store with that release and let it finish."),
      Context(path: path, class: className, stored: version), file: file, line: line)
  }

  /// Returns the error for a migration that needs the objects of the stored version, to which a rule
  /// does not convert.
  ///
  /// - Parameters:
  ///   - version: The version that the rule reads.
  ///   - stored: The schema version of the store.
  package static func ruleLeadsTooFar(
    path: String, class className: String, name: String, version: SchemaVersion,
    stored: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .transitionNeedsRule,
      .store(
        "migrate", path,
        "a block needs all objects in version \(stored), and the rule for \(quoted(name)) from "
          + "version \(version) sets properties of a later version",
        "Let the rule lead to a frozen declaration of version \(stored). The store is unchanged."),
      Context(path: path, class: className, stored: stored), file: file, line: line)
  }

  /// Returns the error for a change of an object that is not yet converted, by a program that does
  /// not have its rule.
  package static func unconvertedObject(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue?,
    version: SchemaVersion?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .transitionNeedsRule,
      Sentence(
        "change \(object(objectID, primaryKey)) of \(quoted(className))",
        "it is not yet converted from version \(version ?? 0)",
        "Open the store with the app that has the rule for it, and let it finish."),
      Context(class: className, objectID: objectID, primaryKey: primaryKey, stored: version),
      file: file, line: line)
  }

  /// Returns the error for a migration that has to wait for objects which rules cannot convert.
  ///
  /// - Parameters:
  ///   - objects: The first of the objects.
  ///   - keys: The primary keys of the first objects, as far as they have keys.
  package static func transitionBlocked(
    path: String, class className: String, count total: Int, first objects: [ObjectID],
    keys: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let shown = keys.prefix(10)
    let rest = total > shown.count ? " and \(total - shown.count) more" : ""
    return StoreError(
      .ruleFailed,
      .store(
        "migrate", path,
        "\(count(total, "object")) of \(quoted(className)) could not be converted from an "
          + "earlier version"
          + (keys.isEmpty ? "" : ": \(shown.map(quoted).joined(separator: ", "))\(rest)"),
        "Correct the rule for them, then open the store again. Until then, they "
          + "stay as they are stored."),
      Context(path: path, class: className, count: total).with(\.objectIDs, objects),
      file: file, line: line)
  }

  /// Returns the error for a migration that rules cannot make.
  package static func cannotMigrateOnline(
    path: String, from oldVersion: SchemaVersion, to newVersion: SchemaVersion,
    obstacles: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .cannotMigrateOnline,
      Sentence(
        migrateStore(path, oldVersion, newVersion) + " online",
        "not all of its changes can be made object by object", items: obstacles,
        "Correct the rules, or make these changes in a migration block. The store is unchanged."),
      Context(path: path, stored: oldVersion, declared: newVersion), file: file, line: line)
  }

  private static func withoutFullStop(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
