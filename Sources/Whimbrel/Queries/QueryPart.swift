internal import WhimbrelEngine

/// Where a query is made.
struct QueryScope {
  /// The session of the store that is asked, or nil where any may be.
  let session: Session?
  /// The model that is asked for.
  let model: any Model.Type
  private let failure = QueryFailure()

  init(session: Session?, model: any Model.Type) {
    self.session = session
    self.model = model
  }

  /// The class that is asked for.
  var className: String { model._$schema.name }

  /// Makes what is asked for a query that no store can answer. The first reason counts.
  func fail(_ error: StoreError) { failure.error = failure.error ?? error }

  /// Throws when no store can answer the query.
  func throwFailure() throws {
    if let error = failure.error { throw error }
  }
}

/// Why no store can answer a query, for all of its parts.
private final class QueryFailure {
  var error: StoreError?
}

/// What the paths of a part of a query are about.
enum QuerySubject {
  /// There are none.
  case nothing
  /// None of them leads through a collection.
  case object
  /// All of them lead through this collection first.
  case elements(QueryPath)
  /// They are about more than one of these.
  case several([QuerySubject])

  func joined(with other: QuerySubject) -> QuerySubject {
    switch (self, other) {
    case (.nothing, _): other
    case (_, .nothing), (.object, .object): self
    case (.elements(let path), .elements(let otherPath)) where path == otherPath: self
    default: .several(parts + other.parts)
    }
  }

  private var parts: [QuerySubject] {
    if case .several(let parts) = self { parts } else { [self] }
  }

  /// The names for messages: of the object itself it is empty.
  var names: Set<String> {
    switch self {
    case .nothing: []
    case .object: [""]
    case .elements(let path): [path.steps.map(\.spelling).joined(separator: ".")]
    case .several(let parts): parts.reduce(into: []) { $0.formUnion($1.names) }
    }
  }
}

extension QueryPath.Step {
  /// The step for messages.
  fileprivate var spelling: String {
    switch self {
    case .property(let name): name
    case .inverse(let className, let property): "\(className).\(property)"
    case .name(let name): "[\(name.debugDescription)]"
    case .names: "keys"
    }
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
  /// What its paths are about.
  var subject: QuerySubject

  /// A value of which no part is inside of a collection.
  init(_ scope: QueryScope, _ value: QueryExpression) {
    self.init(scope: scope, content: .value(value), subject: .object)
  }

  init(scope: QueryScope, content: Content, subject: QuerySubject) {
    self.scope = scope
    self.content = content
    self.subject = subject
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
      scope.fail(StoreError.noPath(class: scope.className))
      return QueryPath([])
    }
    return path
  }

  /// A part with another content that is made of this one.
  func made(_ content: Content) -> QueryPart {
    QueryPart(scope: scope, content: content, subject: subject)
  }

  /// This part, of which another is a part too.
  func with(_ other: QueryPart) -> QueryPart {
    QueryPart(scope: scope, content: content, subject: subject.joined(with: other.subject))
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
      scope.fail(StoreError.notQueryable(class: root._$schema.name))
      return self
    }
    return appending(step)
  }

  /// The elements of the collection here: what follows is meant of each.
  func elements() -> QueryPart {
    guard case .object = subject else { return self }
    var copy = self
    copy.subject = .elements(QueryPath(path.steps))
    return copy
  }

  /// The elements of the collection here, of which so many have to meet a condition.
  func elements(_ quantifier: QueryPath.Quantifier) -> QueryPart {
    var path = self.path
    guard path.quantifier == .any else {
      scope.fail(StoreError.severalQuantifiers(class: scope.className))
      return self
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
