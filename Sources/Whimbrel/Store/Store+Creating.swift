internal import WhimbrelEngine

extension Store {
  /// Creates an object from values by property name, from values in the order of the properties, or
  /// as a copy of another object.
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
  /// A dictionary or an array becomes an object wherever a property links to one, also inside of a
  /// collection. An object among the values is linked to. If it is not in a store, it is added. If
  /// it belongs to another store, it is copied with all objects that it links to. An embedded
  /// object that has an owner is copied. ``ValueConversion`` lists the other values that are
  /// accepted.
  ///
  /// A property without a value gets its default. If an object with the same primary key exists,
  /// `update` decides. The default is to throw an error. With `modified` or `all`, that object gets
  /// the values given here and keeps its other values; the same applies to every object that the
  /// values link to. With `modified`, only values that differ are written.
  ///
  /// In an actor, use the store that the closure of the write receives if you use the values after
  /// the write: see ``write(_:)-((Store)->Result)``.
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - value: The values. The default is a dictionary without values.
  ///   - update: The response to an existing object with the same primary key. The default is to
  ///     throw an error.
  ///   - unknownKeys: The response to keys that are not properties. The default is to throw an
  ///     error.
  /// - Returns: The object that was created or updated.
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange`, `missingValue`,
  ///   `duplicatePrimaryKey`, `duplicateValues`, `noPrimaryKey`, `invalidMapKey`, `nestedTooDeep`,
  ///   `embeddedNeedsOwner`, `objectDeleted`, `unknownClass` for a model that the configuration does
  ///   not list, or `notInWrite`. The object is then not created. If other objects were already
  ///   changed, the whole write fails. ``StoreError/Context/valuePath`` tells which of the values is
  ///   wrong.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, value: Any = [String: Any](), update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> Element {
    try session.create(type, value, update, unknownKeys)
  }

  /// Creates an object from values by property name, some of which may be nil.
  ///
  /// In everything else this method behaves as the other `create`.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, value: [String: Any?], update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> Element {
    try create(type, value: value as Any, update: update, unknownKeys: unknownKeys)
  }

  /// Creates an object from each element of a sequence, in its order.
  ///
  /// ```swift
  /// let rows = try JSONSerialization.jsonObject(with: data) as? [Any] ?? []
  /// try store.write { store in
  ///   try store.create(Zone.self, values: rows, update: .modified, unknownKeys: .ignore)
  /// }
  /// ```
  ///
  /// An element may be any value that `create(_:value:update:unknownKeys:)` accepts. If an element
  /// is rejected, the path in the error starts with its index in the sequence: `[3].country.code`.
  /// The objects created before it stay. Let the error leave the write to undo them.
  ///
  /// - Throws: ``StoreError`` as for one object.
  /// - Returns: The objects, in the order of the sequence.
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
  fileprivate func create<Element: Model>(_ type: Element.Type, _ value: Any) throws -> Element {
    let object = try root(type, value)
    try finish()
    try apply()
    return object
  }
}

extension Session {
  func create<Element: Model>(
    _ type: Element.Type, _ value: Any, _ update: UpdatePolicy, _ unknownKeys: UnknownKeys = .error
  ) throws -> Element {
    try requireCreatable(type, update)
    let creation = ObjectCreation(for: self, update, unknownKeys: unknownKeys)
    return try creation.create(type, value)
  }

  /// Throws unless objects of a class can be created without an owner.
  fileprivate func requireCreatable<Element: Model>(
    _ type: Element.Type, _ update: UpdatePolicy
  ) throws {
    let schema = type._$schema
    _ = try requireWriting("create an object")
    try requireListed(type)
    let table = try table(schema.name)
    if update != .error, !schema.hasPrimaryKey {
      throw StoreError.noPrimaryKey(class: schema.name, updating: true)
    }
    if table.resolved.isEmbedded { throw StoreError.embeddedNeedsOwner(class: table.name) }
  }
}
