public import WhimbrelEngine

extension Store {
  /// The object with a primary key, or nil when there is none.
  ///
  /// ```swift
  /// let tokyo = store.object(ofType: Zone.self, forPrimaryKey: "Asia/Tokyo")
  /// ```
  ///
  /// The key has the type of the property: a key of another type does not compile, nor does
  /// a model without a primary key.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: Element._$Key
  ) -> Element? {
    session.row(of: type._$schema.name, forPrimaryKey: key.propertyValue)
      .map(Element.init(_$row:))
  }

  /// The object with a primary key whose type can be seen less far than its model, or nil
  /// when there is none. A key of another type stops the program.
  @_disfavoredOverload
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? where Element._$Key == HiddenPrimaryKey {
    session.row(of: type._$schema.name, forPrimaryKey: key.propertyValue)
      .map(Element.init(_$row:))
  }

  /// Not for use: says why a key does not fit.
  @available(*, unavailable, message: "the primary key of the model has another type")
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? { nil }

  /// Not for use: says why there is nothing to find.
  @available(
    *, unavailable,
    message: "the model has no primary key: mark a property with '@PrimaryKey', or use a query"
  )
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? where Element._$Key == NoPrimaryKey { nil }

  /// The object with an identity within its class, or nil when it is not there.
  ///
  /// ```swift
  /// let id = zone.objectID
  /// // Later, or in another store of the same file:
  /// let zone = id.flatMap { store.object(ofType: Zone.self, for: $0) }
  /// ```
  ///
  /// It finds embedded objects too.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(ofType type: Element.Type, for id: ObjectID) -> Element? {
    session.row(of: type._$schema.name, for: id).map(Element.init(_$row:))
  }

  /// The object with an identity, such as the selection of a list; nil when it is not there, or
  /// is of another class or another file.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(
    ofType type: Element.Type, for identity: ObjectIdentity
  ) -> Element? {
    let table = session.requiredTable(type._$schema.name)
    return session.objectID(of: identity, in: table).flatMap { object(ofType: type, for: $0) }
  }
}
