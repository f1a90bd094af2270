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
/// ``refresh()`` or ``write(_:)-(()->Result)``, whatever others write meanwhile. A store that is
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
    session = try Session(file, for: request.declaration)
    session.modelTypes = request.declaration?.modelTypes
    session.origin = StoreOrigin(self)
  }

  /// Makes a store of the session of one that is gone.
  init(_ configuration: Configuration, _ session: Session) {
    self.configuration = configuration
    self.session = session
  }

  /// The schema version of the file.
  public var schemaVersion: SchemaVersion { session.loaded.header.schemaVersion }

  /// The schema of the file.
  public var schema: StoreSchema { session.loaded.catalog.schema }

  /// The UUID of the file, given when it was made.
  public var uuid: UUID { session.loaded.header.uuid }

  /// The migrations that the file has been through, oldest first, with what their code
  /// reported.
  public var migrationHistory: [MigrationHistoryEntry] { session.loaded.catalog.history }

  /// Whether a write is in progress.
  public var isInWrite: Bool { session.isWriting }

  deinit { session.cancelAbandonedWrite() }
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

  /// Moves to the last commit, of whatever store or process.
  ///
  /// - Returns: whether anything was committed since.
  /// Another process may have changed the schema of the file meanwhile. The store goes on where
  /// it can read and write as before: with classes and properties that it does not declare,
  /// another order, other indexes and defaults, and more cases of an enum. Its writes keep the
  /// properties that it does not know, and give them their defaults in new objects.
  ///
  /// - Throws: ``StoreError``; with `schemaChangedElsewhere` when another process
  ///   has migrated the file to a schema that this store cannot use.
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

  /// Runs a closure in a write, gives it the store, and commits when it returns.
  ///
  /// ```swift
  /// actor Library {
  ///   let store: Store
  ///
  ///   func load(_ data: Data) throws -> Int {
  ///     let rows = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
  ///     try store.write { store in
  ///       for row in rows { try store.create(Book.self, value: row) }
  ///     }
  ///     return rows.count
  ///   }
  /// }
  /// ```
  ///
  /// In an actor, a closure that names the actor's store takes what it captures over into the
  /// actor, and the compiler then refuses to let `rows` be used after it. A closure that uses
  /// the store it is given does not.
  ///
  /// - Returns: what the closure returns.
  /// - Throws: as the other `write`.
  @discardableResult
  public func write<Result>(_ body: (_ store: Store) throws -> Result) throws -> Result {
    try session.write { try body(self) }
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
        class: table.name, objectID: object._$row.id,
        primaryKey: object._$row.knownKey)
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
        throw StoreError.objectOfOtherStore(
          class: table.name, objectID: object._$row.id,
          primaryKey: object._$row.knownKey)
      }
      guard try table.record(object._$row.id) != nil else {
        throw table.resolved.deleted(object._$row.id)
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

extension Model {
  fileprivate var _schema: ModelSchema { Self._$schema }
}
