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
    class className: String, objectID: ObjectID, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion
  ) -> Sentence {
    Sentence(
      "migrate \(quoted(className)) from version \(oldVersion) to \(newVersion)",
      "the class is embedded now, and the links of object \(objectID) lead back to it",
      "Make one of them nil in the migration block. The store is unchanged.")
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
