/// The parameter of a migration block: the old objects, the new ones, and the ways
/// from one to the other.
///
/// The block runs once, whatever the versions, when a store's schema version is
/// lower than the one declared. The store itself changes in one step after the
/// block and all checks: until then every reader sees the old objects, and an
/// error leaves the file as it was.
///
/// A migration is valid until its block returns, on the thread that runs it.
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
  /// Calls a block with each object of a class: as it is in the file, and as it
  /// is to be.
  ///
  /// - Objects are visited in the order of their IDs. Those that the migration
  ///   deleted before are skipped, and those that it created are not visited.
  /// - For a class that the code no longer declares, the new object is nil.
  /// - For a class that is new, the objects created so far are visited, and the
  ///   old object is nil.
  /// - A class that has another name now is found under either.
  /// - For a class that neither the file nor the code has, nothing happens: one block serves
  ///   files from before a class came and apps from after it went.
  ///
  /// Whatever the block throws stops the migration, and names the object.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` where neither the file nor the code has the
  ///   class, and one has a class whose name is nearly the same: "Did you mean 'Zone'?"
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

  /// Throws where a name of no class is nearly that of one.
  private func refuseTypo(_ className: String) throws {
    let classes = migrator.classes
    let known = Set(classes.map(\.name) + classes.compactMap { $0.old?.name }).sorted()
    guard Spelling.closest(to: className, among: known) != nil else { return }
    throw StoreError.unknownClass(class: className, known: known)
  }

  /// Creates an object of a class that the code declares.
  ///
  /// Properties without a value get the default of the model; required ones
  /// without a default must be set before the migration ends. Two objects may
  /// have the same primary key until then. An embedded object must be given to another
  /// before the block ends.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`, `unknownProperty`,
  ///   `wrongType` or `outOfRange`.
  @discardableResult
  public func create(
    _ className: String, _ values: [String: PropertyValue] = [:]
  ) throws -> DynamicObject {
    try declaredClass(className).create(values)
  }

  /// Finds a property of the new schema, or when that does not have it of the old, to be
  /// used with all objects of the class.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `unknownProperty`.
  public func property(_ name: String, ofType className: String) throws -> DynamicObject.Property {
    try requireValid()
    let entry = try migrator.requireClass(className) { _ in true }
    return try DynamicObject.Property(name, in: entry.resolved, old: entry.old?.resolved)
  }

  /// Deletes a new object, and the embedded objects that belong to it; links that lead to it
  /// become nil, and elements of collections go.
  ///
  /// From then on everything reads so, as in a store after a write. A link that is set to
  /// what an old object has becomes nil, too, and elements are left out, where the new object
  /// is gone; ``newObject(for:)-(DynamicObject)`` says whether it is.
  ///
  /// An embedded object that loses its owner is gone, unless the block gives it another one.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly` for an old object, and
  ///   `objectDeleted` when it is gone already.
  public func delete(_ object: DynamicObject) throws {
    try requireValid()
    guard let entry = object.source as? ClassRewrite else {
      throw StoreError.oldObjectIsReadOnly(
        class: object.className, objectID: object.id, primaryKey: object.knownPrimaryKey)
    }
    try entry.delete(object.id)
  }

  /// Deletes all objects of a class, and the class too when the code no longer
  /// declares it.
  ///
  /// - Returns: whether the file has such a class.
  /// - Throws: ``StoreError`` with `unknownClass` where neither the file nor the code has the
  ///   class, and one has a class whose name is nearly the same.
  @discardableResult
  public func deleteData(forType className: String) throws -> Bool {
    try requireValid()
    guard let entry = migrator.entry(className) else {
      try refuseTypo(className)
      return false
    }
    return try entry.deleteData()
  }

  /// Lets a property of the new schema take over the values of one of the old.
  ///
  /// Called before the class is enumerated, it costs nothing; after, the values
  /// are copied. Where the types differ, the values are converted, if that loses
  /// nothing. Renames may be chained through names that no version has any
  /// longer: `a` to `b`, then `b` to `c`.
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

  /// Lets a class of the new schema take over a class of the file: its objects, and the
  /// links that lead to them. Links to the old class are then links to the new one.
  ///
  /// It costs nothing. It must be called before objects of either class, or of one that
  /// links to the old one, are enumerated or changed; what has to be said of properties,
  /// as with ``renameProperty(onType:from:to:)``, is said of the new name after it. Renames
  /// may be chained through names that no version has any longer: `A` to `B`, then `B` to
  /// `C`.
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

  /// Notes something in the history of the file, where ``MigrationHistoryEntry`` and
  /// `whimbrel log` show it when the migration has succeeded.
  ///
  /// The same text is noted once, and how many times it was reported. Texts are cut off
  /// after 1,000 characters, and after 1,000 different texts only how many more there
  /// were is noted. After the block, nothing is noted.
  public func report(_ text: String) {
    if !isOver { migrator.block.reported.add(text) }
  }

  /// Returns the old object with a primary key, or nil.
  ///
  /// Old objects are there throughout the migration, whatever has become of the new ones.
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
  /// - Complexity: O(log *n*); the first call for a class with old objects may
  ///   build an index of them.
  public func object(
    ofType className: String, forPrimaryKey key: PropertyValue
  ) throws -> DynamicObject? {
    try declaredClass(className).object(forPrimaryKey: key)
  }

  /// Returns the new object that an old one has become, or nil: the migration may have deleted it,
  /// or the code may no longer declare its class.
  ///
  /// ```swift
  /// for dog in try old.list("dogs").objects() where try migration.newObject(for: dog) == nil {
  ///   strays += 1
  /// }
  /// ```
  ///
  /// A new object is given back as it is, as long as it is there.
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
  /// All classes in the file, those too that the code no longer declared.
  var schemaOfAllClasses: StoreSchema { StoreSchema(classes: classes.map(\.schema)) }
}
