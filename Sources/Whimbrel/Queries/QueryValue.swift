internal import WhimbrelEngine

/// A value that a query asks for, for use in `where { … }`: the object, a property of it,
/// or what is worked out of them.
///
/// ```swift
/// let northern = store.objects(Zone.self).where {
///   $0.latitude > 60 && $0.identifier.starts(with: "Europe/")
/// }
/// let large = store.objects(Country.self).where {
///   ($0.zones.latitude > 0 && $0.zones.area == .america).count >= 2
/// }
/// ```
///
/// The properties of the model are members of the query, those of linked objects too:
/// `$0.country.name`. Where a link on the way is nil, the value is nil. What is made is a
/// condition that the store evaluates on what is stored, without making objects.
///
/// The conditions are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains(_:)` with a range, `in(_:)`,
/// for text `contains(_:options:)`, `starts(with:options:)`, `ends(with:options:)`,
/// `like(_:options:)`, `equals(_:options:)` and `search(_:)`; they are combined with `&&`,
/// `||` and `!`. Both sides may be values of the query. A comparison with `<` and its like is
/// false where one side is nil, and `nil == nil` is true.
///
/// A path through a collection leads to a value for each element, and a condition holds when it
/// does for any of them; `all` and `none` ask for another number: `$0.zones.all.latitude > 3`.
@dynamicMemberLookup
public struct QueryValue<Value> {
  let part: QueryPart

  init(_ part: QueryPart) {
    self.part = part
  }

}

@available(*, unavailable)
extension QueryValue: Sendable {}

extension QueryValue where Value: Model {
  /// An object of the class itself: where a query begins.
  init(of session: Session?) {
    let scope = QueryScope(session: session, model: Value.self)
    self.init(QueryPart(scope, .property(QueryPath([]))))
  }

  /// The condition that a closure makes.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` where no store can answer it.
  static func condition(
    _ session: Session?, _ make: (QueryValue) -> QueryValue<Bool>
  ) throws -> QueryCondition {
    let query = QueryValue(of: session)
    let condition = make(query).part.condition
    try query.part.scope.throwFailure()
    return condition
  }

  /// The path that a key path is.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` where a property is not stored.
  static func path<Member>(_ keyPath: KeyPath<QueryValue, QueryValue<Member>>) throws -> QueryPath {
    let part = QueryValue(of: nil)[keyPath: keyPath].part
    let path = part.path
    try part.scope.throwFailure()
    return path
  }
}

// MARK: - Properties

extension QueryValue where Value: Model {
  /// A property of the object.
  public subscript<Member: QueryMember>(
    dynamicMember keyPath: KeyPath<Value, Member>
  ) -> QueryValue<Member> {
    QueryValue<Member>(part.property(keyPath, of: Value.self))
  }

  /// A link of the object.
  public subscript<Target: Model>(
    dynamicMember keyPath: KeyPath<Value, Target?>
  ) -> QueryValue<Target?> {
    QueryValue<Target?>(part.property(keyPath, of: Value.self))
  }
}

extension QueryValue {
  /// A property of the object that a link leads to; nil where the link is.
  public subscript<Source: Model, Member: QueryMember>(
    dynamicMember keyPath: KeyPath<Source, Member>
  ) -> QueryValue<Member._$Optional> where Value == Source? {
    QueryValue<Member._$Optional>(part.property(keyPath, of: Source.self))
  }

  /// A link of the object that a link leads to; nil where that is.
  public subscript<Source: Model, Target: Model>(
    dynamicMember keyPath: KeyPath<Source, Target?>
  ) -> QueryValue<Target?> where Value == Source? {
    QueryValue<Target?>(part.property(keyPath, of: Source.self))
  }
}

extension QueryValue where Value: QueryCollection, Value._$Element: Model {
  /// A property of each of the objects.
  public subscript<Member: QueryMember>(
    dynamicMember keyPath: KeyPath<Value._$Element, Member>
  ) -> QueryValue<Member> {
    QueryValue<Member>(part.elements().property(keyPath, of: Value._$Element.self))
  }

  /// A link of each of the objects.
  public subscript<Target: Model>(
    dynamicMember keyPath: KeyPath<Value._$Element, Target?>
  ) -> QueryValue<Target?> {
    QueryValue<Target?>(part.elements().property(keyPath, of: Value._$Element.self))
  }
}
