public import WhimbrelEngine
internal import WhimbrelLMDB

extension Migration {
  /// Calls a block with each object of a class: as it was, read through a frozen
  /// declaration, and as it is to be.
  ///
  /// A frozen declaration is a model of what the block reads of an old version. It is
  /// not among the models of the configuration, and stays as it is when the app's own
  /// model goes on:
  ///
  /// ```swift
  /// enum SchemaV1 {
  ///   @Model final class Person {
  ///     var first: String
  ///     var last: String
  ///   }
  /// }
  ///
  /// try migration.enumerate(SchemaV1.Person.self, Person.self) { old, new in
  ///   new.fullName = "\(old.first) \(old.last)"
  /// }
  /// ```
  ///
  /// It needs only the properties that the block reads, with the types that they had;
  /// links lead to other frozen declarations. Both objects are valid inside of the
  /// block. The old one can only be read; of the new one the primary key may be set too.
  /// An old object that is given to a link stands for the new object that it became.
  /// Where the block keeps none of them, the same two Swift objects may stand for all, one
  /// after the other: weak references do not keep them.
  ///
  /// Objects are visited as by ``enumerateObjects(ofType:_:)``.
  ///
  /// - Parameters:
  ///   - old: the declaration of the class as it was, under its old name.
  ///   - new: the model of the configuration, or of the step, under its new name.
  ///   - body: what it throws stops the migration, and names the object.
  /// - Throws: ``StoreError`` with `shapeMismatch` when a declaration does not fit, and
  ///   with `unknownClass`.
  /// - Complexity: O(*n*), in memory that does not grow with *n*.
  public func enumerate<Old: Model, New: Model>(
    _ old: Old.Type, _ new: New.Type, _ body: (_ old: Old, _ new: New) throws -> Void
  ) throws {
    var reader = try oldReader(Old.self)
    let newSide = try newSession(for: New.self)
    let table = try newSide.table(New._$schema.name)
    let (oldObject, newObject) = (PassingObject<Old>(), PassingObject<New>())
    try enumerate(old: Old._$schema.name, new: New._$schema.name) { id, record in
      try body(oldObject.show(id, record, &reader), newObject.show(id, newSide, table))
    }
  }

  /// Calls a block with each old object of a class, read through a frozen declaration,
  /// whatever becomes of it: also those of classes that the code no longer declares.
  ///
  /// ```swift
  /// try migration.enumerate(SchemaV4.Area.self) { old in
  ///   try migration.add(Region(name: old.name))
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch` when the declaration does not fit, and
  ///   with `unknownClass`.
  /// - Complexity: O(*n*), in memory that does not grow with *n*.
  public func enumerate<Old: Model>(
    _ old: Old.Type, _ body: (_ old: Old) throws -> Void
  ) throws {
    var reader = try oldReader(Old.self)
    let object = PassingObject<Old>()
    try enumerate(old: Old._$schema.name) { id, record in
      try body(object.show(id, record, &reader))
    }
  }

  /// The old object with a primary key, or nil.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch`, `unknownClass` or `noPrimaryKey`. The
  ///   primary key must be among the properties declared.
  /// - Complexity: O(log *n*).
  public func oldObject<Old: Model>(
    ofType type: Old.Type, forPrimaryKey key: Old._$Key
  ) throws -> Old? {
    let session = try oldSession(for: Old.self)
    let table = try session.table(Old._$schema.name)
    return try table.find(key.propertyValue).map { id in
      Old(_$row: ModelRow(session, table, id))
    }
  }

  /// The new object with a primary key, or nil.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch` or `noPrimaryKey`.
  /// - Complexity: O(log *n*); the first call for a class with old objects may build an
  ///   index of them.
  public func object<New: Model>(
    ofType type: New.Type, forPrimaryKey key: New._$Key
  ) throws -> New? {
    let session = try newSession(for: New.self)
    let table = try session.table(New._$schema.name)
    return try table.find(key.propertyValue).map { id in
      New(_$row: ModelRow(session, table, id))
    }
  }

