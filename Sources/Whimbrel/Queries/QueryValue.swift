internal import WhimbrelEngine

/// A value in a query, for use in `where { … }`: the object, one of its properties, or a result
/// computed from them.
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
/// The properties of the model are members of the query value, and so are the properties of linked
/// objects: `$0.country.name`. A nil link anywhere in a path makes the whole path nil. The closure
/// builds a condition. The store evaluates it on the stored records, without making objects.
///
/// The conditions are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains(_:)` with a range and `in(_:)`.
/// For text there are also `contains(_:options:)`, `starts(with:options:)`, `ends(with:options:)`,
/// `like(_:options:)`, `equals(_:options:)` and `search(_:)`. Combine conditions with `&&`, `||`
/// and `!`. Both sides of a condition may be query values. A comparison with `<`, `<=`, `>` or `>=`
/// is false if one side is nil, and `nil == nil` is true.
///
/// A path through a collection has a value for each element. A condition on it is true if it is
/// true for at least one element. Use `all` or `none` for another quantifier:
/// `$0.zones.all.latitude > 3`.
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
  /// Makes the value that a query starts with: the object itself.
  init(of session: Session?) {
    self.init(QueryScope(session: session, model: Value.self))
  }

  private init(_ scope: QueryScope) {
    self.init(QueryPart(scope, .property(QueryPath([]))))
  }

  /// Returns the condition that a closure builds.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` if no store can answer it.
  static func condition(
    _ session: Session?, _ make: (QueryValue) -> QueryValue<Bool>
  ) throws -> QueryCondition {
    let scope = QueryScope(session: session, model: Value.self)
    let condition = make(QueryValue(scope)).part.condition
    try scope.throwFailure()
    return condition
  }

  /// Returns the path of a key path.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` if a property is not stored.
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
  /// A property of the object that a link leads to; nil if the link is nil.
  public subscript<Source: Model, Member: QueryMember>(
    dynamicMember keyPath: KeyPath<Source, Member>
  ) -> QueryValue<Member._$Optional> where Value == Source? {
    QueryValue<Member._$Optional>(part.property(keyPath, of: Source.self))
  }

  /// A link of the object that a link leads to; nil if that link is nil.
  public subscript<Source: Model, Target: Model>(
    dynamicMember keyPath: KeyPath<Source, Target?>
  ) -> QueryValue<Target?> where Value == Source? {
    QueryValue<Target?>(part.property(keyPath, of: Source.self))
  }
}

extension QueryValue where Value: QueryCollection, Value._$Element: Model {
  /// A property of each object.
  public subscript<Member: QueryMember>(
    dynamicMember keyPath: KeyPath<Value._$Element, Member>
  ) -> QueryValue<Member> {
    QueryValue<Member>(part.elements().property(keyPath, of: Value._$Element.self))
  }

  /// A link of each object.
  public subscript<Target: Model>(
    dynamicMember keyPath: KeyPath<Value._$Element, Target?>
  ) -> QueryValue<Target?> {
    QueryValue<Target?>(part.elements().property(keyPath, of: Value._$Element.self))
  }
}
