public import WhimbrelEngine

extension Store {
  /// Returns the object with a primary key, or nil if there is none.
  ///
  /// ```swift
  /// let tokyo = store.object(ofType: Zone.self, forPrimaryKey: "Asia/Tokyo")
  /// ```
  ///
  /// The key must have the type of the property. A key of another type does not compile, and
  /// neither does a model without a primary key.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: Element._$Key
  ) -> Element? {
    session.stopUnlessListed(type)
    return session.row(of: type._$schema.name, forPrimaryKey: key.propertyValue)
      .map(Element.init(_$row:))
  }

  /// Returns the object with a primary key, or nil if there is none. This overload serves models
  /// that are visible more widely than the type of their key. A key of another type stops the
  /// program.
  @_disfavoredOverload
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? where Element._$Key == HiddenPrimaryKey {
    session.stopUnlessListed(type)
    return session.row(of: type._$schema.name, forPrimaryKey: key.propertyValue)
      .map(Element.init(_$row:))
  }

  /// Unavailable. Explains in the compiler's message why the key does not fit.
  @available(*, unavailable, message: "the primary key of the model has another type")
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? { nil }

  /// Unavailable. Explains in the compiler's message that the model has no primary key.
  @available(
    *, unavailable,
    message: "the model has no primary key: mark a property with '@PrimaryKey', or use a query"
  )
  public func object<Element: Model>(
    ofType type: Element.Type, forPrimaryKey key: some Persistable
  ) -> Element? where Element._$Key == NoPrimaryKey { nil }

  /// Returns the object with an ID, or nil if the class has no such object.
  ///
  /// ```swift
  /// let id = zone.objectID
  /// // Later, or in another store of the same file:
  /// let zone = id.flatMap { store.object(ofType: Zone.self, for: $0) }
  /// ```
  ///
  /// It also finds embedded objects.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(ofType type: Element.Type, for id: ObjectID) -> Element? {
    session.stopUnlessListed(type)
    return session.row(of: type._$schema.name, for: id).map(Element.init(_$row:))
  }

  /// Returns the object with an identity, such as the selection of a list. Returns nil if there is
  /// no such object, or if the identity belongs to another class or another file.
  ///
  /// - Complexity: O(log *n*).
  public func object<Element: Model>(
    ofType type: Element.Type, for identity: ObjectIdentity
  ) -> Element? {
    let table = session.requiredTable(type._$schema.name)
    return session.objectID(of: identity, in: table).flatMap { object(ofType: type, for: $0) }
  }
}
