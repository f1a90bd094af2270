extension BoundPath {
  /// - Throws: ``StoreError`` if a property does not exist, if the path continues past values that
  ///   cannot be followed, or if the path is too long.
  package convenience init(_ path: QueryPath, in table: ClassTable) throws {
    try path.requireLimitedLength(from: table.name)
    var binding = PathBinding(table)
    var rest = path.steps[...]
    while let step = rest.popFirst() { try binding.take(step, &rest) }
    self.init(
      table, binding.steps, path.quantifier, binding.type,
      target: try binding.objects(), storedType: binding.storedType)
  }
}

extension QueryPath {
  /// Throws if the path is so long that following it could exhaust the stack.
  fileprivate func requireLimitedLength(from className: String) throws {
    guard steps.count > QueryParser.depthLimit else { return }
    let followed = QueryPath(Array(steps.prefix(QueryParser.depthLimit)))
    let problem = QueryProblem.longPath(followed.text.utf8.count)
    throw StoreError.invalidQuery(QueryTextError(problem, in: text), class: className)
  }
}

/// The binding of a path, step by step from class to class.
private struct PathBinding {
  var steps: [BoundPath.Step] = []
  /// The type of the values after the current steps.
  private(set) var type: QueryType
  private(set) var storedType: PropertyType?
  /// The class of the last property.
  private var table: ClassTable

  init(_ table: ClassTable) {
    self.table = table
    type = QueryType(
      kind: .link(to: table.name), className: table.name, property: nil, name: "<\(table.name)>")
  }

  /// Returns the class of the objects after the current steps, or nil if the steps lead to other
  /// values.
  func objects() throws -> ClassTable? {
    guard case .link(let name) = type.kind else { return nil }
    return name == table.name ? table : try table.session.table(name)
  }

  mutating func take(_ step: QueryPath.Step, _ rest: inout ArraySlice<QueryPath.Step>) throws {
    if type.kind == .any {
      switch step {
      case .name(let name): return append(.member(name), .any)
      case .names: return append(.memberNames, .string)
      default: break
      }
    }
    guard let objects = try objects() else { throw ends(before: step) }
    switch step {
    case .property(let name):
      try takeProperty(name, of: objects, &rest)
    case .inverse(let className, let name):
      try takeInverse(className, name, of: objects)
    case .name, .names:
      throw ends(before: step)
    }
  }

  private mutating func takeProperty(
    _ name: String, of objects: ClassTable, _ rest: inout ArraySlice<QueryPath.Step>
  ) throws {
    let position = try objects.resolved.requiredPosition(of: name)
    let found = objects.resolved.properties[position]
    table = objects
    type.className = objects.name
    type.property = name
    guard let element = found.type.elementType else {
      return append(.value(position), found.type)
    }
    guard case .map = found.type else { return append(.elements(position), element.type) }
    switch rest.first {
    case .name(let name)?:
      rest.removeFirst()
      append(.element(position, name: name), element.type)
    case .names?:
      rest.removeFirst()
      append(.names(position), .string)
    default:
      append(.elements(position), element.type)
    }
  }

  private mutating func takeInverse(
    _ className: String, _ name: String, of objects: ClassTable
  ) throws {
    let other = try objects.session.table(className)
    let position = try other.resolved.requiredPosition(of: name)
    let type = other.resolved.properties[position].type
    guard type.holdsLinks, type.linkedClass == nil || type.linkedClass == objects.name else {
      throw StoreError.notAnInverse(class: className, property: name, target: objects.name)
    }
    table = objects
    append(.sources(other, position), .link(to: className))
  }

  private mutating func append(_ step: BoundPath.Step.Kind, _ stored: PropertyType) {
    steps.append(BoundPath.Step(table: table, kind: step))
    storedType = stored
    type.kind = QueryType.Kind(stored)
    type.name = "\(stored)"
  }

  private func ends(before step: QueryPath.Step) -> StoreError {
    let next =
      switch step {
      case .property(let name), .name(let name): name
      case .inverse(let className, let name): "\(className).\(name)"
      case .names: "names"
      }
    return StoreError.pathEnds(
      class: type.className, property: type.property ?? "", type: type.name, next: next)
  }
}
