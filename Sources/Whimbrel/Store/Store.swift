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
/// A store belongs to one thread, task or actor at a time, and so do the objects read from it. Open
/// a store wherever you need one. Opening is cheap, because all stores of one file in a process
/// share the file.
///
/// Outside of a write, a store shows a snapshot: the file as it was at the last ``refresh()`` or
/// ``write(_:)-(()->Result)``. A store that stays open without either keeps its snapshot alive, and
/// the file grows with every write of others.
public final class Store {
  /// The configuration that the store was opened with.
  public let configuration: Configuration
  package let session: Session
  /// An object that lives as long as the store.
  package var belongings: AnyObject?
  /// An adder that has nothing to do, for the next object.
  private var idleAdder: ObjectAdder?

  /// Opens a store. Makes the file if it does not exist, and migrates it if its schema version is
  /// lower than the declared one.
  ///
  /// - Throws: ``StoreError``. The file is then unchanged.
  /// - Complexity: O(1), in microseconds, if the file has the declared schema.
  public convenience init(_ configuration: Configuration) throws {
    let request = try configuration.request()
    try self.init(configuration, request, StoreFile.open(request))
  }

  init(_ configuration: Configuration, _ request: OpenRequest, _ file: StoreFile) throws {
    self.configuration = configuration
    session = try Session(file, for: request.declaration)
    session.trackReads(configuration.observationTracking)
    session.modelTypes = request.declaration?.modelTypes
    session.origin = StoreOrigin(self)
  }

  /// Makes a store for a session whose store was deallocated.
  init(_ configuration: Configuration, _ session: Session) {
    self.configuration = configuration
    self.session = session
  }

  /// Opens a store of a file that is open already, only for reading.
  init(reading file: StoreFile, _ configuration: Configuration) throws {
    let declaration = try configuration.declarationWithRules()
    self.configuration = configuration
    session = try Session(file, for: declaration)
    session.isForReading = true
    session.modelTypes = declaration.modelTypes
    session.origin = StoreOrigin(self)
  }

  /// The schema version of the file.
  public var schemaVersion: SchemaVersion { session.loaded.header.schemaVersion }

  /// The schema of the file.
  public var schema: StoreSchema { session.loaded.catalog.schema }

  /// The UUID of the file, which it got when it was made.
  public var uuid: UUID { session.loaded.header.uuid }

  /// The migrations of the file, oldest first, with the messages that their code reported.
  public var migrationHistory: [MigrationHistoryEntry] { session.loaded.catalog.history }

  /// Whether a write is in progress.
  public var isInWrite: Bool { session.isWriting }

  deinit { session.cancelAbandonedWrite() }
}

@available(*, unavailable)
extension Store: Sendable {}

// MARK: - Reading

extension Store {
  /// Returns all objects of a model, in the order in which they were added. If the model has an
  /// integer primary key, they are in the order of the key.
  ///
  /// The results are live: they always show the current state of the store.
  ///
  /// - Complexity: O(1).
  public func objects<Element: Model>(_ type: Element.Type) -> Results<Element> {
    session.stopUnlessListed(type)
    return Results(ObjectList(session, type._$schema.name))
  }

  /// Moves to the last commit of any store or process.
  ///
  /// Another process may have changed the schema of the file. The store keeps working if it can
  /// read and write as before: the file may have additional classes and properties, another order,
  /// other indexes and defaults, and more cases of an enum. Writes keep the values of properties
  /// that the store does not declare, and give those properties their defaults in new objects.
  ///
  /// - Returns: Whether there was a commit since the last refresh.
  /// - Throws: ``StoreError``, with `schemaChangedElsewhere` if another process has migrated the
  ///   file to a schema that this store cannot use.
  @discardableResult
  public func refresh() throws -> Bool {
    try session.refresh()
  }
}

// MARK: - Writing

extension Store {
  /// Runs a closure in a write, and commits when the closure returns.
  ///
  /// Only one write runs at a time, across all threads and processes; other writers wait. If the
  /// closure throws, everything written in it is undone, and objects that it added must not be used
  /// any more.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; ``StoreError`` with `nestedWrite` inside of another write,
  ///   and with `migrationInProgress` if a migration by another process or thread does not end within
  ///   a second.
  @discardableResult
  public func write<Result>(_ body: () throws -> Result) throws -> Result {
    try session.write(body)
  }

