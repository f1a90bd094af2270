internal import WhimbrelEngine

/// A path from an object through links to another object. `sorted(by:)` and `distinct(by:)` use it.
///
/// ```swift
/// let zones = store.objects(Zone.self).sorted(by: \.country.name)
/// ```
///
/// You do not write this type: the compiler infers it for a key path. A link is followed as if it
/// were never nil. If a link on the path is nil, the value of the path is nil. A path cannot
/// continue through a collection, because that has many values.
@dynamicMemberLookup
public struct ObjectPath<Object: Model> {
  /// The steps to the object. For use by the library.
  public let _$steps: PathSteps

  /// Makes a path that ends at the object itself.
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

  /// A dead end for a name that is not a property. The compiler chooses it if nothing else fits,
  /// for its message.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> NoSuchProperty<Object> { NoSuchProperty() }
}

/// A path to a property by which objects are sorted or distinguished: see ``ObjectPath``.
@dynamicMemberLookup
public struct PropertyPath<Value: QueryMember> {
  /// The steps to the property. For use by the library.
  public let _$steps: PathSteps

  /// A dead end for a name after a property. The compiler chooses it if nothing else fits, for its
  /// message.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> NoSingleValue<Value> { NoSingleValue() }
}

/// The type of a key path to a name that is not a stored property of a model.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct NoSuchProperty<Object: Model> {
  /// The value itself, so that one mistake causes only one error.
  public subscript(dynamicMember name: String) -> NoSuchProperty<Object> { self }
}

/// The type of a key path that continues after a value or a collection.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct NoSingleValue<Value> {
  /// The value itself, so that one mistake causes only one error.
  public subscript(dynamicMember name: String) -> NoSingleValue<Value> { self }
}

@available(*, unavailable)
extension ObjectPath: Sendable {}
@available(*, unavailable)
extension PropertyPath: Sendable {}

// MARK: - Uses of paths

/// A path that can distinguish objects. It leads to a link, or to a property that is not a
/// collection or an `AnyValue`.
public protocol DistinctPath {
  /// The steps of the path. For use by the library.
  var _$steps: PathSteps { get }
}

/// A path that can sort objects. It leads to a property that is a `Bool`, a number, a text, a date,
/// a `UUID`, an `ObjectId`, or an enum or another type that is stored as one of these.
public protocol SortablePath: DistinctPath {}

extension ObjectPath: DistinctPath {}
extension PropertyPath: DistinctPath where Value._$Kind: QueryKind.Distinguishable {}
extension PropertyPath: SortablePath where Value._$Kind: QueryKind.Sortable {}

/// The steps from an object to a property. For use by the library.
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

  /// Returns the path as a query path.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` if a property is not stored.
  func queryPath() throws -> QueryPath {
    try scope.throwFailure()
    return path
  }
}

extension ObjectPath {
  /// Returns the query path of a key path.
  ///
  /// - Throws: ``StoreError`` with `invalidQuery` if a property is not stored.
  static func query(_ keyPath: KeyPath<ObjectPath, some DistinctPath>) throws -> QueryPath {
    try ObjectPath()[keyPath: keyPath]._$steps.queryPath()
  }
}
