// The words of every error. Nothing here decides anything: the functions of
// StoreError give the facts.

// MARK: Opening and using a store

extension Sentence {
  static func fileNotFound(path: String) -> Sentence {
    store(
      "open", path, "there is no such file, and a read-only store is not created",
      "Check the path, or open it for writing.")
  }

  static func parentFolderMissing(path: String) -> Sentence {
    store(
      "open", path, "its folder \(quoted(folder(of: path))) does not exist",
      "Create the folder first.")
  }

  static func isDirectory(path: String) -> Sentence {
    store(
      "open", path, "it is a folder",
      "Give the path of a file, such as 'default.whimbrel' in that folder.")
  }

  static func emptyFile(path: String) -> Sentence {
    store(
      "open", path, "the file is empty", "Delete it to have a new store made, or restore a copy.")
  }

  static func notAStore(path: String, detail: String?) -> Sentence {
    store(
      "open", path, "it is not a Whimbrel store" + (detail.map { "; \($0)" } ?? ""),
      "Check the path. The file was left as it is.")
  }

  static func truncated(path: String, expectedBytes: Int, actualBytes: Int) -> Sentence {
    store(
      "open", path,
      "the file was cut short: it has \(actualBytes) bytes and needs \(expectedBytes)",
      "Restore a copy of the file.")
  }

  static func damaged(path: String, detail: String) -> Sentence {
    store("read", path, "the file is damaged: \(detail)", "Restore a copy of the file.")
  }

  static func formatTooNew(path: String, found: Int, supported: Int) -> Sentence {
    store(
      "open", path,
      "its format version is \(found) and this version of Whimbrel knows up to \(supported)",
      "Open it with a newer version of Whimbrel.")
  }

  static func schemaVersionTooNew(path: String, found: SchemaVersion, declared: SchemaVersion)
    -> Sentence
  {
    store(
      "open", path, "its schema version is \(found) and this app declares \(declared)",
      "Open it with a newer version of the app, or restore a copy made before it was upgraded.")
  }

  static func schemaMismatch(path: String, version: SchemaVersion, changes: [SchemaChange])
    -> Sentence
  {
    store(
      "open", path, "migration is required due to the following errors",
      items: changes.map(\.description), "Declare a schema version above \(version).")
  }

  static func migrationNeeded(
    path: String, found: SchemaVersion, declared: SchemaVersion, changes: [SchemaChange]
  ) -> Sentence {
    let versions =
      found == declared
      ? "the models have changed"
      : "its schema version is \(found), this app declares \(declared)"
    let other =
      found == declared ? "the models as they were" : "the schema version \(found)"
    return store(
      "open", path, "\(versions), and a read-only store is not migrated",
      items: changes.map(\.description), "Open it for writing once, or declare \(other).")
  }

  static func permissionDenied(path: String) -> Sentence {
    store(
      "open", path, "permission was denied", "Check the permissions of the file and of its folder.")
  }

  static func readOnlyFolder(path: String) -> Sentence {
    store(
      "open", path, "its folder cannot be written to, and a lock file is needed beside it",
      "Move the store to a folder that can be written to.")
  }

  static func lockFileUnusable(path: String, detail: String) -> Sentence {
    store(
      "open", path, "its lock file \(quoted(path + "-lock")) cannot be used: \(detail)",
      "Check the permissions of the lock file.")
  }

  static func noSpace(path: String, needed: Int?, available: Int?) -> Sentence {
    var reason = "the disk is full"
    if let needed {
      reason = "\(needed) bytes of disk space are needed"
      if let available { reason += " and \(available) are free" }
    }
    return store("write to", path, reason, "Free some space and try again. The store is unchanged.")
  }

  static func diskQuotaExceeded(path: String) -> Sentence {
    store(
      "write to", path, "the disk quota is used up",
      "Free some space and try again. The store is unchanged.")
  }

  static func addressSpaceExhausted(path: String, size: Int) -> Sentence {
    store(
      "open", path, "this process has no room for a memory map of \(size) bytes",
      "Configure a smaller 'maximumSize'.")
  }

  static func mapFull(path: String, size: Int) -> Sentence {
    store(
      "write to", path, "it has reached its maximum size of \(size) bytes",
      "Configure a larger 'maximumSize', or delete objects. The store is unchanged.")
  }

  static func tooManyReaders(path: String, limit: Int) -> Sentence {
    store(
      "read", path, "all of its \(limit) reader slots are in use",
      "Close stores and results that are no longer needed.")
  }

  static func ioError(path: String, number: Int32) -> Sentence {
    store(
      "use", path,
      "the operating system reported \(quoted(systemMessage(number))) (error \(number))",
      "Check the disk and try again.")
  }

  static func usedAfterFork(path: String, openedBy: Int32?) -> Sentence {
    let reason =
      openedBy.map { "process \($0) opened it, and this process is a fork of that" }
      ?? "it was opened before this process was forked"
    return store("use", path, reason, "Open the store again in this process.")
  }

