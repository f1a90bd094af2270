// The errors of collections and of embedded objects.

extension StoreError {
  /// Returns the error for an empty or too long key of a map.
  package static func invalidMapKey(
    class className: String, property: String, limit: Int, got: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    let reason =
      got == 0
      ? "the key is empty" : "the key takes \(got) bytes and at most \(limit) are allowed"
    return StoreError(
      .invalidMapKey,
      .setting(className, property, reason, "Use a key of 1 to \(limit) bytes."),
      Context(class: className, property: property, count: got, limit: limit), file: file,
      line: line)
  }

  /// Returns the error for lists and maps nested too deep in a value of any type.
  package static func nestedTooDeep(
    class className: String, property: String, limit: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .nestedTooDeep,
      .setting(
        className, property, "lists and maps are nested more than \(limit) levels deep",
        "Keep the inner ones in separate objects."),
      Context(class: className, property: property, limit: limit), file: file, line: line)
  }

  /// Returns the error for objects nested too deep in the values of an object.
  package static func nestedTooDeep(
    class className: String, limit: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .nestedTooDeep,
      Sentence(
        "create an object of \(quoted(className))",
        "its objects are nested more than \(limit) levels deep in the values",
        "Create the inner objects first, and link to them."),
      Context(class: className, limit: limit), file: file, line: line)
  }

  /// Returns the error for a second link to an embedded object.
  package static func embeddedHasOwner(
    class className: String, objectID: ObjectID? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasOwner,
      Sentence(
        "link to \(objectID.map { "object \($0)" } ?? "an object") of \(quoted(className))",
        "the class is embedded, and the object already has an owner",
        "Make a copy of it, and link to the copy."),
      Context(class: className, objectID: objectID), file: file, line: line)
  }

  /// Returns the error for a value of any type that links to an embedded
  /// object.
  package static func embeddedReference(
    class className: String, property: String, target: String, objectID: ObjectID,
    primaryKey: PropertyValue? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasOwner,
      .setting(
        className, property,
        "\(object(objectID, primaryKey)) of \(quoted(target)) is embedded, and a value of any type "
          + "cannot own it",
        "Link to the object that owns it, or store its values."),
      Context(class: className, property: property, objectID: objectID), file: file, line: line)
  }

  /// Returns the error for adding an embedded object without an owner.
  package static func embeddedNeedsOwner(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedNeedsOwner,
      Sentence(
        "add an object of \(quoted(className))",
        "the class is embedded, and each of its objects needs an owner",
        "Set a property of another object to it, and add that object."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a position outside a collection.
  package static func positionOutOfBounds(
    class className: String, property: String, position: Int, count: Int,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .positionOutOfBounds,
      Sentence(
        "use element \(position) of \(place(className, property))",
        "the collection has \(Self.count(count, "element"))",
        "Indices start at 0 and end before the count."),
      Context(class: className, property: property, count: position, limit: count), file: file,
      line: line)
  }
}
