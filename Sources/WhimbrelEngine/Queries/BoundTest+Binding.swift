extension BoundTest {
  /// Binds a condition to the properties of a class.
  ///
  /// - Throws: ``StoreError`` if a property does not exist or types do not match.
  init(_ condition: QueryCondition, in table: ClassTable) throws {
    switch condition {
    case .always(let isMet): self = .always(isMet)
    case .and(let parts): self = .and(try parts.map { try BoundTest($0, in: table) })
    case .or(let parts): self = .or(try parts.map { try BoundTest($0, in: table) })
    case .not(let part): self = .not(try BoundTest(part, in: table))
    case .compare(let left, let comparison, let right, let options):
      if left.isGiven, let exchanged = comparison.exchanged {
        // Constants and parameters are moved to the right side, where `BoundLeaf` expects them.
        try self.init(right, ValueTest(comparison: exchanged, options: options), left, table)
      } else {
        try self.init(left, ValueTest(comparison: comparison, options: options), right, table)
      }
    case .isIn(let expression, let values, let options):
      try self.init(expression, isIn: values, options, table)
    case .isBetween(let expression, let lower, let upper, let includesUpper):
      let left = try BoundExpression.bind(expression, in: table)
      for bound in [lower, upper] {
        let type = table.type(of: bound)
        try QueryType.require(left.type, .less, [], type)
      }
      self = .leaf(
        BoundLeaf(
          left.expression,
          .isBetween(lower: lower, upper: upper, includesUpper: includesUpper)))
    case .hasWords(let path, let search):
      let bound = try BoundPath(path, in: table)
      guard let last = bound.steps.last, case .value(let position) = last.kind,
        last.table.resolved.hasFullTextIndex(position)
      else {
        throw StoreError.noFullTextIndex(
          class: bound.type.className, property: bound.type.property ?? "")
      }
      self = .leaf(BoundLeaf(.path(bound), .words(FullTextSearch(parsing: search))))
    }
  }

  private init(
    _ left: QueryExpression, _ test: ValueTest, _ right: QueryExpression, _ table: ClassTable
  ) throws {
    var first = try BoundExpression.bind(left, in: table)
    var second = try BoundExpression.bind(right, in: table)
    try QueryType.require(first.type, test.comparison, test.options, second.type)
    try QueryType.requireSingle(first, second, in: table)
    try first.expression.align(with: second.type, table)
    try second.expression.align(with: first.type, table)
    guard case .constant(let value) = second.expression else {
      self = .leaf(BoundLeaf(first.expression, .compare(test, second.expression)))
      return
    }
    self = .leaf(BoundLeaf(first.expression, test, value))
  }

  private init(
    _ expression: QueryExpression, isIn values: [PropertyValue], _ options: TextOptions,
    _ table: ClassTable
  ) throws {
    let left = try BoundExpression.bind(expression, in: table)
    let aligned = try values.map { value in
      let type = table.type(of: value)
      try QueryType.require(left.type, .equal, options, type)
      var constant = BoundExpression.constant(value)
      try constant.align(with: left.type, table)
      guard case .constant(let value) = constant else { return value }
      return value
    }
    self = .leaf(BoundLeaf(left.expression, .isIn(ValueSet(aligned, options))))
  }
}

extension QueryExpression {
  /// Whether this is a constant or a parameter.
  fileprivate var isGiven: Bool {
    switch self {
    case .constant, .parameter: true
    default: false
    }
  }
}

extension BoundExpression {
  /// Converts between links and object references if the other side needs it, so that both can be
  /// compared.
  fileprivate mutating func align(with other: QueryType, _ table: ClassTable) throws {
    switch self {
    case .constant(.object(let reference)):
      guard case .link(let name) = other.kind, let target = table.session.find(name),
        target.resolved.id == reference.classID
      else { return }
      self = .constant(.link(reference.id))
    case .path(let path):
      guard other.kind == .any, let target = path.target else { return }
      self = .references(path, target.resolved.id)
    default: break
    }
  }
}

extension QueryType {
  /// Throws if values of two types do not support a comparison.
  static func require(
    _ left: QueryType, _ comparison: QueryComparison, _ options: TextOptions,
    _ right: QueryType
  ) throws {
    // The error names the property of one side and the type of the other.
    let (named, other) = left.property == nil ? (right, left) : (left, right)
    guard left.isOpen || right.isOpen || left.kind.isComparable(with: right.kind) else {
      throw StoreError.notComparable(
        class: named.className, property: named.property, type: named.name, other: other.name,
        remedy: named.kind.remedy)
    }
    // A value of any type may have the type of the other side.
    if left.kind == .any || right.kind == .any { return }
    for type in [named, other] where !type.allows(comparison, options) {
      throw StoreError.wrongComparison(
        class: type.className, property: type.property, type: type.name,
        comparison: comparison.spelling + options.spelling)
    }
  }

  private func allows(_ comparison: QueryComparison, _ options: TextOptions) -> Bool {
    if isOpen { return true }
    if comparison.isOfText {
      return kind == .text || kind == .data && comparison != .like && options.isEmpty
    }
    if !options.isEmpty, kind != .text { return false }
    guard comparison.isOrder else { return true }
    switch kind {
    case .link, .list, .map: return false
    default: return true
    }
  }
}

extension QueryType.Kind {
  fileprivate func isComparable(with other: QueryType.Kind) -> Bool {
    switch (self, other) {
    // An empty name belongs to a constant that does not state its class, or to a class that no
    // longer exists.
    case (.link(let left), .link(let right)): left == right || left.isEmpty || right.isEmpty
    default: self == other
    }
  }
}
