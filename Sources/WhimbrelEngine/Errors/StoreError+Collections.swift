extension StoreError {
  /// A map cannot have an element of that name.
  package static func invalidMapKey(
    class className: String, property: String, limit: Int, got: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidMapKey,
      .invalidMapKey(class: className, property: property, limit: limit, got: got),
      Context(class: className, property: property, count: got, limit: limit),
      file: file, line: line)
  }

  /// A value of any type has lists or maps too deep inside of each other.
  package static func nestedTooDeep(
    class className: String, property: String, limit: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .nestedTooDeep, .nestedTooDeep(class: className, property: property, limit: limit),
      Context(class: className, property: property, limit: limit),
      file: file, line: line)
  }

  /// An embedded object belongs to an object already.
  package static func embeddedHasParent(
    class className: String, objectID: ObjectID? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasParent, .embeddedHasParent(class: className, objectID: objectID),
      Context(class: className, objectID: objectID),
      file: file, line: line)
  }

  /// A value of any type was to lead to an embedded object.
  package static func embeddedReference(
    class className: String, property: String, target: String, objectID: ObjectID,
    primaryKey: PropertyValue? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasParent,
      .embeddedReference(
        class: className, property: property, target: target, objectID: objectID,
        primaryKey: primaryKey),
      Context(class: className, property: property, objectID: objectID),
      file: file, line: line)
  }

  /// Several links lead to an embedded object at the end of a migration.
  package static func migrationEmbeddedShared(
    class className: String, objectID: ObjectID, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasParent,
      .migrationEmbeddedShared(
        class: className, objectID: objectID, from: oldVersion, to: newVersion),
      Context(class: className, objectID: objectID, stored: oldVersion, declared: newVersion),
      file: file, line: line)
  }

  /// An object of a class that becomes embedded would belong to itself.
  package static func migrationEmbeddedCircle(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue? = nil,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasParent,
      .migrationEmbeddedCircle(
        class: className, objectID: objectID, primaryKey: primaryKey, from: oldVersion,
        to: newVersion),
      Context(
        class: className, objectID: objectID, primaryKey: primaryKey, stored: oldVersion,
        declared: newVersion),
      file: file, line: line)
  }

  /// Values of any type lead to objects of a class that becomes embedded.
  static func migrationEmbeddedReferences(
    class className: String, references: [EmbeddedReference], total: Int,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasParent,
      .migrationEmbeddedReferences(
        class: className, references: references, total: total, from: oldVersion, to: newVersion),
      Context(
        class: references.first?.className ?? className, property: references.first?.property,
        objectID: references.first?.objectID, primaryKey: references.first?.primaryKey,
        stored: oldVersion, declared: newVersion, count: total),
      file: file, line: line)
  }

  /// An embedded object was to be in a store by itself.
  package static func embeddedNeedsParent(
    class className: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedNeedsParent, .embeddedNeedsParent(class: className),
      Context(class: className),
      file: file, line: line)
  }

  /// A position lies outside of a collection.
  package static func positionOutOfBounds(
    class className: String, property: String, position: Int, count: Int,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .positionOutOfBounds,
      .positionOutOfBounds(
        class: className, property: property, position: position, count: count),
      Context(class: className, property: property, count: position, limit: count),
      file: file, line: line)
  }
}
