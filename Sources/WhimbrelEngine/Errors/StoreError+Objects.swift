// The errors of objects.

extension StoreError {
  /// Returns the error for a primary key that another object already has.
  package static func duplicatePrimaryKey(
    class className: String, property: String, key primaryKey: PropertyValue,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .duplicatePrimaryKey,
      Sentence(
        "add an object of \(quoted(className))",
        "another object already has \(key(primaryKey)) as its \(quoted(property))",
        "Choose another key, or pass 'update: .modified' to change the existing object."),
      Context(class: className, property: property, primaryKey: primaryKey), file: file, line: line)
  }

  /// Returns the error for values of a unique index that another object already has.
  package static func duplicateValues(
    class className: String, properties: [String], objectID: ObjectID, existing: ObjectID,
    keys: [ObjectID: PropertyValue] = [:], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .duplicateValues,
      Sentence(
        "write \(object(objectID, keys[objectID])) of \(quoted(className))",
        "\(object(existing, keys[existing])) already has the same "
          + properties.map(quoted).joined(separator: " and "),
        "Change \(properties.count == 1 ? "the value" : "one of the values"), or declare the index without "
          + "'.unique'."),
      Context(
        class: className, property: properties.joined(separator: ", "), objectID: objectID,
        primaryKey: keys[objectID]
      ).with(\.objectIDs, [objectID, existing]), file: file, line: line)
  }

  /// Returns the error for a required property without a value and a default.
  package static func missingValue(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .missingValue,
      Sentence(
        "store an object of \(quoted(className))", "its property \(quoted(property)) has no value",
        "Set it, declare a default value, or make it optional."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for reading a property as another type than that of its value.
  package static func wrongTypeRead(
    class className: String, property: String, stored: PropertyType, isOptional: Bool = false,
    isNil: Bool = false, wanted: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      Sentence(
        "read \(quoted(className + "." + property)) as \(wanted)",
        isNil ? "it is nil" : "it holds '\(stored)\(isOptional ? "?" : "")'",
        isNil ? "Read it as an optional." : "Read it as its own type."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a new object without a value for a property that only a newer app
  /// declares.
  package static func undeclaredValueMissing(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .missingValue,
      Sentence(
        "add an object of \(quoted(className))",
        "its property \(quoted(property)), which this app does not declare, has no default value",
        "Add the object with the version of the app that declares the property."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for setting a property to a value of another type.
  package static func wrongType(
    class className: String, property: String, expected: PropertyType, isOptional: Bool = false,
    got: String, advice: String? = nil,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .setting(
        className, property,
        "it holds '\(expected)\(isOptional ? "?" : "")' and was given '\(got)'",
        advice ?? "Give it a value of its own type."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a number outside its property's range.
  package static func outOfRange(
    class className: String, property: String, got: String, type: PropertyType,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange,
      .setting(
        className, property,
        "the value of type '\(got)' does not fit into '\(type)'\(range(of: type))",
        "Give it a number that fits, or declare a wider type."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for changing the primary key of a stored object.
  package static func primaryKeyIsFixed(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .primaryKeyIsFixed,
      .setting(
        className, property, "it is the primary key of an object that is in a store",
        "Add a new object with that key and delete this one, or change keys in a migration."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a given raw value that is not a case of the enum.
  package static func unknownCase(
    class className: String, property: String, known: [String], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange,
      .setting(
        className, property, "the value is not one of the enum's cases: \(names(known))",
        "Give it the raw value of a case, or add the case."),
      Context(class: className, property: property), file: file, line: line)
  }

  package static func unknownClass(
    class className: String, known: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownClass,
      Sentence(
        "find the class \(quoted(className))", "the schema does not have it",
        suggestion(for: className, among: known, called: "classes")),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a model that the configuration of the store does not list.
  package static func unlistedModel(
    class className: String, known: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let listed = known.isEmpty ? "There are none." : "There are only \(names(known))."
    return StoreError(
      .unknownClass,
      Sentence(
        "find the class \(quoted(className))", "the configuration does not list its model",
        "Add the model to the 'models' of the configuration. \(listed)"),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a model of a class for which the configuration lists another model.
  package static func otherModel(
    class className: String, model: String, listed: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownClass,
      Sentence(
        "use the model \(quoted(model)) for objects of \(quoted(className))",
        "the 'models' of the configuration list \(quoted(listed)) for this class",
        "Use that model, or list the other one instead. If an app needs both in one store, give one "
          + "of them another class name, as in '@Model(\"Name\")'."),
      Context(class: className), file: file, line: line)
  }

  package static func unknownProperty(
    class className: String, property: String, known: [String], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownProperty,
      Sentence(
        "find the property \(quoted(property)) of \(quoted(className))",
        "the class does not have it",
        suggestion(for: property, among: known, called: "properties")),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a change outside a write.
  package static func notInWrite(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notInWrite,
      Sentence(verb, "no write is in progress", "Do it inside 'store.write { }'."),
      Context(), file: file, line: line)
  }

  /// Returns the error for beginning a write inside a write.
  package static func nestedWrite(
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .nestedWrite,
      Sentence(
        "begin a write", "a write is already in progress on this thread",
        "Make both changes in the same write."
      ),
      Context(), file: file, line: line)
  }

  /// - Parameter mayBeUnfinished: Whether an asynchronous write, which may have added the object, has
  ///   yet to return.
  package static func objectDeleted(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue? = nil,
    mayBeUnfinished: Bool = false, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .objectDeleted,
      Sentence(
        "use \(object(objectID, primaryKey)) of \(quoted(className))",
        mayBeUnfinished
          ? "it has been deleted, or was added by an 'asyncWrite' that has not returned"
          : "it has been deleted",
        mayBeUnfinished
          ? "Wait until 'asyncWrite' returns before you use an object that it adds."
          : "Find the object again before you use it."),
      Context(class: className, objectID: objectID, primaryKey: primaryKey), file: file, line: line)
  }

  package static func objectOfOtherStore(
    class className: String, objectID: ObjectID? = nil, primaryKey: PropertyValue? = nil,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .objectOfOtherStore,
      Sentence(
        "use \(objectID.map { object($0, primaryKey) } ?? "an object") of \(quoted(className))",
        "it belongs to another store", "Find the object in this store, or create a copy of it here."
      ),
      Context(class: className, objectID: objectID, primaryKey: primaryKey), file: file, line: line)
  }

  /// Returns the error for a lookup by primary key in a class without one.
  package static func noPrimaryKey(
    class className: String, updating: Bool = false, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .noPrimaryKey,
      Sentence(
        updating
          ? "add or update an object of \(quoted(className))"
          : "look up an object of \(quoted(className)) by its primary key",
        "the class has no primary key",
        "Mark a property with '@PrimaryKey', or "
          + (updating ? "leave 'update' out to add a new object." : "use a query.")),
      Context(class: className), file: file, line: line)
  }

  /// Returns the error for a lookup by a key of another type than the primary key's.
  package static func wrongKeyType(
    class className: String, property: String, expected: PropertyType, got: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      Sentence(
        "look up an object of \(quoted(className)) by its primary key",
        "\(quoted(property)) holds '\(expected)' and was given '\(got)'",
        "Give a key of type '\(expected)'."),
      Context(class: className, property: property), file: file, line: line)
  }

  /// Returns the error for a value above the size limit.
  package static func valueTooLarge(
    class className: String, property: String, limit: Int, got: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .valueTooLarge,
      .setting(
        className, property, "the value takes \(got) bytes and at most \(limit) are allowed",
        "Keep it in a file of its own, and store the path."),
      Context(class: className, property: property, count: got, limit: limit), file: file,
      line: line)
  }

  /// Returns the error for an action that needs an object of a store.
  package static func notInStore(
    verb: String, class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notInStore,
      Sentence(
        "\(verb) an object of \(quoted(className))", "it is not in a store",
        "Add it to a store first, or find the object in the store."),
      Context(class: className), file: file, line: line)
  }
}
