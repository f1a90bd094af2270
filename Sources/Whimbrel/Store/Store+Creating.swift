internal import WhimbrelEngine

extension Store {
  /// Creates an object of values by property name, of values in the order of the
  /// properties, or as a copy of another object.
  ///
  /// ```swift
  /// try store.write {
  ///   try store.create(
  ///     Zone.self,
  ///     value: [
  ///       "identifier": "Europe/Andorra",
  ///       "country": ["code": "AD", "name": "Andorra"],
  ///       "tags": ["small"],
  ///       "neighbors": [["identifier": "Europe/Paris"], madrid],
  ///     ], update: .modified)
  /// }
  /// ```
  ///
  /// Dictionaries and arrays make objects wherever a property links to one, in
  /// collections too. Objects among the values are linked to; those that are in no store
  /// are added, and of those of another store copies are made, with all that they lead
  /// to. Embedded objects that belong to another object are copied. What other values are
  /// taken is said at ``ValueConversion``.
  ///
  /// Properties without a value get their defaults. When an object with the same primary
  /// key exists, `update` says what happens: by default that is an error, and else the
  /// object gets the values that are given and keeps the others, as do objects that it is
  /// said to link to. With `modified` only what differs is written.
  ///
  /// In an actor, name the store in the closure of the write when the values are used after
  /// it: see ``write(_:)-((Store)->Result)``.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - value: the values.
  ///   - update: what to do when an object with the same primary key exists.
  ///   - unknownKeys: what to do with keys that are not properties. The default is an error.
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange`,
  ///   `missingValue`, `duplicatePrimaryKey`, `noPrimaryKey`, `nestedTooDeep`,
  ///   `embeddedNeedsParent`, `objectDeleted` or `notInWrite`. Nothing of the object
  ///   remains then; if others were changed on its behalf, the write as a whole fails. The
  ///   ``StoreError/Context/valuePath`` says where among the values the wrong one is.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, value: Any = [String: Any](), update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> Element {
    try session.create(type, value, update, unknownKeys)
  }

  /// Creates an object of values by property name, of which some may be nil.
  ///
  /// All else is as with the other `create`.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, value: [String: Any?], update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> Element {
    try create(type, value: value as Any, update: update, unknownKeys: unknownKeys)
  }

  /// Creates an object of each element of a sequence, in its order.
  ///
  /// ```swift
  /// let rows = try JSONSerialization.jsonObject(with: data) as? [Any] ?? []
  /// try store.write { store in
  ///   try store.create(Zone.self, values: rows, update: .modified, unknownKeys: .ignore)
  /// }
  /// ```
  ///
  /// Each element is taken as `create(_:value:update:unknownKeys:)` takes it. The error of
  /// one that is refused begins its path with the position in the sequence: `[3].country.code`.
  /// The objects before it stay: let the error leave the write to undo them.
  ///
  /// - Throws: ``StoreError`` as for one object.
  /// - Returns: the objects, in the order of the sequence.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, values: some Sequence, update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> [Element] {
    try session.requireCreatable(type, update)
    return try values.enumerated().map { index, value in
      let creation = ObjectCreation(for: session, update, unknownKeys: unknownKeys)
      return try creation.at(.index(index)) { try creation.create(type, value) }
    }
  }
}

extension ObjectCreation {
  /// Makes an object of a value, and writes it.
  fileprivate func create<Element: Model>(_ type: Element.Type, _ value: Any) throws -> Element {
    let object = try root(type, value)
    try finish()
    try apply()
    return object
  }
}

extension Session {
  /// Creates an object of a value; see ``Store``.
  func create<Element: Model>(
    _ type: Element.Type, _ value: Any, _ update: UpdatePolicy, _ unknownKeys: UnknownKeys = .error
  ) throws -> Element {
    try requireCreatable(type, update)
    let creation = ObjectCreation(for: self, update, unknownKeys: unknownKeys)
    return try creation.create(type, value)
  }

  /// Throws unless objects of a class can be created by themselves.
  fileprivate func requireCreatable<Element: Model>(
    _ type: Element.Type, _ update: UpdatePolicy
  ) throws {
    let schema = type._$schema
    _ = try requireWriting("create an object")
    let table = try table(schema.name)
    if update != .error, schema.classSchema.primaryKey == nil {
      throw StoreError.noPrimaryKey(class: schema.name)
    }
    if table.resolved.isEmbedded { throw StoreError.embeddedNeedsParent(class: table.name) }
  }
}
