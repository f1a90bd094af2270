/// The parameter of a migration block. It reads the old objects and changes the new ones.
///
/// The block runs once if the schema version of the store is lower than the declared one, however
/// many versions lie between them. The store changes in one step after the block and all checks.
/// Until then every reader sees the old objects, and an error leaves the file as it was.
///
/// A migration is valid until its block returns, and only on the thread that runs the block.
public final class Migration {
  let migrator: Migrator
  private var isOver = false

  init(_ migrator: Migrator) {
    self.migrator = migrator
  }

  func end() { isOver = true }

  /// The schema of the file.
  public var oldSchema: StoreSchema { migrator.task.loaded.catalog.schemaOfAllClasses }

  /// The schema that the app declares.
  public var newSchema: StoreSchema { migrator.task.declaration.schema }

  /// The schema version of the file.
  public var oldSchemaVersion: SchemaVersion { migrator.task.oldVersion }

  /// The schema version that the app declares.
  public var newSchemaVersion: SchemaVersion { migrator.task.newVersion }
}

extension Migration {
  /// Calls a block with each object of a class: the old object and the new one.
  ///
  /// - Objects are visited in the order of their IDs. Objects that the migration has deleted are
  ///   skipped, and objects that it has created are not visited.
  /// - If the app no longer declares the class, the new object is nil.
  /// - If the class is new, the objects created so far are visited, and the old object is nil.
  /// - A renamed class is found under both names.
  /// - If neither the file nor the app has the class, nothing happens. One block can therefore serve
  ///   files from before a class was added and apps from after it was removed.
  ///
  /// An error that the block throws stops the migration. The error of the migration names the
  /// object.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` if neither the file nor the app has the class, and one
  ///   of them has a class with a similar name: "Did you mean 'Zone'?"
  /// - Complexity: O(*n*), in memory that does not grow with *n*.
  public func enumerateObjects(
    ofType className: String,
    _ block: (_ old: DynamicObject?, _ new: DynamicObject?) throws -> Void
  ) throws {
    try requireValid()
    let classes = migrator.classes
    let entry =
      classes.first { $0.name == className } ?? classes.first { $0.old?.name == className }
    guard let entry else { return try refuseTypo(className) }
    try entry.enumerate(block)
  }

  /// Throws if a name does not belong to a class and is similar to the name of one.
  private func refuseTypo(_ className: String) throws {
    let classes = migrator.classes
    let known = Set(classes.map(\.name) + classes.compactMap { $0.old?.name }).sorted()
    guard Spelling.closest(to: className, among: known) != nil else { return }
    throw StoreError.unknownClass(class: className, known: known)
  }

  /// Creates an object of a class that the app declares.
  ///
  /// Properties without a value get the default of the model. Required properties without a default
  /// must be set before the migration ends. Until then two objects may have the same primary key.
  /// An embedded object must have an owner before the block ends.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`, `unknownProperty`,
  ///   `wrongType` or `outOfRange`.
  @discardableResult
  public func create(
    _ className: String, _ values: [String: PropertyValue] = [:]
  ) throws -> DynamicObject {
    try declaredClass(className).create(values)
  }

  /// Returns a property of the new schema, or of the old one if the new one does not have it. Use
  /// it with all objects of the class.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `unknownProperty`.
  public func property(_ name: String, ofType className: String) throws -> DynamicObject.Property {
    try requireValid()
    let entry = try migrator.requireClass(className) { _ in true }
    return try DynamicObject.Property(name, in: entry.resolved, old: entry.old?.resolved)
  }

  /// Deletes a new object and the embedded objects that belong to it. Links to it become nil, and
  /// collections lose it.
  ///
  /// Everything that is read afterwards shows this, as in a store after a write. If you set a link
  /// to an old object whose new object was deleted, the link becomes nil; collections leave such
  /// elements out. ``newObject(for:)-(DynamicObject)`` returns nil for such an object.
  ///
  /// An embedded object that loses its owner is deleted, unless the block gives it a new one.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly` for an old object, and `objectDeleted` if the
  ///   object was deleted before.
  public func delete(_ object: DynamicObject) throws {
    try requireValid()
    guard let entry = object.source as? ClassRewrite else {
      throw StoreError.oldObjectIsReadOnly(
        class: object.className, objectID: object.id, primaryKey: object.knownPrimaryKey)
    }
    try entry.delete(object.id)
  }

