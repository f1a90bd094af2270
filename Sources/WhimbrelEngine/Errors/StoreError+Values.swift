// The errors of values that enter or leave a store as Swift values, dictionaries or arrays.

extension StoreError {
  /// Returns the error for a stored value that its Swift type cannot represent.
  package static func unreadableValue(
    class className: String, property: String, objectID: ObjectID,
    primaryKey: PropertyValue? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange,
      Sentence(
        "read \(quoted(className + "." + property)) of \(object(objectID, primaryKey))",
        "the stored value cannot be converted to the property's Swift type",
        "Make the type accept every value that it ever stored, or correct the values in a migration."
      ),
      Context(class: className, property: property, objectID: objectID, primaryKey: primaryKey),
      file: file, line: line)
  }

  /// Returns the error for a stored raw value that is not a case of the enum.
  ///
  /// - Parameter stored: The raw value, or nil if it is one of several in a collection.
  package static func unreadableCase(
    class className: String, property: String, objectID: ObjectID,
    primaryKey: PropertyValue? = nil, stored: PropertyValue?, known: [String],
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let subject = stored.map { "the stored value \(value($0))" } ?? "a stored value"
    return StoreError(
      .outOfRange,
      Sentence(
        "read \(quoted(className + "." + property)) of \(object(objectID, primaryKey))",
        "\(subject) is not one of the enum's cases: \(names(known))",
        "Add the case to the enum, or set the property of each object that has the value."),
      Context(class: className, property: property, objectID: objectID, primaryKey: primaryKey),
      file: file, line: line)
  }

  /// Returns the error for a given value that its Swift type cannot represent.
  package static func unusableValue(
    class className: String, property: String, type: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange,
      .setting(
        className, property, "the value cannot be converted to \(quoted(type))",
        "Give it a value that the type accepts."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for nil in a property that is not optional.
  package static func nilGiven(
    class className: String, property: String, isElement: Bool = false, hasDefault: Bool = false,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let (reason, recovery) =
      switch (isElement, hasDefault) {
      case (true, _):
        (
          "nil was given for an element, and the elements are not optional",
          "Leave the element out, or declare a collection of optional values."
        )
      case (false, true):
        (
          "nil was given, and the property is not optional; its default value applies only when "
            + "no value is given",
          "Leave the key out to get the default value, or make the property optional."
        )
      case (false, false):
        (
          "nil was given, and the property is not optional",
          "Give it a value, or make the property optional."
        )
      }
    return StoreError(
      .missingValue,
      .setting(className, property, reason, recovery),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a dictionary that cannot be decoded as a `PersistableCodable`.
  package static func undecodableValue(
    class className: String, property: String, type: String, reason: String,
    underlying: any Error, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .setting(
        className, property, "the dictionary cannot be decoded as \(quoted(type)): \(reason)",
        "Give the keys and values that its 'init(from:)' needs."),
      Context(class: className, property: property), underlying: underlying, file: file, line: line)
  }

  /// Returns the error for a value that threw an error in its encoding.
  package static func unencodableValue(
    class className: String, property: String, underlying: any Error, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .setting(
        className, property, "its value cannot be encoded: \(underlying)",
        "Correct the 'encode(to:)' of its type."),
      Context(class: className, property: property), underlying: underlying, file: file, line: line)
  }

  /// Returns the error for creating an object from something without property values.
  package static func notAnObject(
    class className: String, got: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      Sentence(
        "make an object of \(quoted(className))", "it was given \(quoted(got))",
        "Give a dictionary of values by property name, an array of values in the order of the "
          + "properties, or another object of the class."),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for an array with more values than the class has properties.
  package static func tooManyValues(
    class className: String, count: Int, limit: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownProperty,
      Sentence(
        "make an object of \(quoted(className))",
        "the array has \(Self.count(count, "value")) and the class has "
          + (limit == 1 ? "1 property" : "\(limit) properties"),
        "Give at most one value for each property, in the order of the properties."),
      Context(class: className, count: count, limit: limit), file: file, line: line)
  }

  /// Returns the error for encoding objects that link to each other in a cycle, or too deep.
  ///
  /// - Parameter path: The properties that lead to the object, for example `Zone.country`.
  package static func codingCycle(
    class className: String, path: [String], limit: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    // The end of the path shows the cycle, and the beginning shows where it started.
    let shown =
      path.count > 8
      ? path.prefix(2).joined(separator: " → ") + " → … → "
        + path.suffix(4).joined(separator: " → ")
      : path.joined(separator: " → ")
    return StoreError(
      .codingCycle,
      Sentence(
        "encode an object of \(quoted(className))",
        "its links form a cycle, or lead more than \(limit) objects deep: \(shown)",
        "Write 'encode(to:)' for the class, and encode the primary key of the linked object instead "
          + "of the object."),
      Context(class: className, limit: limit), file: file, line: line)
  }
}
