extension Sentence {
  static func invalidMapKey(class className: String, property: String, limit: Int, got: Int)
    -> Sentence
  {
    let reason =
      got == 0
      ? "the key is empty" : "the key takes \(got) bytes and at most \(limit) are allowed"
    return setting(className, property, reason, "Use a key that is not empty, and shorter.")
  }

  static func nestedTooDeep(class className: String, property: String, limit: Int) -> Sentence {
    setting(
      className, property, "lists and maps are more than \(limit) levels inside of each other",
      "Keep the inner ones in objects of their own.")
  }

  static func embeddedHasParent(class className: String, objectID: ObjectID?) -> Sentence {
    Sentence(
      "link to \(objectID.map { "object \($0)" } ?? "an object") of \(quoted(className))",
      "the class is embedded, and the object belongs to another already",
      "Make a copy of it, and link to that.")
  }

  static func embeddedReference(
    class className: String, property: String, target: String, objectID: ObjectID,
    primaryKey: PropertyValue?
  ) -> Sentence {
    setting(
      className, property,
      "\(object(objectID, primaryKey)) of \(quoted(target)) is embedded, and a value of any type "
        + "cannot own it",
      "Link to the object that it belongs to, or store its values.")
  }

  static func migrationEmbeddedShared(
    class className: String, objectID: ObjectID, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion
  ) -> Sentence {
    Sentence(
      "migrate \(quoted(className)) from version \(oldVersion) to \(newVersion)",
      "the class is embedded, and more than one link leads to object \(objectID)",
      "Give each object one of its own in the migration block. The store is unchanged.")
  }

  static func migrationEmbeddedCircle(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue?,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    Sentence(
      migrate(className, oldVersion, newVersion),
      "the class is embedded now, and the links of \(object(objectID, primaryKey)) lead back to it",
      "Make one of them nil in the migration block. The store is unchanged.")
  }

  static func migrationEmbeddedReferences(
    class className: String, references: [EmbeddedReference], total: Int,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    var items = references.map { found in
      "\(quoted(found.className + "." + found.property)) of "
        + "\(object(found.objectID, found.primaryKey)) leads to "
        + "\(object(found.targetID, found.targetKey)) of \(quoted(found.target))"
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    return Sentence(
      migrate(className, oldVersion, newVersion),
      "the class is embedded now, and values of any type lead to its objects", items: items,
      "Set these values to something else in the migration block, or delete the objects there. "
        + "The store is unchanged.")
  }

  static func embeddedNeedsParent(class className: String) -> Sentence {
    Sentence(
      "add an object of \(quoted(className))",
      "the class is embedded, and its objects belong to others",
      "Set a property of another object to it, and add that.")
  }

  static func positionOutOfBounds(
    class className: String, property: String, position: Int, count: Int
  ) -> Sentence {
    Sentence(
      "use element \(position) of '\(className).\(property)'",
      "the collection has \(Self.count(count, "element"))",
      "Positions begin with 0 and end before the count.")
  }
}
