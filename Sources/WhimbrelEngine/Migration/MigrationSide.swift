package import WhimbrelLMDB

/// The old or the new objects of a migration, or of a rule, as a session shows them.
struct MigrationSide {
  // A session that an app keeps beyond the block keeps the host; the host lets go of its sessions
  // when the block is over.
  let host: any SideHost
  /// Whether it shows the new objects, and not the old ones.
  let isNew: Bool
}

/// The owner of the sessions that code reads old objects and sets new ones through.
protocol SideHost: AnyObject {
  /// Records a deferred error: it ends the code that met it.
  func note(_ error: any Error)
  var problem: (any Error)? { get }
  /// Returns what new objects are written through.
  ///
  /// - Throws: ``StoreError`` if only the object at hand may be changed.
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

  /// Whether the session shows the old objects of a migration: writing to one makes the migration
  /// fail, and does not stop the program.
  package var showsOldObjects: Bool { side?.isNew == false }

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

/// The sessions of a migration: what typed objects of its code read and write through.
final class MigrationSessions {
  /// Those of old objects, by the types that they are read as.
  private var old: [ObjectIdentifier: Session] = [:]
  /// That of new objects.
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

  /// Says that what has been read of new objects is void.
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
  ///   - key: what tells these declarations from others.
  ///   - shapes: the classes declared: each with as many properties as are read.
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
        let resolved = ResolvedClass(try entry.seen(as: shape))
        session.adopt(try ClassTable(resolved, in: session, handles: task.tables))
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

/// Frozen declarations of classes as a file has them.
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
  /// - Throws: ``StoreError`` with `shapeMismatch` that lists all properties which are
  ///   not like that in the file.
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

  /// Returns a new object, as code sees it that asks for properties by name.
  package func newObject(ofType className: String, _ id: ObjectID) throws -> DynamicObject {
    try requireValid()
    return DynamicObject(try migrator.requireClass(className) { $0.name == className }, id)
  }

  /// Calls a block with each old object that still is a new one, of a class that had one
  /// name and may have another now.
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

  /// Calls a block with each old object, whatever has become of it.
  package func enumerate(
    old oldName: String, _ body: (_ id: ObjectID, _ old: PageBytes) throws -> Void
  ) throws {
    try requireValid()
    try migrator.requireClass(oldName) { $0.draft.old?.name == oldName }.enumerateOld(body)
  }
}
