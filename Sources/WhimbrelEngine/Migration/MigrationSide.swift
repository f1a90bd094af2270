package import WhimbrelLMDB

/// The side of a migration or rule that a session shows: the old objects or the new ones.
struct MigrationSide {
  // An app may keep a session after the block, and the session keeps the host. The host therefore
  // releases its sessions when the block ends.
  let host: any SideHost
  /// Whether the session shows the new objects.
  let isNew: Bool
}

/// The owner of the sessions through which code reads old objects and sets new ones.
protocol SideHost: AnyObject {
  /// Records a deferred error, which ends the code that caused it.
  func note(_ error: any Error)
  var problem: (any Error)? { get }
  /// Returns the view through which new objects are written.
  ///
  /// - Throws: ``StoreError`` if only the current object may be changed.
  func writeView() throws -> WriteView
}

extension Migrator: SideHost {
  var problem: (any Error)? { block.problem }

  func writeView() throws -> WriteView { try writer.view() }
}

extension Session {
  /// Returns whether the session shows the new objects of the migration whose old objects the
  /// other shows.
  package func isNewSide(of other: Session?) -> Bool {
    guard let side, let other = other?.side else { return false }
    return side.isNew && !other.isNew && side.host === other.host
  }

  /// Whether the session shows the new objects of a migration.
  package var showsNewObjects: Bool { side?.isNew == true }

  /// Whether the session shows the old objects of a migration. A write to one makes the migration
  /// fail; it does not stop the program.
  package var showsOldObjects: Bool { side?.isNew == false }

  /// The owner of the objects that the session shows: the session, or the migration or rule whose
  /// side it shows.
  var home: AnyObject { side?.host ?? self }

  /// The error for a use of the session after it was closed.
  package var closedError: StoreError {
    isOfMigration
      ? StoreError.notInWrite(verb: "use an object of a migration")
      : StoreError.storeClosed(path: file.path)
  }

  /// Returns the error for a change of an object outside a write.
  package func refusal(toChange className: String, _ id: ObjectID) -> StoreError {
    isOfMigration
      ? StoreError.oldObjectIsReadOnly(
        class: className, objectID: id, primaryKey: find(className)?.primaryKey(of: id))
      : StoreError.notInWrite(verb: "change '\(className)'")
  }
}

/// The sessions through which typed objects of a migration's code read and write.
final class MigrationSessions {
  /// The sessions of old objects, by the types that the objects are read as.
  private var old: [ObjectIdentifier: Session] = [:]
  /// The session of new objects.
  private(set) var new: Session? { didSet { newClock = new?.epochAdvancer } }
  // Safe: a migration runs on one thread.
  @safe @exclusivity(unchecked) private var newClock: Counter.Advancer?

  /// Returns the session of old objects as some types read them.
  func old(_ key: ObjectIdentifier, _ make: () throws -> Session) rethrows -> Session {
    if let known = old[key] { return known }
    let made = try make()
    old[key] = made
    return made
  }

  /// Returns the session of new objects.
  func new(_ make: () throws -> Session) rethrows -> Session {
    if let new { return new }
    let made = try make()
    new = made
    return made
  }

  /// Invalidates what has been read of new objects.
  func voidReads() { newClock?.advance() }

  /// Shows a new snapshot of the old objects.
  func follow(_ view: ReadView) {
    new?.follow(view)
    for session in old.values { session.follow(view) }
  }

  /// Ends all sessions: their objects can no longer be used.
  func end() {
    new?.end()
    new = nil
    for session in old.values { session.end() }
    old = [:]
  }
}

// MARK: - Old objects

extension Migrator {
  /// Returns the session that reads the file's objects through frozen declarations.
  ///
  /// - Parameters:
  ///   - key: An identifier of these declarations.
  ///   - shapes: The declared classes, each with the properties that are read.
  func oldSession(_ key: ObjectIdentifier, _ shapes: () throws -> OldShapes) throws -> Session {
    try writer.sessions.old(key) {
      try writer.requireSoundPages()
      let shapes = try shapes()
      let session = Session(
        MigrationSide(host: self, isNew: false), of: task.file, task.loaded, writer.oldView)
      session.modelTypes = shapes.modelTypes
      for shape in shapes.classes {
        guard let entry = task.loaded.catalog[shape.name] else {
          throw StoreError.unknownClass(
            class: shape.name, known: task.loaded.catalog.classes.map(\.name))
        }
        try requireClass(entry.id).requireConverted()
        let resolved = ResolvedClass(try entry.seen(as: shape))
        let handles = try ClassHandles(resolved, in: session, task.tables)
        session.adopt(ClassTable(resolved, handles, in: session))
      }
      return session
    }
  }

