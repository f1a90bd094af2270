// The errors of migrations: each takes the facts; StoreError+Sentences.swift words them.

extension StoreError {
  /// The migration block left a property without a value.
  package static func migrationUnset(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, objectsRead: Int,
    hasBlock: Bool = true, remedy: MissingValues.Remedy = .codeOrDefault,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationUnset,
      .migrationUnset(
        class: className, property: property, objectID: objectID, primaryKey: primaryKey,
        from: oldVersion, to: newVersion, objectsRead: objectsRead, hasBlock: hasBlock,
        remedy: remedy),
      Context(
        class: className, property: property, objectID: objectID, primaryKey: primaryKey,
        stored: oldVersion, declared: newVersion, count: objectsRead),
      file: file, line: line)
  }

  /// Several objects have the same primary key at the end of a migration.
  package static func migrationDuplicateKeys(
    class className: String, property: String,
    duplicates: [(value: PropertyValue, objects: [ObjectID])], total: Int,
    keys: [ObjectID: PropertyValue] = [:], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationDuplicateKeys,
      .migrationDuplicateKeys(
        class: className, property: property, duplicates: duplicates, total: total, keys: keys,
        from: oldVersion, to: newVersion),
      Context(
        class: className, property: property, stored: oldVersion, declared: newVersion, count: total
      ).with(\.objectIDs, duplicates.flatMap(\.objects)),
      file: file, line: line)
  }

  /// Several objects have the same values in a unique index at the end of a migration.
  package static func migrationDuplicateValues(
    class className: String, properties: [String],
    duplicates: [(values: [PropertyValue], objects: [ObjectID])], total: Int,
    keys: [ObjectID: PropertyValue] = [:], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationDuplicateKeys,
      .migrationDuplicateValues(
        class: className, properties: properties, duplicates: duplicates, total: total,
        keys: keys, from: oldVersion, to: newVersion),
      Context(
        class: className, property: properties.joined(separator: ", "), stored: oldVersion,
        declared: newVersion, count: total
      ).with(\.objectIDs, duplicates.flatMap(\.objects)),
      file: file, line: line)
  }

  /// A property has become required and is nil in some objects.
  package static func migrationNil(
    class className: String, property: String, count: Int, first: [ObjectID],
    keys: [ObjectID: PropertyValue] = [:], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool = true, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationNil,
      .migrationNil(
        class: className, property: property, count: count, first: first, keys: keys,
        from: oldVersion, to: newVersion, hasBlock: hasBlock),
      Context(
        class: className, property: property, objectID: first.first,
        primaryKey: first.first.flatMap { keys[$0] }, stored: oldVersion,
        declared: newVersion, count: count
      ).with(\.objectIDs, first),
      file: file, line: line)
  }

  /// A value cannot be converted to the new type of its property without loss.
  package static func conversionFailed(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    oldType: PropertyType, newType: PropertyType, value: String? = nil,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, hasBlock: Bool = true,
    remedy: MissingValues.Remedy = .code, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .conversionFailed,
      .conversionFailed(
        class: className, property: property, objectID: objectID, primaryKey: primaryKey,
        oldType: oldType, newType: newType, value: value, from: oldVersion, to: newVersion,
        hasBlock: hasBlock, remedy: remedy),
      Context(
        class: className, property: property, objectID: objectID, primaryKey: primaryKey,
        stored: oldVersion, declared: newVersion
      ).with(\.value, value),
      file: file, line: line)
  }

  /// A property cannot be renamed.
  package static func invalidRename(
    class className: String, from oldName: String, to newName: String, problem: RenameProblem,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidRename,
      .invalidRename(class: className, from: oldName, to: newName, problem: problem),
      Context(class: className, property: oldName),
      file: file, line: line)
  }

  /// A class cannot be renamed.
  package static func invalidClassRename(
    from oldName: String, to newName: String, problem: RenameProblem, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidRename, .invalidClassRename(from: oldName, to: newName, problem: problem),
      Context(class: oldName),
      file: file, line: line)
  }

  /// Another process is migrating the store.
  package static func migrationInProgress(
    path: String, processID: Int32?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationInProgress, .migrationInProgress(path: path, processID: processID),
      Context(path: path).with(\.processID, processID),
      file: file, line: line)
  }

  /// Another process, or another thread, has been migrating the store for too long.
  package static func migrationTimedOut(
    path: String, processID: Int32?, timeout: Duration, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationInProgress,
      .migrationTimedOut(path: path, processID: processID, timeout: timeout),
      Context(path: path).with(\.processID, processID),
      file: file, line: line)
  }

  /// The app no longer wants to wait for somebody else's migration.
  package static func waitingCancelled(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationCancelled, .waitingCancelled(path: path), Context(path: path),
      file: file, line: line)
  }

  /// The app cancelled the migration.
  package static func migrationCancelled(
    path: String, from oldVersion: SchemaVersion, to newVersion: SchemaVersion,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationCancelled, .migrationCancelled(path: path, from: oldVersion, to: newVersion),
      Context(path: path, stored: oldVersion, declared: newVersion),
      file: file, line: line)
  }

  /// The migration block threw an error.
  package static func migrationBlockFailed(
    underlying: any Error, class className: String?, objectID: ObjectID?,
    primaryKey: PropertyValue? = nil, from oldVersion: SchemaVersion, to newVersion: SchemaVersion,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationBlockFailed,
      .migrationBlockFailed(
        underlying: underlying, class: className, objectID: objectID, primaryKey: primaryKey,
        from: oldVersion, to: newVersion),
      Context(
        class: className, objectID: objectID, primaryKey: primaryKey, stored: oldVersion,
        declared: newVersion), underlying: underlying,
      file: file, line: line)
  }

  /// A migration would lead to a lower version.
  package static func versionLower(
    path: String, found: SchemaVersion, declared: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaVersionTooNew, .versionLower(path: path, found: found, declared: declared),
      Context(path: path, stored: found, declared: declared),
      file: file, line: line)
  }

  /// The migration's code has created an embedded object, and given it to no other.
  package static func migrationEmbeddedWithoutOwner(
    class className: String, objectID: ObjectID, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedNeedsParent,
      .migrationEmbeddedWithoutOwner(class: className, from: oldVersion, to: newVersion),
      Context(
        class: className, objectID: objectID, stored: oldVersion, declared: newVersion),
      file: file, line: line)
  }

  /// The object shows the store as it was before the migration.
  package static func oldObjectIsReadOnly(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue? = nil,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .oldObjectIsReadOnly,
      .oldObjectIsReadOnly(class: className, objectID: objectID, primaryKey: primaryKey),
      Context(class: className, objectID: objectID, primaryKey: primaryKey),
      file: file, line: line)
  }
}