  /// Runs a closure in a write, passes the store to it, and commits when it returns.
  ///
  /// ```swift
  /// actor Library {
  ///   let store: Store
  ///
  ///   init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }
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
  /// In an actor, a closure that uses the actor's `store` property captures the actor. Swift 6 then
  /// treats captured values that are not `Sendable` as sent to the actor, and rejects any use of
  /// `rows` after the write. A closure that uses its parameter avoids this.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: As ``write(_:)-(()->Result)``.
  @discardableResult
  public func write<Result>(_ body: (_ store: Store) throws -> Result) throws -> Result {
    try session.write { try body(self) }
  }

  /// Adds an object, and all unmanaged objects that it links to.
  ///
  /// The object is managed afterwards. An object that is already in the store stays unchanged.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - update: The response to an existing object with the same primary key. The default is to
  ///     throw an error.
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`, `duplicateValues`, `missingValue`,
  ///   `noPrimaryKey`, `invalidMapKey`, `nestedTooDeep`, `embeddedNeedsOwner`, `embeddedHasOwner`,
  ///   `objectDeleted`, `objectOfOtherStore`, `unknownClass` for a model that the configuration does
  ///   not list, or `notInWrite`.
  public func add(_ object: some Model, update: UpdatePolicy = .error) throws {
    let schema = object._schema
    try requirePrimaryKey(schema, for: update)
    if schema.isEmbedded, !object.isManaged {
      throw StoreError.embeddedNeedsOwner(class: schema.name)
    }
    let adder = idleAdder.take() ?? ObjectAdder(session, update)
    adder.policy = update
    try adder.add(object)
    // After an error, an adder may have leftovers.
    idleAdder = adder
  }

  /// Adds objects, and all unmanaged objects that they link to. If one of them throws, the objects
  /// before it stay added until the write is undone.
  ///
  /// - Throws: ``StoreError`` as for one object. Outside of a write, an empty sequence also throws
  ///   `notInWrite`.
  public func add(_ objects: some Sequence<some Model>, update: UpdatePolicy = .error) throws {
    _ = try session.requireAdding("add objects")
    for object in objects { try add(object, update: update) }
  }

  func requirePrimaryKey(_ schema: ModelSchema, for update: UpdatePolicy) throws {
    if update != .error, !schema.hasPrimaryKey {
      throw StoreError.noPrimaryKey(class: schema.name, updating: true)
    }
  }

  /// Deletes an object. Links to it become nil.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted`, `objectOfOtherStore`, `notInStore` for an
  ///   unmanaged object, or `notInWrite`.
  /// - Complexity: O(*k* log *n*) for *k* links to it. A list or a map that holds it is gone through:
  ///   delete many objects together, not one after the other.
  public func delete(_ object: some Model) throws {
    let table = try session.table(of: object)
    try session.requireOwn(object)
    try table.remove(object._$row.id)
  }

  /// Deletes the objects that results contain at the time of the call. Links to them become nil.
  ///
  /// ```swift
  /// try store.write {
  ///   try store.delete(store.objects(Zone.self).where { $0.country == nil })
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` with `objectOfOtherStore` or `notInWrite`.
  /// - Complexity: O(*n*) for all objects of a model that no other object links to. Otherwise the
  ///   cost of finding the objects and of deleting each of them. A list or a map that holds any of
  ///   them is gone through once, or once for every 65,536 of them.
  public func delete<Element: Model>(_ objects: Results<Element>) throws {
    try delete(objects.base)
  }

  /// Deletes the objects of an array, a list, a set or linking objects. Links to them become nil.
  ///
  /// An object that occurs twice, or that was deleted together with its owner, is skipped.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted` for an object that was deleted before the call,
  ///   with `objectOfOtherStore`, with `notInStore` for an unmanaged object, or with `notInWrite`.
  ///   Nothing is deleted then.
  public func delete<Element: Model>(_ objects: some Sequence<Element>) throws {
    let table = try session.table(Element._$schema.name)
    // Copied first: a list loses its elements while they are deleted.
    let objects = Array(objects)
    for object in objects {
      try session.requireOwn(object)
      guard try table.contains(object._$row.id) else {
        throw table.resolved.deleted(object._$row.id)
      }
    }
    try table.remove(objects.map(\._$row.id))
  }

  func delete(_ objects: ObjectList) throws {
    guard objects.session === session else {
      throw StoreError.objectOfOtherStore(class: objects.className)
    }
    try objects.delete()
  }

  /// Deletes all objects of all models in the configuration.
  public func deleteAll() throws {
    _ = try session.requireWriting("delete all objects")
    // The catalog's declared classes are those of the store that was opened last, not of this one.
    let declared = Set(configuration.models.map { $0._$schema.name })
    for table in session.classes where declared.contains(table.name) {
      try table.removeAll()
    }
  }
}

extension Model {
  fileprivate var _schema: ModelSchema { Self._$schema }
}
