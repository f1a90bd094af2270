// The words of the errors of migrations.

extension Sentence {
  static func migrationUnset(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, objectsRead: Int, hasBlock: Bool,
    remedy: StoreError.MissingValues.Remedy
  ) -> Sentence {
    let read = count(objectsRead, "object") + (objectsRead == 1 ? " was read" : " were read")
    let object = object(objectID, primaryKey)
    return Sentence(
      migrate(className, oldVersion, newVersion),
      hasBlock
        ? "the migration block left \(quoted(property)) unset for \(object)"
        : "nothing gives \(quoted(property)) a value for \(object)",
      words(remedy, hasBlock ? "Set it in the block" : addBlock)
        + " \(read); the store is unchanged.")
  }

  /// What to do, of which `code` is the first half.
  private static func words(_ remedy: StoreError.MissingValues.Remedy, _ code: String) -> String {
    switch remedy {
    case .codeOrDefault: code + ", or declare a default value."
    case .code: code + "."
    case .codeOrNil: code + "; set it to nil where it has no value."
    }
  }

  /// What to do where there is no code.
  private static let addBlock = "Give the configuration a migration block that sets it"

  static func migrationDuplicateKeys(
    class className: String, property: String,
    duplicates: [(value: PropertyValue, objects: [ObjectID])], total: Int,
    keys: [ObjectID: PropertyValue], from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    var items = duplicates.map { value, objects in
      "\(key(value)): \(list(objects, keys))"
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    return Sentence(
      migrate(className, oldVersion, newVersion),
      "the primary key \(quoted(property)) has duplicate values", items: items,
      "Make them unique in a migration block. The store is unchanged.")
  }

  static func migrationDuplicateValues(
    class className: String, properties: [String],
    duplicates: [(values: [PropertyValue], objects: [ObjectID])], total: Int,
    keys: [ObjectID: PropertyValue], from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    var items = duplicates.map { values, objects in
      "\(values.map(value).joined(separator: ", ")): \(list(objects, keys))"
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    let higher = oldVersion == newVersion ? ", which takes a higher schema version" : ""
    return Sentence(
      migrate(className, oldVersion, newVersion),
      "the \(IndexSchema(properties, .unique)) has duplicate values", items: items,
      "Make them unique in a migration block\(higher), or declare the index without '.unique'. "
        + "The store is unchanged.")
  }

  static func migrationNil(
    class className: String, property: String, count: Int, first: [ObjectID],
    keys: [ObjectID: PropertyValue], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool
  ) -> Sentence {
    let objects = "\(Self.count(count, "object")), starting with \(list(first, keys))"
    let reason = "\(quoted(property)) is required now and is nil in \(objects)"
    return Sentence(
      migrate(className, oldVersion, newVersion), reason,
      (hasBlock ? "Set it in the migration block" : addBlock)
        + ", or declare a default value. The store is unchanged.")
  }

  static func conversionFailed(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    oldType: PropertyType, newType: PropertyType, value: String?, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool, remedy: StoreError.MissingValues.Remedy
  ) -> Sentence {
    let place = "\(quoted(property)) of \(object(objectID, primaryKey))"
    let shown = value.map { " (value: \(quoted($0)))" } ?? ""
    let reason =
      "\(place) cannot be converted from '\(oldType)' to '\(newType)' without loss\(shown)"
    return Sentence(
      migrate(className, oldVersion, newVersion), reason,
      words(remedy, hasBlock ? "Set it in the migration block" : addBlock)
        + " The store is unchanged.")
  }

  static func invalidRename(
    class className: String, from oldName: String, to newName: String,
    problem: StoreError.RenameProblem
  ) -> Sentence {
    Sentence(
      "rename the property \(quoted(className + "." + oldName)) to \(quoted(newName))",
      renameReason(problem, class: className, from: oldName, to: newName),
      "Correct the call, or the '@Renamed' of the model"
        + (problem == .sourceStillDeclared
          ? "; to exchange two properties, set both in the migration block" : "")
        + ". The store is unchanged.")
  }

  static func invalidClassRename(
    from oldName: String, to newName: String, problem: StoreError.RenameProblem
  ) -> Sentence {
    Sentence(
      "rename the class \(quoted(oldName)) to \(quoted(newName))",
      classRenameReason(problem, from: oldName, to: newName),
      "Correct the call"
        + (problem == .sourceStillDeclared
          ? "; to exchange two classes, declare a version between in which both have other names"
          : "") + ". The store is unchanged.")
  }

  static func migrationInProgress(path: String, processID: Int32?) -> Sentence {
    store(
      "write to", path,
      processID.map { "process \($0) is migrating it" } ?? "another process is migrating it",
      "Try again when the migration has finished.")
  }

  static func migrationCancelled(
    path: String, from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    Sentence(
      migrateStore(path, oldVersion, newVersion), "it was cancelled",
      "Open the store again to start over. The store is unchanged.")
  }

  static func migrationBlockFailed(
    underlying: any Error, class className: String?, objectID: ObjectID?,
    primaryKey: PropertyValue?, from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    let place = objectID.map { " for \(object($0, primaryKey))" } ?? ""
    let reason = "the migration block threw \(quoted(String(describing: underlying)))\(place)"
    return Sentence(
      migrate(className, oldVersion, newVersion), reason,
      "Correct the block, or the data that it cannot handle. The store is unchanged.")
  }

  static func versionLower(path: String, found: SchemaVersion, declared: SchemaVersion) -> Sentence
  {
    Sentence(
      migrateStore(path, found, declared), "a schema version never goes down",
      "Declare a schema version of at least \(found).")
  }

  static func migrationEmbeddedWithoutOwner(
    class className: String, from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    Sentence(
      migrate(className, oldVersion, newVersion),
      "the class is embedded, and the migration block has created an object that belongs to no "
        + "other", "Set a property of another object to it. The store is unchanged.")
  }

  static func oldObjectIsReadOnly(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue?
  ) -> Sentence {
    Sentence(
      "change \(object(objectID, primaryKey)) of \(quoted(className))",
      "it is the old side of a migration",
      "Change the new object that the block was given beside it.")
  }

  private static func renameReason(
    _ problem: StoreError.RenameProblem, class className: String, from oldName: String,
    to newName: String
  ) -> String {
    switch problem {
    case .classMissing: "the class \(quoted(className)) does not exist"
    case .classRemoved: "the class \(quoted(className)) has been removed from the models"
    case .sourceStillDeclared: "the source property is still declared"
    case .sourceMissing: "the source property does not exist"
    case .destinationNotDeclared: "the renamed property \(quoted(newName)) is not declared"
    case .destinationExists: "the store has a property of that name already"
    case .typeChanges(let old, let new): "it would change from type '\(old)' to '\(new)'"
    case .becomesRequired: "it would change from optional to required"
    case .tooLate: "the migration has enumerated or changed objects before"
    }
  }

  private static func classRenameReason(
    _ problem: StoreError.RenameProblem, from oldName: String, to newName: String
  ) -> String {
    switch problem {
    case .classMissing, .sourceMissing: "the source class does not exist"
    case .classRemoved, .destinationNotDeclared: "the class \(quoted(newName)) is not declared"
    case .sourceStillDeclared: "the source class is still declared"
    case .destinationExists: "the store has a class of that name already"
    case .typeChanges(let old, let new): "it would change from type '\(old)' to '\(new)'"
    case .becomesRequired: "it would change from optional to required"
    case .tooLate:
      "the migration has enumerated or changed objects of one of the two, or of a class that "
        + "links to it, before"
    }
  }
}

// MARK: Several migrations, or several classes

extension Sentence {
  /// The words of an error, which say besides how far a migration came.
  ///
  /// What they say already of the store gives way to it.
  init(_ sentence: Sentence, _ reach: StoreError.MigrationReach) {
    let recovery = sentence.recovery
    var outcome = "the store is unchanged."
    if reach.stepCount > 1 {
      outcome =
        "step \(reach.step) of \(reach.stepCount) failed, and the store stays at version "
        + "\(reach.version)."
    }
    action = sentence.action
    reason = sentence.reason
    if recovery.hasSuffix(Self.unchangedAlso) {
      self.recovery = recovery.dropLast(Self.unchangedAlso.count) + outcome
      return
    }
    if reach.objectsRewritten > 0 {
      let were = reach.objectsRewritten == 1 ? "was" : "were"
      outcome = "\(Self.count(reach.objectsRewritten, "object")) \(were) rewritten; \(outcome)"
    }
    outcome = outcome.prefix(1).uppercased() + outcome.dropFirst()
    let isSaid = recovery.hasSuffix(Self.unchanged)
    self.recovery =
      (isSaid ? String(recovery.dropLast(Self.unchanged.count)) : recovery + " ") + outcome
  }

  private static let unchanged = "The store is unchanged."
  private static let unchangedAlso = "the store is unchanged."

  static func migrationValuesMissing(
    path: String, _ missing: [StoreError.MissingValues], from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool
  ) -> Sentence {
    let code =
      hasBlock
      ? "Set them in the migration block"
      : "Give the configuration a migration block that sets them"
    let remedies = Set(missing.map(\.remedy))
    let other =
      (remedies.contains(.codeOrDefault) ? ", or declare default values" : "")
      + (remedies.contains(.codeOrNil) ? "; set optional ones to nil where they have no value" : "")
    return Sentence(
      migrateStore(path, oldVersion, newVersion), "properties are unset",
      items: missing.map(\.description), code + other + ". The store is unchanged.")
  }

  static func migrationTimedOut(path: String, processID: Int32?, timeout: Duration) -> Sentence {
    let who = processID.map { "process \($0)" } ?? "another process"
    let seconds = timeout / .seconds(1)
    let limit = Int(exactly: seconds).map { count($0, "second") } ?? "\(seconds) seconds"
    return store(
      "open", path, "\(who) is migrating it, and has not finished within \(limit)",
      "Try again when that has finished, or configure a longer 'migrationTimeout'.")
  }

  static func waitingCancelled(path: String) -> Sentence {
    store(
      "open", path, "it was cancelled while another process migrates it",
      "Open the store again when that has finished.")
  }
}
