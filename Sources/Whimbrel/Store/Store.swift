public import Foundation
public import WhimbrelEngine

/// A store of live objects in one file.
///
/// ```swift
/// let store = try Store(configuration)
/// try store.write {
///   try store.add(Country(code: "AD", name: "Andorra"))
/// }
/// for country in store.objects(Country.self) { print(country.name) }
/// ```
///
/// A store belongs to one thread, task or actor at a time, and so do the objects
/// read from it: open one wherever you need one. Opening is cheap, because all
/// stores of one file share it.
///
/// Outside of a write, a store shows the file as it was at the last
/// ``refresh()`` or ``write(_:)``, whatever others write meanwhile. A store that is
/// kept open without either pins what it shows, and the file grows with every
/// write of others.
public final class Store {
  /// How the store was opened.
  public let configuration: Configuration
  package let session: Session
  /// What goes away with the store.
  package var belongings: AnyObject?

  /// Opens a store: makes it if it is not there, and migrates it if its schema
  /// version is lower than the one declared.
  ///
  /// - Throws: ``StoreError``. The file is then as it was.
  /// - Complexity: O(1) when the schema is the one declared, in microseconds.
  public convenience init(_ configuration: Configuration) throws {
    let request = try configuration.request()
    try self.init(configuration, request, StoreFile.open(request))
  }

  /// Makes a store of a file that was opened as a request says.
  init(_ configuration: Configuration, _ request: OpenRequest, _ file: StoreFile) throws {
    self.configuration = configuration
    session = try Session(file)
    session.modelTypes = request.declaration?.modelTypes
    let declared = request.declaration?.schema ?? Schema(classes: [])
    let path = file.path
    session.onSchemaChange = { loaded in
      // Classes that others add do not matter here, nor that they do without some of
      // ours; changes of ours do, as far as reading and writing depends on them.
      let known = loaded.catalog.classes.map(\.schema).filter { declared[$0.name] != nil }
      let difference = SchemaDifference(from: declared, to: Schema(classes: known))
      guard difference.changes.allSatisfy(\.leavesOpenStoresAlone) else {
        throw StoreError.schemaChangedElsewhere(path: path, changes: difference.changes)
      }
    }
  }

  /// The schema version of the file.
  public var schemaVersion: SchemaVersion { session.loaded.header.schemaVersion }

  /// The schema of the file.
  public var schema: Schema { session.loaded.catalog.schema }

  /// The UUID of the file, given when it was made.
  public var uuid: UUID { session.loaded.header.uuid }

  /// The migrations that the file has been through, oldest first, with what their code
  /// reported.
  public var migrationHistory: [MigrationHistoryEntry] { session.loaded.catalog.history }

  /// Whether a write is under way.
  public var isInWrite: Bool { session.isWriting }

  /// Lets go of the file. Using the store or its objects after that is an error.
  public func close() { session.close() }
}

@available(*, unavailable)
extension Store: Sendable {}

// MARK: - Reading

extension Store {
  /// All objects of a model, in the order in which they were added; those of a
  /// model with an integer primary key are in the order of the key.
  ///
  /// The results are live: they show what the store shows, at any moment.
  ///
  /// - Complexity: O(1).
  public func objects<Element: Model>(_ type: Element.Type) -> Results<Element> {
    Results(ObjectList(session, type._$schema.name))
  }

  /// The object with a primary key, or nil.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? {
    session.row(of: type._$schema.name, forPrimaryKey: key.propertyValue)
      .map(Element.init(_$row:))
  }

  /// Moves to the last commit, of whatever store or process.
  ///
  /// - Returns: whether anything was committed since.
  /// - Throws: ``StoreError``; with `schemaChangedElsewhere` when another process
  ///   has migrated the file to a schema that is not the one declared here.
  @discardableResult
  public func refresh() throws -> Bool {
    try session.refresh()
  }
}

// MARK: - Writing

