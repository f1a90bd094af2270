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

  static func usedByOtherThread(path: String) -> Sentence {
    store(
      "use", path, "it was opened on another thread, which is writing to it now",
      "Open a store on each thread, and use objects and results only with their own store.")
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
    let owner = existing.map { object($0, nil) } ?? "another object"
    let reason = "\(owner) has the same \(quoted(property)), \(key(primaryKey))"
    return Sentence(
      "add an object of \(quoted(className))", reason,
      "Choose another key, or pass 'update: .modified' to change the existing object.")
  }

  static func duplicateValues(
    class className: String, properties: [String], values: [PropertyValue], objectID: ObjectID,
    existing: ObjectID, keys: [ObjectID: PropertyValue]
  ) -> Sentence {
    let found = zip(properties, values).map { "\(quoted($0)), \(value($1))" }
    return Sentence(
      "write \(object(objectID, keys[objectID])) of \(quoted(className))",
      "\(object(existing, keys[existing])) has the same \(found.joined(separator: ", and "))",
      "Give it another value, or declare the index without '.unique'.")
  }

  static func missingValue(class className: String, property: String) -> Sentence {
    Sentence(
      "add an object of \(quoted(className))", "its property \(quoted(property)) has no value",
      "Set it, declare a default value, or make it optional.")
  }

  static func wrongTypeRead(
    class className: String, property: String, stored: PropertyType, isOptional: Bool,
    isNil: Bool, wanted: String
  ) -> Sentence {
    Sentence(
      "read \(quoted(className + "." + property)) as \(wanted)",
      isNil ? "it is nil" : "it holds '\(stored)\(isOptional ? "?" : "")'",
      isNil ? "Read it as an optional." : "Read it as the type that it has.")
  }

  static func undeclaredValueMissing(class className: String, property: String) -> Sentence {
    Sentence(
      "add an object of \(quoted(className))",
      "its property \(quoted(property)), which this app does not declare, has no default value",
      "Add the object with the version of the app that has brought the property.")
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

  static func objectDeleted(
    class className: String, objectID: ObjectID, primaryKey: PropertyValue?
  ) -> Sentence {
    Sentence(
      "use \(object(objectID, primaryKey)) of \(quoted(className))", "it has been deleted",
      "Find the object again before you use it.")
  }

  static func objectOfOtherStore(
    class className: String, objectID: ObjectID?, primaryKey: PropertyValue?
  ) -> Sentence {
    Sentence(
      "use \(objectID.map { object($0, primaryKey) } ?? "an object") of \(quoted(className))",
      "it belongs to another store", "Find the object in this store, or create a copy of it here.")
  }

  static func noPrimaryKey(class className: String) -> Sentence {
    Sentence(
      "look up an object of \(quoted(className)) by its primary key",
      "the class has no primary key", "Mark a property with '@PrimaryKey', or use a query.")
  }

  static func wrongKeyType(
    class className: String, property: String, expected: PropertyType, got: String
  ) -> Sentence {
    Sentence(
      "look up an object of \(quoted(className)) by its primary key",
      "\(quoted(property)) holds '\(expected)' and was given '\(got)'",
      "Give a key of the type of the property.")
  }

  static func valueTooLarge(class className: String, property: String, limit: Int, got: Int)
    -> Sentence
  {
    setting(
      className, property, "the value takes \(got) bytes and at most \(limit) are allowed",
      "Keep it in a file of its own, and store the path.")
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
  static func migrate(
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
  static func suggestion(
    for name: String, among known: [String], called noun: String
  ) -> String {
    if let likely = Spelling.closest(to: name, among: known) {
      return "Did you mean \(quoted(likely))?"
    }
    return known.isEmpty ? "There are no \(noun)." : "The \(noun) are \(names(known))."
  }
}
