public import WhimbrelEngine
internal import WhimbrelLMDB

extension Migration {
  /// Calls a block with each object of a class: the old object, read through a frozen declaration,
  /// and the new object.
  ///
  /// A frozen declaration is a model of an old version. It declares what the block reads. It is not
  /// among the models of the configuration, and does not change when the app's own model changes:
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
  /// It needs only the properties that the block reads, with the types that they had. Its links
  /// lead to other frozen declarations. Both objects are valid only inside the block. The old
  /// object is read-only. In the new object, even the primary key can be set. An old object that is
  /// assigned to a link stands for the new object that it became. If the block keeps no reference,
  /// the same two Swift objects may be reused for each call; weak references do not prevent this.
  ///
  /// Objects are visited as by ``enumerateObjects(ofType:_:)``.
  ///
  /// - Parameters:
  ///   - old: The declaration of the class as it was, under its old name.
  ///   - new: The model of the configuration, or of the step, under its new name.
  ///   - body: The block. An error that it throws stops the migration, and is reported with the
  ///     object.
  /// - Throws: ``StoreError`` with `shapeMismatch` if a declaration does not fit, and with
  ///   `unknownClass`.
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

  /// Calls a block with each old object of a class, read through a frozen declaration. This
  /// includes objects of classes that the app no longer declares.
  ///
  /// ```swift
  /// try migration.enumerate(SchemaV4.Area.self) { old in
  ///   try migration.add(Region(name: old.name))
  /// }
  /// ```
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch` if the declaration does not fit, and
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

  /// Returns the old object with a primary key, or nil if there is none.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch`, `unknownClass` or `noPrimaryKey`. The frozen
  ///   declaration must include the primary key.
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

  /// Returns the new object with a primary key, or nil if there is none.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch` or `noPrimaryKey`.
  /// - Complexity: O(log *n*). The first call for a class with old objects may build an index of
  ///   them.
  public func object<New: Model>(
    ofType type: New.Type, forPrimaryKey key: New._$Key
  ) throws -> New? {
    let session = try newSession(for: New.self)
    let table = try session.table(New._$schema.name)
    return try table.find(key.propertyValue).map { id in
      New(_$row: ModelRow(session, table, id))
    }
  }

  /// Returns the new object that an old one has become, or nil if the migration has deleted it.
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
  ///   - old: An object of a frozen declaration. A new object is also accepted and is returned as
  ///     long as it exists.
  ///   - type: The model of the configuration, or of the step.
  /// - Throws: ``StoreError`` with `objectOfOtherStore` for an object that is not of this
  ///   migration, with `unknownClass` or `shapeMismatch` for a model that is not declared, and with
  ///   `shapeMismatch` if the old class has not become the new one.
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

  /// Adds an object, and all unmanaged objects that it links to.
  ///
  /// Until the migration ends, two objects may have the same primary key.
  ///
  /// - Throws: ``StoreError`` with `shapeMismatch`, `missingValue` or
  ///   `embeddedNeedsOwner`.
  public func add<New: Model>(_ object: New) throws {
    let session = try newSession(for: New.self)
    if New._$schema.isEmbedded, !object.isManaged {
      throw StoreError.embeddedNeedsOwner(class: New._$schema.name)
    }
    _ = try ObjectAdder(session, .error).add(object)
  }

  /// Deletes a new object and the embedded objects that it owns. Links to it become nil, and
  /// collections lose it.
  ///
  /// All later reads show this, as in a store after a write. The old object then stands for nil: a
  /// link that is set to it becomes nil, and a collection skips it.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly` for an old object, `objectOfOtherStore`
  ///   for an object that is not of this migration, `notInStore` for an unmanaged object, and
  ///   `objectDeleted` if it is already deleted.
  public func delete<New: Model>(_ object: New) throws {
    let session = try newSession()
    let own = object._$row.session
    if session.isNewSide(of: own) {
      throw StoreError.oldObjectIsReadOnly(
        class: New._$schema.name, objectID: object._$row.id,
        primaryKey: object._$row.knownKey)
    }
    try session.requireOwn(object)
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

  /// Returns the session of the new objects, for a model that the configuration declares.
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