extension Store {
  /// Runs a closure in a write, and commits it when the closure returns.
  ///
  /// There is one write at a time, in all threads and processes; others wait.
  /// When the closure throws, everything written in it is undone. Objects that it
  /// added can then no longer be used.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: what the closure throws; ``StoreError`` with `nestedWrite` inside
  ///   of another write, and with `migrationInProgress` while another process
  ///   migrates the file.
  @discardableResult
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try session.write(body)
  }

  /// Adds an object, and all objects that it links to.
  ///
  /// The object is managed from then on. An object that is in the store already
  /// stays as it is.
  ///
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`, `missingValue`,
  ///   `objectOfOtherStore` or `notInWrite`.
  public func add(_ object: some Model, update: UpdatePolicy = .error) throws {
    try requirePrimaryKey(object._schema, for: update)
    if object._schema.classSchema.isEmbedded, !object.isManaged {
      throw StoreError.embeddedNeedsParent(class: object._schema.name)
    }
    _ = try ObjectAdder(session, update).add(object)
  }

  /// Adds objects, and all objects that they link to.
  public func add(_ objects: some Sequence<some Model>, update: UpdatePolicy = .error) throws {
    for object in objects { try add(object, update: update) }
  }

  func requirePrimaryKey(_ schema: ModelSchema, for update: UpdatePolicy) throws {
    if update != .error, schema.classSchema.primaryKey == nil {
      throw StoreError.noPrimaryKey(class: schema.name)
    }
  }

  /// Deletes an object. Links that lead to it become nil.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted`, `objectOfOtherStore` or
  ///   `notInWrite`.
  /// - Complexity: O(*k* log *n*) for *k* links that lead to it.
  public func delete(_ object: some Model) throws {
    let table = try session.table(object._schema.name)
    guard object._$row.session === session else {
      throw StoreError.objectOfOtherStore(
        class: table.name, objectID: object._$row.id)
    }
    try table.remove(object._$row.id)
  }

  /// Deletes the objects of results, as they are when this is called. Links that lead to
  /// them become nil.
  ///
  /// ```swift
  /// try store.write {
  ///   try store.delete(store.objects(Zone.self).where { $0.country == nil })
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` with `objectOfOtherStore` or `notInWrite`.
  /// - Complexity: O(*n*) for all objects of a model that no others link to; else as for
  ///   each, and what it takes to find them.
  public func delete<Element: Model>(_ objects: Results<Element>) throws {
    try delete(objects.base)
  }

  /// Deletes objects: of an array, a list, a set, or those that link to one. Links that
  /// lead to them become nil.
  ///
  /// An object that comes twice, or that went with one before, is passed over.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted` for an object that was gone before,
  ///   `objectOfOtherStore` or `notInWrite`.
  public func delete<Element: Model>(_ objects: some Sequence<Element>) throws {
    let table = try session.table(Element._$schema.name)
    // A list loses those that are deleted.
    let objects = Array(objects)
    for object in objects {
      guard object._$row.session === session else {
        throw StoreError.objectOfOtherStore(class: table.name, objectID: object._$row.id)
      }
      guard try table.record(object._$row.id) != nil else {
        throw StoreError.objectDeleted(class: table.name, objectID: object._$row.id)
      }
    }
    _ = try session.requireWriting("delete objects of '\(table.name)'")
    for object in objects where try table.record(object._$row.id) != nil {
      try table.remove(object._$row.id)
    }
  }

  func delete(_ objects: ObjectList) throws {
    guard objects.session === session else {
      throw StoreError.objectOfOtherStore(class: objects.request.className)
    }
    try objects.delete()
  }

  /// Deletes all objects of all models that the store declares.
  public func deleteAll() throws {
    _ = try session.requireWriting("delete all objects")
    // What the file says is declared is what the store that was opened last declared.
    let declared = Set(configuration.models.map { $0._$schema.name })
    for table in session.classes where declared.contains(table.name) {
      try table.removeAll()
    }
  }
}

extension SchemaChange {
  /// Whether a store that knows nothing of the change reads and writes as before:
  /// indexes and defaults are those of the file, whoever writes.
  fileprivate var leavesOpenStoresAlone: Bool {
    switch self {
    case .indexAdded, .indexRemoved, .classIndexAdded, .classIndexRemoved, .defaultChanged: true
    default: false
    }
  }
}

extension Model {
  fileprivate var _schema: ModelSchema { Self._$schema }
}