  static func invalidConfiguration(path: String, reason: String) -> Sentence {
    store("open", path, "its configuration is not valid: \(reason)", "Correct the configuration.")
  }

  static func invalidConfiguration(path: String, problems: [String]) -> Sentence {
    if problems.count == 1 { return invalidConfiguration(path: path, reason: problems[0]) }
    return store(
      "open", path, "its configuration is not valid", items: problems, "Correct the configuration.")
  }

  static func invalidSchema(problems: [String]) -> Sentence {
    Sentence(
      "use the schema", "schema validation failed due to the following errors", items: problems,
      "Correct the models.")
  }

  static func openWithOtherSettings(
    path: String, setting: String, current: String, requested: String
  ) -> Sentence {
    store(
      "open", path,
      "this process has it open with \(quoted(setting)) \(current) and asks for \(requested)",
      "Use the same configuration everywhere, or close the other store first.")
  }

  static func storeClosed(path: String) -> Sentence {
    store("use", path, "it has been closed", "Open it again.")
  }

  static func schemaChangedElsewhere(path: String, changes: [SchemaChange]) -> Sentence {
    store(
      "use", path, "its schema has been changed by another process or thread",
      items: changes.map(\.description), "Open it again with the models of the new schema.")
  }

  static func readOnlyStore(verb: String) -> Sentence {
    Sentence(verb, "the store was opened read-only", "Open it without 'isReadOnly'.")
  }
}

// MARK: Objects

extension Sentence {
  static func duplicatePrimaryKey(
    class className: String, property: String, key primaryKey: PropertyValue, existing: ObjectID?
  ) -> Sentence {
    let owner = existing.map { "object \($0)" } ?? "another object"
    let reason = "\(owner) has the same \(quoted(property)), \(key(primaryKey))"
    return Sentence(
      "add an object of \(quoted(className))", reason,
      "Choose another key, or pass 'update: .modified' to change the existing object.")
  }

  static func missingValue(class className: String, property: String) -> Sentence {
    Sentence(
      "add an object of \(quoted(className))", "its property \(quoted(property)) has no value",
      "Set it, declare a default value, or make it optional.")
  }

  static func wrongType(
    class className: String, property: String, expected: PropertyType, isOptional: Bool, got: String
  ) -> Sentence {
    setting(
      className, property, "it holds '\(expected)\(isOptional ? "?" : "")' and was given '\(got)'",
      "Give it a value of its own type.")
  }

  static func outOfRange(class className: String, property: String, got: String, type: PropertyType)
    -> Sentence
  {
    setting(
      className, property, "the '\(got)' does not fit into '\(type)'\(range(of: type))",
      "Give it a number that fits, or declare a wider type.")
  }

  static func primaryKeyIsFixed(class className: String, property: String) -> Sentence {
    setting(
      className, property, "it is the primary key of an object that is in a store",
      "Add a new object with that key and delete this one, or change keys in a migration.")
  }

  static func unknownCase(class className: String, property: String, known: [String])
    -> Sentence
  {
    setting(
      className, property, "the value is none of the enum's cases: \(names(known))",
      "Give it the raw value of a case, or add the case.")
  }

  static func unknownClass(class className: String, known: [String]) -> Sentence {
    Sentence(
      "find the class \(quoted(className))", "the schema does not have it",
      suggestion(for: className, among: known, called: "classes"))
  }

  static func unknownProperty(class className: String, property: String, known: [String])
    -> Sentence
  {
    Sentence(
      "find the property \(quoted(property)) of \(quoted(className))", "the class does not have it",
      suggestion(for: property, among: known, called: "properties"))
  }

  static func notInWrite(verb: String) -> Sentence {
    Sentence(verb, "no write is in progress", "Do it inside of 'store.write { }'.")
  }

  static func nestedWrite() -> Sentence {
    Sentence(
      "begin a write", "one is in progress on this thread", "Make both changes in the same write.")
  }

  static func objectDeleted(class className: String, objectID: ObjectID) -> Sentence {
    Sentence(
      "use object \(objectID) of \(quoted(className))", "it has been deleted",
      "Find the object again before you use it.")
  }

  static func objectOfOtherStore(class className: String, objectID: ObjectID?) -> Sentence {
    Sentence(
      "use \(objectID.map { "object \($0)" } ?? "an object") of \(quoted(className))",
      "it belongs to another store", "Find the object in this store, or create a copy of it here.")
  }

  static func noPrimaryKey(class className: String) -> Sentence {
    Sentence(
      "look up an object of \(quoted(className)) by its primary key",
      "the class has no primary key", "Mark a property with '@PrimaryKey', or use a query.")
  }

  static func valueTooLarge(class className: String, property: String, limit: Int, got: Int)
    -> Sentence
  {
    setting(
      className, property, "the value takes \(got) bytes and at most \(limit) are allowed",
      "Keep it in a file of its own, and store the path.")
  }
}

