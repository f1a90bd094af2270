// The errors of migrations.

extension StoreError {
  /// Returns the error for a required property without a value in one object.
  ///
  /// - Parameter change: The types of a property that nothing converts, or nil.
  package static func migrationUnset(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    change: (from: PropertyType, to: PropertyType)? = nil, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, objectsRead: Int, hasBlock: Bool = true,
    remedy: MissingValues.Remedy = .codeOrDefault, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let read = count(objectsRead, "object") + (objectsRead == 1 ? " was read" : " were read")
    let object = object(objectID, primaryKey)
    let reason =
      if let change {
        (hasBlock ? "the migration block did not convert " : "nothing converts ")
          + "\(quoted(property)) from '\(change.from)' to '\(change.to)' for \(object)"
      } else if hasBlock {
        "the migration block left \(quoted(property)) unset for \(object)"
      } else {
        "nothing gives \(quoted(property)) a value for \(object)"
      }
    return StoreError(
      .migrationUnset,
      Sentence(
        migrate(className, oldVersion, newVersion), reason,
        words(remedy, hasBlock ? "Set it in the block" : addBlock)
          + " \(read); the store is unchanged."),
      Context(
        class: className, property: property, objectID: objectID, primaryKey: primaryKey,
        stored: oldVersion, declared: newVersion, count: objectsRead), file: file, line: line)
  }

  /// Returns the error for repeated primary keys at the end of a migration.
  package static func migrationDuplicateKeys(
    class className: String, property: String,
    duplicates: [(value: PropertyValue, objects: [ObjectID])], total: Int,
    keys: [ObjectID: PropertyValue] = [:], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    var items = duplicates.map { value, objects in
      "\(key(value)): \(list(objects, keys))"
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    return StoreError(
      .migrationDuplicateKeys,
      Sentence(
        migrate(className, oldVersion, newVersion),
        "the primary key \(quoted(property)) has duplicate values", items: items,
        "Make them unique in a migration block. The store is unchanged."),
      Context(
        class: className, property: property, stored: oldVersion, declared: newVersion, count: total
      ).with(\.objectIDs, duplicates.flatMap(\.objects)), file: file, line: line)
  }

  /// Returns the error for repeated values of a unique index at the end of a migration.
  ///
  /// - Parameter showsValues: Whether the message contains the values.
  package static func migrationDuplicateValues(
    class className: String, properties: [String],
    duplicates: [(values: [PropertyValue], objects: [ObjectID])], total: Int, showsValues: Bool,
    keys: [ObjectID: PropertyValue] = [:], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    var items = duplicates.map { values, objects in
      (showsValues ? "\(values.map(value).joined(separator: ", ")): " : "") + list(objects, keys)
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    let higher = oldVersion == newVersion ? ", which needs a higher schema version" : ""
    return StoreError(
      .migrationDuplicateKeys,
      Sentence(
        migrate(className, oldVersion, newVersion),
        "the \(IndexSchema(properties, .unique)) has duplicate values", items: items,
        "Make them unique in a migration block\(higher), or declare the index without '.unique'. "
          + "The store is unchanged."),
      Context(
        class: className, property: properties.joined(separator: ", "), stored: oldVersion,
        declared: newVersion, count: total
      ).with(\.objectIDs, duplicates.flatMap(\.objects)), file: file, line: line)
  }

  /// Returns the error for a property that becomes required and is nil in some objects.
  package static func migrationNil(
    class className: String, property: String, count: Int, first: [ObjectID],
    keys: [ObjectID: PropertyValue] = [:], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool = true, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let objects = "\(Self.count(count, "object")), starting with \(list(first, keys))"
    let reason = "\(quoted(property)) is required now and is nil in \(objects)"
    return StoreError(
      .migrationNil,
      Sentence(
        migrate(className, oldVersion, newVersion), reason,
        (hasBlock ? "Set it in the migration block" : addBlock)
          + ", or declare a default value. The store is unchanged."),
      Context(
        class: className, property: property, objectID: first.first,
        primaryKey: first.first.flatMap { keys[$0] }, stored: oldVersion,
        declared: newVersion, count: count
      ).with(\.objectIDs, first), file: file, line: line)
  }

  /// Returns the error for a value that cannot be converted to its property's new type without
  /// loss.
  package static func conversionFailed(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    oldType: PropertyType, newType: PropertyType, value: String? = nil,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, hasBlock: Bool = true,
    remedy: MissingValues.Remedy = .code, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let place = "\(quoted(property)) of \(object(objectID, primaryKey))"
    let shown = value.map { " (value: \(quoted($0)))" } ?? ""
    let reason =
      "\(place) cannot be converted from '\(oldType)' to '\(newType)' without loss\(shown)"
    return StoreError(
      .conversionFailed,
      Sentence(
        migrate(className, oldVersion, newVersion), reason,
        words(remedy, hasBlock ? "Set it in the migration block" : addBlock)
          + " The store is unchanged."),
      Context(
        class: className, property: property, objectID: objectID, primaryKey: primaryKey,
        stored: oldVersion, declared: newVersion
      ).with(\.value, value), file: file, line: line)
  }

  /// Returns the error for a write to a store that another process is migrating.
  package static func migrationInProgress(
    path: String, processID: Int32?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationInProgress,
      .store(
        "write to", path,
        processID.map { "process \($0) is migrating it" } ?? "another process is migrating it",
        "Try again when the migration has finished."),
      Context(path: path).with(\.processID, processID), file: file, line: line)
  }

  /// Returns the error for opening a store in the code of its own migration.
  package static func migratingAlready(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationInProgress,
      .store(
        "open", path, "this thread is migrating it, and would wait for itself",
        "In a migration block, use the migration and the objects that the block is given. Open the "
          + "store when the migration has finished."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when another migration takes longer than the timeout.
  package static func migrationTimedOut(
    path: String, processID: Int32?, timeout: Duration, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let who = processID.map { "process \($0)" } ?? "another process"
    let seconds = timeout / .seconds(1)
    let limit = Int(exactly: seconds).map { count($0, "second") } ?? "\(seconds) seconds"
    return StoreError(
      .migrationInProgress,
      .store(
        "open", path, "\(who) is migrating it, and has not finished within \(limit)",
        "Try again when that has finished, or configure a longer 'migrationTimeout'."),
      Context(path: path).with(\.processID, processID), file: file, line: line)
  }

  /// Returns the error when the app cancels the wait for another migration.
  package static func waitingCancelled(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationCancelled,
      .store(
        "open", path, "opening it was cancelled while another process was migrating it",
        "Open the store again when that has finished."),
      Context(path: path), file: file, line: line)
  }

  package static func migrationCancelled(
    path: String, from oldVersion: SchemaVersion, to newVersion: SchemaVersion,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationCancelled,
      Sentence(
        migrateStore(path, oldVersion, newVersion), "it was cancelled",
        "Open the store again to start over. The store is unchanged."),
      Context(path: path, stored: oldVersion, declared: newVersion), file: file, line: line)
  }

  /// Returns the error for an error that the migration block threw.
  package static func migrationBlockFailed(
    underlying: any Error, class className: String?, objectID: ObjectID?,
    primaryKey: PropertyValue? = nil, from oldVersion: SchemaVersion, to newVersion: SchemaVersion,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let place = objectID.map { " for \(object($0, primaryKey))" } ?? ""
    let reason = "the migration block threw \(quoted(String(describing: underlying)))\(place)"
    return StoreError(
      .migrationBlockFailed,
      Sentence(
        migrate(className, oldVersion, newVersion), reason,
        "Correct the block, or the data that it cannot handle. The store is unchanged."),
      Context(
        class: className, objectID: objectID, primaryKey: primaryKey, stored: oldVersion,
        declared: newVersion), underlying: underlying, file: file, line: line)
  }

  /// Returns the error for an embedded object that the migration block created without an owner.
  package static func migrationEmbeddedWithoutOwner(
    class className: String, objectID: ObjectID, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedNeedsOwner,
      Sentence(
        migrate(className, oldVersion, newVersion),
        "the class is embedded, and the migration block has created an object without an owner",
        "Set a property of another object to it. The store is unchanged."),
      Context(
        class: className, objectID: objectID, stored: oldVersion, declared: newVersion), file: file,
      line: line)
  }

