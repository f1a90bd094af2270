// For these names of Realm, the compiler's message gives the name in Whimbrel.

extension QueryableObjects {
  /// Unavailable. Gives the name of the function in the compiler's message.
  @available(*, unavailable, message: "Use 'where(_:_:)', or 'where { … }'.")
  @_disfavoredOverload
  public func filter(_ query: String, _ arguments: Any...) -> Results<Element> { results }

  /// Unavailable. Gives the name of the function in the compiler's message.
  @available(*, unavailable, message: "Use 'sorted(by: \\.name)' with a key path.")
  public func sorted(byKeyPath: String, ascending: Bool = true) -> Results<Element> { results }

  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, message: "Use 'try results.frozen'.")
  public func freeze() -> Results<Element> { results }
}

extension Model {
  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, message: "Use 'try object.frozen'.")
  public func freeze() -> Self { self }

  /// Unavailable. Gives the name of the property in the compiler's message.
  @available(*, unavailable, renamed: "store")
  public var realm: Store? { store }
}