  // MARK: New objects

  /// Returns the session that reads and writes the new objects.
  func sessionOfNewObjects() throws -> Session {
    let session = writer.sessions.new {
      let session = Session(
        MigrationSide(host: self, isNew: true), of: task.file, task.loaded, writer.oldView)
      session.modelTypes = task.declaration.modelTypes
      return session
    }
    // A rename gives a class another shape.
    for entry in classes where entry.draft.declared != nil {
      let known = session.find(entry.name) as? NewObjectTable
      if known?.rewrite !== entry || known?.resolved !== entry.resolved {
        session.adopt(NewObjectTable(entry, in: session))
      }
    }
    return session
  }
}

/// Frozen declarations of a file's classes.
package struct OldShapes {
  package let classes: [ClassSchema]
  /// An object that knows their Swift types.
  package let modelTypes: any AnyObject & Sendable

  package init(_ classes: [ClassSchema], modelTypes: any AnyObject & Sendable) {
    self.classes = classes
    self.modelTypes = modelTypes
  }
}

extension CatalogClass {
  /// Returns the class with only the properties of a frozen declaration, in its order.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch`, which lists all properties that are different in the
  ///   file.
  func seen(as shape: ClassSchema) throws -> CatalogClass {
    var problems: [String] = []
    var seen = self
    seen.properties = shape.properties.compactMap { wanted in
      guard let property = properties.first(where: { $0.name == wanted.name }) else {
        problems.append(Sentence.shapeLacks(wanted.name, known: properties.map(\.name)))
        return nil
      }
      let fits = property.type == wanted.type && (wanted.isOptional || !property.isOptional)
      if !fits { problems.append(Sentence.shapeDiffers(wanted, from: property.schema)) }
      return property
    }
    if shape.isEmbedded != isEmbedded { problems.append(Sentence.shapeEmbedding(isEmbedded)) }
    guard problems.isEmpty else {
      throw StoreError.shapeMismatch(class: name, problems: problems)
    }
    return seen
  }
}

// MARK: - Typed objects

extension Migration {
  /// Returns the session that reads old objects through frozen declarations.
  package func oldSession(
    _ key: ObjectIdentifier, _ shapes: () throws -> OldShapes
  ) throws -> Session {
    try requireValid()
    return try migrator.oldSession(key, shapes)
  }

  /// Returns the session that reads and writes new objects.
  package func newSession() throws -> Session {
    try requireValid()
    return try migrator.sessionOfNewObjects()
  }

  /// Returns a new object, whose properties are read by name.
  package func newObject(ofType className: String, _ id: ObjectID) throws -> DynamicObject {
    try requireValid()
    return DynamicObject(try migrator.requireClass(className) { $0.name == className }, id)
  }

  /// Calls a block with each old object whose new object exists, of a class that may have a new
  /// name.
  package func enumerate(
    old oldName: String, new newName: String,
    _ body: (_ id: ObjectID, _ old: PageBytes) throws -> Void
  ) throws {
    try requireValid()
    let entry = migrator.classes.first { $0.name == newName && $0.draft.declared != nil }
    guard let entry, entry.draft.old?.name == oldName else {
      throw StoreError.shapeNotPaired(old: oldName, new: newName)
    }
    try entry.enumeratePairs(body)
  }

  /// Calls a block with each old object, even if its new object was deleted.
  package func enumerate(
    old oldName: String, _ body: (_ id: ObjectID, _ old: PageBytes) throws -> Void
  ) throws {
    try requireValid()
    try migrator.requireClass(oldName) { $0.draft.old?.name == oldName }.enumerateOld(body)
  }
}