  /// Returns the error for a change of an old object in a migration.
  package static func oldObjectIsReadOnly(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue? = nil,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .oldObjectIsReadOnly,
      Sentence(
        "change \(object(objectID, primaryKey)) of \(quoted(className))",
        "it is the old object of a migration",
        "Change the new object that the block was given with it."),
      Context(class: className, objectID: objectID, primaryKey: primaryKey), file: file, line: line)
  }

  /// Returns the error for an embedded object with several owners at the end of a migration.
  package static func migrationEmbeddedShared(
    class className: String, objectID: ObjectID, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasOwner,
      Sentence(
        "migrate \(quoted(className)) from version \(oldVersion) to \(newVersion)",
        "the class is embedded, and more than one link leads to object \(objectID)",
        "Give each owner a copy of its own in the migration block. The store is unchanged."),
      Context(class: className, objectID: objectID, stored: oldVersion, declared: newVersion),
      file: file, line: line)
  }

  /// Returns the error for an object of a newly embedded class that would own itself.
  package static func migrationEmbeddedCircle(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue? = nil,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .embeddedHasOwner,
      Sentence(
        migrate(className, oldVersion, newVersion),
        "the class is embedded, and the links of \(object(objectID, primaryKey)) lead back to it",
        "Make one of them nil in the migration block. The store is unchanged."),
      Context(
        class: className, objectID: objectID, primaryKey: primaryKey, stored: oldVersion,
        declared: newVersion), file: file, line: line)
  }

  /// Returns the error for values of any type that link to objects of a newly embedded class.
  static func migrationEmbeddedReferences(
    class className: String, references: [EmbeddedReference], total: Int,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    var items = references.map { found in
      "\(quoted(found.className + "." + found.property)) of "
        + "\(object(found.objectID, found.primaryKey)) leads to "
        + "\(object(found.targetID, found.targetKey)) of \(quoted(found.target))"
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    return StoreError(
      .embeddedHasOwner,
      Sentence(
        migrate(className, oldVersion, newVersion),
        "the class is embedded now, and values of any type lead to its objects", items: items,
        "Set these values to something else in the migration block, or delete the objects there. "
          + "The store is unchanged."),
      Context(
        class: references.first?.className ?? className, property: references.first?.property,
        objectID: references.first?.objectID, primaryKey: references.first?.primaryKey,
        stored: oldVersion, declared: newVersion, count: total), file: file, line: line)
  }

  /// Returns the advice that begins with `code`.
  private static func words(_ remedy: MissingValues.Remedy, _ code: String) -> String {
    switch remedy {
    case .codeOrDefault: code + ", or declare a default value."
    case .code: code + "."
    case .codeOrNil: code + "; set it to nil where it has no value."
    }
  }

  /// The beginning of the advice when there is no migration block.
  private static let addBlock = "Give the configuration a migration block that sets it"
}
