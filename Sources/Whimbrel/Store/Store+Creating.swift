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
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange`,
  ///   `missingValue`, `duplicatePrimaryKey`, `noPrimaryKey`, `nestedTooDeep`,
  ///   `embeddedNeedsParent`, `objectDeleted` or `notInWrite`. Nothing of the object
  ///   remains then; if others were changed on its behalf, the write as a whole fails.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) throws -> Element {
    let schema = type._$schema
    _ = try session.requireWriting("create an object")
    let table = try session.table(schema.name)
    try requirePrimaryKey(schema, for: update)
    if table.resolved.isEmbedded { throw StoreError.embeddedNeedsParent(class: table.name) }
    let creation = ObjectCreation(for: session, update)
    let object = try creation.root(type, value)
    try creation.finish()
    try creation.apply()
    return object
  }
  /// Creates an object of values by property name, of which some may be nil.
  ///
  /// All else is as with the other `create`.
  @discardableResult
  public func create<Element: Model>(
    _ type: Element.Type, value: [String: Any?], update: UpdatePolicy = .error
  ) throws -> Element {
    try create(type, value: value as Any, update: update)
  }
}
