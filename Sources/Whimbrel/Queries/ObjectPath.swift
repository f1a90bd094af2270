internal import WhimbrelEngine

/// An object on the way to a property by which objects are sorted or told from each other: the
/// object itself, or one that links lead to.
///
/// ```swift
/// let zones = store.objects(Zone.self).sorted(by: \.country.name)
/// ```
///
/// It goes without saying where such a key path is written. Links are followed as if they were
/// never nil; where one is, the value is nil. A collection does not lead on: it has many values.
@dynamicMemberLookup
public struct ObjectPath<Object: Model> {
  /// Not for use: the way to the object.
  public let _$steps: PathSteps

  /// The object itself.
  init() { _$steps = PathSteps(QueryScope(session: nil, model: Object.self), QueryPath([])) }

  private init(_ steps: PathSteps) { _$steps = steps }

  /// A property of the object.
  public subscript<Member: QueryMember>(
    dynamicMember keyPath: KeyPath<Object, Member>
  ) -> PropertyPath<Member> {
    PropertyPath(_$steps: _$steps.appending(keyPath))
  }

  /// The object that a link leads to.
  public subscript<Target: Model>(
    dynamicMember keyPath: KeyPath<Object, Target?>
  ) -> ObjectPath<Target> {
    ObjectPath<Target>(_$steps.appending(keyPath))
  }

  /// Explains that there is no such property: the compiler comes here when nothing else fits.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> NoSuchProperty<Object> { NoSuchProperty() }
}

/// A property by which objects are sorted or told from each other: see ``ObjectPath``.
@dynamicMemberLookup
public struct PropertyPath<Value: QueryMember> {
  /// Not for use: the way to the property.
  public let _$steps: PathSteps

  /// Explains that the path ends here: the compiler comes here when nothing else fits.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> NoSingleValue<Value> { NoSingleValue() }
}

/// What a key path leads to that names no stored property of a model.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct NoSuchProperty<Object: Model> {
  /// The same: one error will do.
  public subscript(dynamicMember name: String) -> NoSuchProperty<Object> { self }
}

/// What a key path leads to that goes on behind a value or a collection.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct NoSingleValue<Value> {
  /// The same: one error will do.
  public subscript(dynamicMember name: String) -> NoSingleValue<Value> { self }
}

@available(*, unavailable)
extension ObjectPath: Sendable {}
@available(*, unavailable)
extension PropertyPath: Sendable {}

// MARK: - What can be done by paths

/// A path by whose values objects are told from each other: to a link, or to a property that is
/// neither a collection nor an `AnyValue`.
public protocol DistinctPath {
  /// Not for use: the way there.
  var _$steps: PathSteps { get }
}

/// A path by whose values objects are sorted: to a property that is a `Bool`, a number, a text, a
/// date, a `UUID`, an `ObjectId`, or an enum or another type that is stored as one of these.
public protocol SortablePath: DistinctPath {}

extension ObjectPath: DistinctPath {}
extension PropertyPath: DistinctPath where Value._$Kind: QueryKind.Distinguishable {}
extension PropertyPath: SortablePath where Value._$Kind: QueryKind.Sortable {}

/// Not for use: the way from an object to a property.
@_documentation(visibility: internal)
public struct PathSteps {
  private let scope: QueryScope
  private let path: QueryPath

  init(_ scope: QueryScope, _ path: QueryPath) {
    self.scope = scope
    self.path = path
  }

  func appending<Root: Model, Member>(_ keyPath: KeyPath<Root, Member>) -> PathSteps {
    guard let step = Root._$schema.step(of: keyPath) else {
      scope.fail(StoreError.notQueryable(class: Root._$schema.name))
      return self
    }
    return PathSteps(scope, QueryPath(path.steps + [step]))
  }

  /// The path as queries have it.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` where a property is not stored.
  func queryPath() throws -> QueryPath {
    try scope.throwFailure()
    return path
  }
}

extension ObjectPath {
  /// The path that a key path is.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` where a property is not stored.
  static func query(_ keyPath: KeyPath<ObjectPath, some DistinctPath>) throws -> QueryPath {
    try ObjectPath()[keyPath: keyPath]._$steps.queryPath()
  }
}
