internal import WhimbrelEngine

/// Where a query is made.
struct QueryScope {
  /// The session of the store that is asked, or nil where any may be.
  let session: Session?
  /// The class that is asked for.
  let className: String

  /// Stops the program, with what a programming error means and how to mend it.
  func stop(_ error: StoreError) -> Never {
    preconditionFailure(error.description)
  }
}

/// What a part of a query has been made into so far.
struct QueryPart {
  enum Content {
    case value(QueryExpression)
    case condition(QueryCondition)
  }

  let scope: QueryScope
  var content: Content
  /// The first collections on the paths in it; nil stands for a path without one.
  var collections: Set<QueryPath?>

  /// A value of which no part is inside of a collection.
  init(_ scope: QueryScope, _ value: QueryExpression) {
    self.init(scope: scope, content: .value(value), collections: [nil])
  }

  init(scope: QueryScope, content: Content, collections: Set<QueryPath?>) {
    self.scope = scope
    self.content = content
    self.collections = collections
  }

  /// The condition that it is, or that its value is true.
  var condition: QueryCondition {
    switch content {
    case .condition(let condition): condition
    case .value(let value): .compare(value, .equal, .constant(.bool(true)), [])
    }
  }

  /// The value that it is; nil for a condition.
  var value: QueryExpression? {
    if case .value(let value) = content { value } else { nil }
  }

  /// The path that it is.
  var path: QueryPath {
    guard case .value(.property(let path)) = content else {
      scope.stop(StoreError.noPath(class: scope.className))
    }
    return path
  }

  /// A part with another content that is made of this one.
  func made(_ content: Content) -> QueryPart {
    QueryPart(scope: scope, content: content, collections: collections)
  }

  /// This part, of which another is a part too.
  func with(_ other: QueryPart) -> QueryPart {
    QueryPart(
      scope: scope, content: content, collections: collections.union(other.collections))
  }
}

// MARK: - Paths

extension QueryPart {
  /// The path with another step behind.
  func appending(_ step: QueryPath.Step) -> QueryPart {
    var path = self.path
    path.steps.append(step)
    return made(.value(.property(path)))
  }

  /// A property of the objects here.
  func property<Root: Model, Member>(
    _ keyPath: KeyPath<Root, Member>, of root: Root.Type
  ) -> QueryPart {
    guard let step = root._$schema.step(of: keyPath) else {
      scope.stop(StoreError.notQueryable(class: root._$schema.name))
    }
    return appending(step)
  }

  /// The elements of the collection here: what follows is meant of each.
  func elements() -> QueryPart {
    guard collections == [nil] else { return self }
    var collection = path
    collection.quantifier = .any
    var copy = self
    copy.collections = [collection]
    return copy
  }

  /// The elements of the collection here, of which so many have to meet a condition.
  func elements(_ quantifier: QueryPath.Quantifier) -> QueryPart {
    var path = self.path
    guard path.quantifier == .any else {
      scope.stop(StoreError.severalQuantifiers(class: scope.className))
    }
    path.quantifier = quantifier
    return elements().made(.value(.property(path)))
  }
}

extension ModelSchema {
  /// The step that a key path is, or nil when it is none of a property that queries know.
  func step<Root: Model, Member>(of keyPath: KeyPath<Root, Member>) -> QueryPath.Step? {
    if let name = name(of: keyPath) { return .property(name) }
    guard Member.self is any LinkingMember.Type else { return nil }
    // An inverse says which it is: that of no object can be read as well.
    return (Root(_$row: ModelRow())[keyPath: keyPath] as? any LinkingMember)?.step
  }
}

/// ``LinkingObjects`` of any model.
private protocol LinkingMember {
  var step: QueryPath.Step { get }
}

extension LinkingObjects: LinkingMember {
  fileprivate var step: QueryPath.Step { sources.step }
}