  /// Deletes all objects of a class, and the class itself if the app no longer declares it.
  ///
  /// - Returns: Whether the file has the class.
  /// - Throws: ``StoreError`` with `unknownClass` if neither the file nor the app has the class, and one
  ///   of them has a class with a similar name.
  @discardableResult
  public func deleteData(forType className: String) throws -> Bool {
    try requireValid()
    guard let entry = migrator.entry(className) else {
      try refuseTypo(className)
      return false
    }
    return try entry.deleteData()
  }

  /// Renames a property: the new property takes over the values of the old one.
  ///
  /// Before the class is enumerated, a rename costs nothing; after that, the values are copied. If
  /// the types differ, the values are converted, provided that nothing is lost. Renames may be
  /// chained through names that the new schema does not have: `a` to `b`, then `b` to `c`.
  ///
  /// - Throws: ``StoreError`` with `invalidRename`.
  public func renameProperty(
    onType className: String, from oldName: String, to newName: String
  ) throws {
    try requireValid()
    guard let entry = migrator.entry(className) else {
      throw StoreError.invalidRename(
        class: className, from: oldName, to: newName, problem: .classMissing)
    }
    try entry.rename(from: oldName, to: newName)
  }

  /// Renames a class: the new class takes over the objects of the old one and the links to them.
  ///
  /// A rename costs nothing. Call it before objects of either class, or of a class that links to
  /// the old one, are enumerated or changed. Afterwards use the new name, for example in
  /// ``renameProperty(onType:from:to:)``. Renames may be chained through names that the new schema
  /// does not have: `A` to `B`, then `B` to `C`.
  ///
  /// ```swift
  /// try migration.renameClass(from: "Zone", to: "Area")
  /// try migration.renameProperty(onType: "Area", from: "name", to: "identifier")
  /// ```
  ///
  /// - Throws: ``StoreError`` with `invalidRename`.
  public func renameClass(from oldName: String, to newName: String) throws {
    try requireValid()
    try migrator.renameClass(from: oldName, to: newName)
  }

  /// Adds a message to the history of the file. ``MigrationHistoryEntry`` and `whimbrel log` show
  /// it after the migration has succeeded.
  ///
  /// A message that is reported several times is stored once, with a count. Messages are cut off
  /// after 1,000 characters. After 1,000 different messages only the number of further ones is
  /// stored. Messages that are reported after the block has ended are ignored.
  public func report(_ text: String) {
    if !isOver { migrator.block.reported.add(text) }
  }

  /// Returns the old object with a primary key, or nil.
  ///
  /// Old objects can be read throughout the migration, even if their new objects were deleted.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `noPrimaryKey`.
  /// - Complexity: O(log *n*).
  public func oldObject(
    ofType className: String, forPrimaryKey key: PropertyValue
  ) throws -> DynamicObject? {
    try requireValid()
    let entry = try migrator.requireClass(className) { $0.old != nil }
    return try entry.oldObjects().object(forPrimaryKey: key)
  }

  /// Returns the new object with a primary key, or nil.
  ///
  /// - Complexity: O(log *n*). The first call for a class with old objects may build an index of them.
  public func object(
    ofType className: String, forPrimaryKey key: PropertyValue
  ) throws -> DynamicObject? {
    try declaredClass(className).object(forPrimaryKey: key)
  }

  /// Returns the new object of an old one. Returns nil if the migration has deleted it, or if the
  /// app no longer declares its class.
  ///
  /// ```swift
  /// let dogs = try old.list("dogs")
  /// for position in 0..<(try dogs.count()) {
  ///   guard let dog = try dogs.object(at: position) else { continue }
  ///   if try migration.newObject(for: dog) == nil { strays += 1 }
  /// }
  /// ```
  ///
  /// If the object is a new one, it is returned, unless it was deleted.
  ///
  /// - Complexity: O(log *n*).
  public func newObject(for old: DynamicObject) throws -> DynamicObject? {
    try requireValid()
    let classID = old.source.resolved.id
    guard let entry = migrator.entry(classID), entry.draft.declared != nil,
      try entry.record(old.id) != nil
    else { return nil }
    return DynamicObject(entry, old.id)
  }

  private func declaredClass(_ name: String) throws -> ClassRewrite {
    try requireValid()
    guard let entry = migrator.entry(name), entry.draft.declared != nil
    else {
      throw StoreError.unknownClass(class: name, known: newSchema.classes.map(\.name))
    }
    return entry
  }

  func requireValid() throws {
    if isOver { throw StoreError.notInWrite(verb: "migrate") }
  }
}

extension Catalog {
  /// The schema of all classes in the file, including those that the app no longer declares.
  package var schemaOfAllClasses: StoreSchema { StoreSchema(classes: classes.map(\.schema)) }
}