  /// The new object that an old one has become, or nil: the migration may have deleted it.
  ///
  /// ```swift
  /// try migration.enumerate(SchemaV1.Person.self, Person.self) { old, new in
  ///   new.lostDogs = try old.dogs.count { dog in
  ///     try migration.newObject(for: dog, as: Dog.self) == nil
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: an object of a frozen declaration, or a new object, which is given back as it
  ///     is as long as it is there.
  ///   - type: the model of the configuration, or of the step.
  /// - Throws: ``StoreError`` with `objectOfOtherStore` for an object of no migration, with
  ///   `unknownClass` or `shapeNotDeclared` for a model that is not declared, and with
  ///   `shapeNotPaired` when the old class has not become the new one.
  /// - Complexity: O(log *n*).
  public func newObject<Old: Model, New: Model>(
    for old: Old, as type: New.Type = New.self
  ) throws -> New? {
    let session = try newSession(for: New.self)
    let other = old._$row.session
    guard other === session || session.isNewSide(of: other) else {
      throw StoreError.objectOfOtherStore(class: Old._$schema.name, objectID: old._$row.id)
    }
    let table = try session.table(New._$schema.name)
    guard old._$row.table?.resolved.id == table.resolved.id else {
      throw StoreError.shapeNotPaired(old: Old._$schema.name, new: New._$schema.name)
    }
    guard try table.record(old._$row.id) != nil else { return nil }
    return New(_$row: ModelRow(session, table, old._$row.id))
  }

  /// Adds an object, and all objects that it links to.
  ///
  /// Two objects may have the same primary key until the migration ends.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch`, `missingValue` or
  ///   `embeddedNeedsParent`.
  public func add<New: Model>(_ object: New) throws {
    let session = try newSession(for: New.self)
    if New._$schema.classSchema.isEmbedded, !object.isManaged {
      throw StoreError.embeddedNeedsParent(class: New._$schema.name)
    }
    _ = try ObjectAdder(session, .error).add(object)
  }

  /// Deletes a new object, and the embedded objects that belong to it; links that lead to it
  /// become nil, and elements of collections go.
  ///
  /// From then on everything reads so, as in a store after a write. An old object stands for
  /// nothing then: a link that is set to it becomes nil, and no element is made of it.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly` for an old object,
  ///   `objectOfOtherStore` for one of no migration, and `objectDeleted` when it is gone.
  public func delete<New: Model>(_ object: New) throws {
    let session = try newSession()
    let own = object._$row.session
    if session.isNewSide(of: own) {
      throw StoreError.oldObjectIsReadOnly(
        class: New._$schema.name, objectID: object._$row.id,
        primaryKey: object._$row.knownKey)
    }
    guard own === session else {
      throw StoreError.objectOfOtherStore(
        class: New._$schema.name, objectID: object._$row.id,
        primaryKey: object._$row.knownKey)
    }
    try session.table(New._$schema.name).remove(object._$row.id)
  }
}

extension Migration {
  private func oldSession(for type: any Model.Type) throws -> Session {
    try oldSession(ObjectIdentifier(type)) { try OldShapes(reachableFrom: type) }
  }

  private func oldReader(_ type: any Model.Type) throws -> RecordReader {
    let session = try oldSession(for: type)
    return try RecordReader(session, session.table(type._$schema.name))
  }

  /// What reads and writes new objects, for a model that the configuration declares.
  func newSession(for type: any Model.Type) throws -> Session {
    let session = try newSession()
    let name = type._$schema.name
    let declared = (session.modelTypes as? ModelRegistry)?.types[name]
    if declared == nil {
      throw StoreError.unknownClass(class: name, known: newSchema.classes.map(\.name))
    }
    guard declared == type else {
      throw StoreError.shapeNotDeclared(class: name, type: String(reflecting: type))
    }
    return session
  }
}
