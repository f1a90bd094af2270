// For these spellings of Realm, SwiftData and Swift, the compiler's message gives the one in Whimbrel.

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

extension Sequence {
  /// Unavailable. Gives the name of the function in the compiler's message.
  @available(
    *, unavailable,
    message: "Use '$0.name.in(names)', or '$0.age.contains(18...30)' for a range."
  )
  @_disfavoredOverload
  public func contains<Value>(_ value: QueryValue<Value>) -> QueryValue<Bool> {
    QueryValue<Bool>(value.part)
  }
}

extension QueryValue where Value: QueryMember, Value._$Kind == QueryKind.Text {
  /// Unavailable. Explains in the compiler's message what to use instead.
  @available(
    *, unavailable,
    message: "A query does not count characters. Use 'isEmpty', or 'filter' on the results."
  )
  public var count: QueryValue<Int> { QueryValue<Int>(part) }

  /// Unavailable. Gives the option in the compiler's message.
  @available(
    *, unavailable, message: "Use an option: '$0.name.equals(text, options: .caseInsensitive)'."
  )
  public func lowercased() -> QueryValue { self }

  /// Unavailable. Gives the option in the compiler's message.
  @available(
    *, unavailable, message: "Use an option: '$0.name.equals(text, options: .caseInsensitive)'."
  )
  public func uppercased() -> QueryValue { self }
}
