internal import WhimbrelEngine

/// The context in which a query is built. All parts of the query share it.
final class QueryScope {
  /// The session of the store that is queried, or nil if the query is not bound to a store.
  let session: Session?
  let model: any Model.Type
  private var failure: StoreError?

  init(session: Session?, model: any Model.Type) {
    self.session = session
    self.model = model
  }

  var className: String { model._$schema.name }

  /// Records an error that no store can answer the query. The first error counts.
  func fail(_ error: StoreError) { failure = failure ?? error }

  /// Throws the error that was recorded, if any.
  func throwFailure() throws {
    if let failure { throw failure }
  }
}

/// The collections that the paths of a part of a query lead through.
enum QuerySubject: Hashable {
  /// The part has no paths.
  case nothing
  /// The paths do not lead through a collection.
  case object
  /// All paths lead through this collection first.
  case elements(QueryPath)
  /// The paths have different subjects.
  case several(Set<QuerySubject>)

  func joined(with other: QuerySubject) -> QuerySubject {
    switch (self, other) {
    case (.nothing, _): other
    case (_, .nothing), (.object, .object): self
    case (.elements(let path), .elements(let otherPath)) where path == otherPath: self
    default: .several(parts.union(other.parts))
    }
  }

  private var parts: Set<QuerySubject> {
    if case .several(let parts) = self { parts } else { [self] }
  }

  /// The names for messages. The name of the object itself is empty.
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
  /// The step in messages.
  fileprivate var spelling: String {
    switch self {
    case .property(let name): name
    case .inverse(let className, let property): "\(className).\(property)"
    case .name(let name): "[\(name.debugDescription)]"
    case .names: "keys"
    }
  }
}

/// A part of a query that is being built.
struct QueryPart {
  enum Content {
    case value(QueryExpression)
    case condition(QueryCondition)
  }

  let scope: QueryScope
  var content: Content
  /// The subject of its paths.
  var subject: QuerySubject
  /// The depth of nesting inside the part.
  private(set) var height = 0

  /// Makes a part from a value that is not inside of a collection.
  init(_ scope: QueryScope, _ value: QueryExpression) {
    self.init(scope: scope, content: .value(value), subject: .object)
  }

  init(scope: QueryScope, content: Content, subject: QuerySubject) {
    self.scope = scope
    self.content = content
    self.subject = subject
  }

  /// The part as a condition. A value becomes the condition that it is true.
  var condition: QueryCondition {
    switch content {
    case .condition(let condition): condition
    case .value(let value): .compare(value, .equal, .constant(.bool(true)), [])
    }
  }

  /// The part as a value; nil for a condition.
  var value: QueryExpression? {
    if case .value(let value) = content { value } else { nil }
  }

  /// The part as a path. If it is not a path, the query fails.
  var path: QueryPath {
    guard case .value(.property(let path)) = content else {
      scope.fail(StoreError.noPath(class: scope.className))
      return QueryPath([])
    }
    return path
  }

  /// Returns a part with other content and the same subject.
  ///
  /// If the content is nested too deeply, the query fails, and the content is left out: even freeing
  /// it could exhaust the stack.
  ///
  /// - Parameter height: The depth of nesting inside the content.
  func made(_ content: Content, height: Int = 0) -> QueryPart {
    var part = QueryPart(scope: scope, content: content, subject: subject)
    if height <= QueryCondition.depthLimit {
      part.height = height
    } else {
      scope.fail(StoreError.deepCondition(class: scope.className))
      part.content = .value(.constant(.null))
    }
    return part
  }

  /// Returns a part whose content contains the contents of this part and of another.
  func made(_ content: Content, with other: QueryPart) -> QueryPart {
    made(content, height: max(height, other.height) + 1).with(other)
  }

  /// Returns this part with the subject of another part joined to its own.
  func with(_ other: QueryPart) -> QueryPart {
    var part = self
    part.subject = subject.joined(with: other.subject)
    return part
  }
}

// MARK: - Paths

extension QueryPart {
  func appending(_ step: QueryPath.Step) -> QueryPart {
    var path = self.path
    path.steps.append(step)
    return made(.value(.property(path)))
  }

  /// Returns the path to a property of the objects here.
  func property<Root: Model, Member>(
    _ keyPath: KeyPath<Root, Member>, of root: Root.Type
  ) -> QueryPart {
    guard let step = root._$schema.step(of: keyPath) else {
      scope.fail(StoreError.notQueryable(class: root._$schema.name))
      return self
    }
    return appending(step)
  }

  /// Returns the elements of the collection here. A condition on them is tested for each element.
  func elements() -> QueryPart {
    guard case .object = subject else { return self }
    var copy = self
    copy.subject = .elements(QueryPath(path.steps))
    return copy
  }

  /// Returns the elements of the collection here, with a quantifier: how many of them must meet a
  /// condition.
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
  /// Returns the step of a key path, or nil if queries do not know the property.
  func step<Root: Model, Member>(of keyPath: KeyPath<Root, Member>) -> QueryPath.Step? {
    if let name = name(of: keyPath) { return .property(name) }
    guard Member.self is any LinkingMember.Type else { return nil }
    // An inverse knows its source class and property, so one of an unmanaged object is enough.
    return (Root(_$row: ModelRow())[keyPath: keyPath] as? any LinkingMember)?.step
  }
}

private protocol LinkingMember {
  var step: QueryPath.Step { get }
}

extension LinkingObjects: LinkingMember {
  fileprivate var step: QueryPath.Step { sources.step }
}
