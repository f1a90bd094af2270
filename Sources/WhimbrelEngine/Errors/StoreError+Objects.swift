// The errors of objects: each takes the facts; StoreError+Sentences.swift words them.

extension StoreError {
  /// An object with this primary key exists.
  package static func duplicatePrimaryKey(
    class className: String, property: String, key primaryKey: PropertyValue,
    existing: ObjectID? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .duplicatePrimaryKey,
      .duplicatePrimaryKey(
        class: className, property: property, key: primaryKey, existing: existing),
      Context(class: className, property: property, objectID: existing, primaryKey: primaryKey),
      file: file, line: line)
  }

  /// Another object has these values, and an index is unique.
  package static func duplicateValues(
    class className: String, properties: [String], values: [PropertyValue], objectID: ObjectID,
    existing: ObjectID, keys: [ObjectID: PropertyValue] = [:], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .duplicateValues,
      .duplicateValues(
        class: className, properties: properties, values: values, objectID: objectID,
        existing: existing, keys: keys),
      Context(
        class: className, property: properties.joined(separator: ", "), objectID: objectID,
        primaryKey: keys[objectID]
      ).with(\.objectIDs, [objectID, existing]),
      file: file, line: line)
  }

  /// A required property has neither a value nor a default.
  package static func missingValue(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .missingValue, .missingValue(class: className, property: property),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A property is read as a type that its value is not of.
  package static func wrongTypeRead(
    class className: String, property: String, stored: PropertyType, isOptional: Bool = false,
    isNil: Bool = false, wanted: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .wrongTypeRead(
        class: className, property: property, stored: stored, isOptional: isOptional,
        isNil: isNil, wanted: wanted),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A property that only a newer app declares has no default value for a new object.
  package static func undeclaredValueMissing(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .missingValue, .undeclaredValueMissing(class: className, property: property),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A value is of another type than its property.
  package static func wrongType(
    class className: String, property: String, expected: PropertyType, isOptional: Bool = false,
    got: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .wrongType(
        class: className, property: property, expected: expected, isOptional: isOptional, got: got),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A number does not fit into its property.
  package static func outOfRange(
    class className: String, property: String, got: String, type: PropertyType,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange, .outOfRange(class: className, property: property, got: got, type: type),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// The primary key of an object in a store was to be changed.
  package static func primaryKeyIsFixed(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .primaryKeyIsFixed, .primaryKeyIsFixed(class: className, property: property),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A raw value is that of no case of the enum.
  package static func unknownCase(
    class className: String, property: String, known: [String], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange, .unknownCase(class: className, property: property, known: known),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// The schema has no such class.
  package static func unknownClass(
    class className: String, known: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownClass, .unknownClass(class: className, known: known),
      Context(class: className),
      file: file, line: line)
  }

  /// The class has no such property.
  package static func unknownProperty(
    class className: String, property: String, known: [String], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownProperty, .unknownProperty(class: className, property: property, known: known),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A change was tried outside of a write.
  package static func notInWrite(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notInWrite, .notInWrite(verb: verb),
      Context(),
      file: file, line: line)
  }

  /// A write was begun inside of a write.
  package static func nestedWrite(
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .nestedWrite, .nestedWrite(),
      Context(),
      file: file, line: line)
  }

  /// The object has been deleted.
  package static func objectDeleted(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue? = nil,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .objectDeleted,
      .objectDeleted(class: className, objectID: objectID, primaryKey: primaryKey),
      Context(class: className, objectID: objectID, primaryKey: primaryKey),
      file: file, line: line)
  }

  /// The object belongs to another store.
  package static func objectOfOtherStore(
    class className: String, objectID: ObjectID? = nil, primaryKey: PropertyValue? = nil,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .objectOfOtherStore,
      .objectOfOtherStore(class: className, objectID: objectID, primaryKey: primaryKey),
      Context(class: className, objectID: objectID, primaryKey: primaryKey),
      file: file, line: line)
  }

  /// Something needs a primary key and the class has none.
  package static func noPrimaryKey(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .noPrimaryKey, .noPrimaryKey(class: className),
      Context(class: className),
      file: file, line: line)
  }

  /// An object is looked for by a key of another type than its primary key has.
  package static func wrongKeyType(
    class className: String, property: String, expected: PropertyType, got: String,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .wrongKeyType(class: className, property: property, expected: expected, got: got),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A value takes more bytes than a store keeps.
  package static func valueTooLarge(
    class className: String, property: String, limit: Int, got: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .valueTooLarge, .valueTooLarge(class: className, property: property, limit: limit, got: got),
      Context(class: className, property: property, count: got, limit: limit),
      file: file, line: line)
  }
}