// MARK: Migrations

extension Sentence {
  static func migrationUnset(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, objectsRead: Int, hasBlock: Bool
  ) -> Sentence {
    let read = count(objectsRead, "object") + (objectsRead == 1 ? " was read" : " were read")
    let object = object(objectID, primaryKey)
    return Sentence(
      migrate(className, oldVersion, newVersion),
      hasBlock
        ? "the migration block left \(quoted(property)) unset for \(object)"
        : "nothing gives \(quoted(property)) a value for \(object)",
      (hasBlock ? "Set it in the block" : addBlock)
        + ", or declare a default value. \(read); the store is unchanged.")
  }

  /// What to do where there is no code.
  private static let addBlock = "Give the configuration a migration block that sets it"

  static func migrationDuplicateKeys(
    class className: String, property: String,
    duplicates: [(value: PropertyValue, objects: [ObjectID])], total: Int,
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion
  ) -> Sentence {
    var items = duplicates.map { value, objects in
      "\(key(value)): \(list(objects))"
    }
    if total > items.count { items.append("and \(count(total - items.count, "more value"))") }
    return Sentence(
      migrate(className, oldVersion, newVersion),
      "the primary key \(quoted(property)) has duplicate values", items: items,
      "Make them unique in a migration block. The store is unchanged.")
  }

  static func migrationNil(
    class className: String, property: String, count: Int, first: [ObjectID],
    from oldVersion: SchemaVersion, to newVersion: SchemaVersion, hasBlock: Bool
  ) -> Sentence {
    let objects = "\(Self.count(count, "object")), starting with \(list(first))"
    let reason = "\(quoted(property)) is required now and is nil in \(objects)"
    return Sentence(
      migrate(className, oldVersion, newVersion), reason,
      (hasBlock ? "Set it in the migration block" : addBlock)
        + ", or declare a default value. The store is unchanged.")
  }

  static func conversionFailed(
    class className: String, property: String, objectID: ObjectID, primaryKey: PropertyValue?,
    oldType: PropertyType, newType: PropertyType, value: String?, from oldVersion: SchemaVersion,
    to newVersion: SchemaVersion, hasBlock: Bool
  ) -> Sentence {
    let place = "\(quoted(property)) of \(object(objectID, primaryKey))"
    let shown = value.map { " (value: \(quoted($0)))" } ?? ""
    let reason =
      "\(place) cannot be converted from '\(oldType)' to '\(newType)' without loss\(shown)"
    return Sentence(
      migrate(className, oldVersion, newVersion), reason,
      (hasBlock ? "Set it in the migration block" : addBlock) + ". The store is unchanged.")
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

  static func oldObjectIsReadOnly(class className: String, objectID: ObjectID) -> Sentence {
    Sentence(
      "change object \(objectID) of \(quoted(className))", "it is the old side of a migration",
      "Change the new object that the block was given beside it.")
  }
}

// MARK: Parts of sentences

extension Sentence {
  /// "Could not open the store at 'zones.whimbrel': …"
  static func store(
    _ verb: String, _ path: String, _ reason: String, items: [String] = [], _ recovery: String
  ) -> Sentence {
    Sentence("\(verb) the store at \(quoted(path))", reason, items: items, recovery)
  }

  /// "Could not set 'Zone.latitude': …"
  static func setting(
    _ className: String, _ property: String, _ reason: String, _ recovery: String
  ) -> Sentence {
    Sentence("set \(quoted(className + "." + property))", reason, recovery)
  }

  /// "migrate 'Zone' from version 2 to 3"
  private static func migrate(
    _ className: String?, _ oldVersion: SchemaVersion, _ newVersion: SchemaVersion
  ) -> String {
    "migrate \(className.map(quoted) ?? "the store") from version \(oldVersion) to \(newVersion)"
  }

  /// "migrate the store at 'zones.whimbrel' from version 2 to 3"
  static func migrateStore(
    _ path: String, _ oldVersion: SchemaVersion, _ newVersion: SchemaVersion
  ) -> String {
    "migrate the store at \(quoted(path)) from version \(oldVersion) to \(newVersion)"
  }

  /// ", which holds -128 to 127", or nothing for types without bounds.
  private static func range(of type: PropertyType) -> String {
    guard let bounds = type.integerBounds else { return "" }
    return ", which holds \(bounds.lowerBound) to \(bounds.upperBound)"
  }

  /// "Did you mean 'Zone'?", or what there is to choose from.
  private static func suggestion(
    for name: String, among known: [String], called noun: String
  ) -> String {
    if let likely = Spelling.closest(to: name, among: known) {
      return "Did you mean \(quoted(likely))?"
    }
    return known.isEmpty ? "There are no \(noun)." : "The \(noun) are \(names(known))."
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
