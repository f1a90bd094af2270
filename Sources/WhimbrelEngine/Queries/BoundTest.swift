internal import WhimbrelLMDB

/// A condition bound to the properties of a class, as a tree.
indirect enum BoundTest {
  case always(Bool)
  case and([BoundTest])
  case or([BoundTest])
  case not(BoundTest)
  case leaf(BoundLeaf)
}

extension BoundTest {
  /// Whether other objects are read to evaluate the condition.
  var readsOtherObjects: Bool {
    switch self {
    case .always: false
    case .and(let parts), .or(let parts): parts.contains { $0.readsOtherObjects }
    case .not(let part): part.readsOtherObjects
    case .leaf(let leaf): leaf.readsOtherObjects
    }
  }
}

/// A condition on one expression or on two.
final class BoundLeaf {
  let left: BoundExpression
  let kind: Kind

  enum Kind {
    case compare(ValueTest, BoundExpression)
    /// A comparison with a constant text.
    case text(TextTest, ValueTest, PropertyValue)
    case isIn(ValueSet)
    case isBetween(lower: PropertyValue, upper: PropertyValue, includesUpper: Bool)
    /// The text contains the words of a search.
    case words(FullTextSearch)
    /// The link leads to one of the objects that satisfy a comparison.
    case leads(TargetSet)
  }

  init(_ left: BoundExpression, _ kind: Kind) {
    self.left = left
    self.kind = kind
  }

  /// Creates a comparison with a constant.
  convenience init(_ left: BoundExpression, _ test: ValueTest, _ value: PropertyValue) {
    if case .string(let text) = value {
      self.init(left, .text(TextTest(test.comparison, text, test.options), test, value))
    } else {
      self.init(left, .compare(test, .constant(value)))
    }
  }

  func matches(_ id: ObjectID, _ record: PageBytes, _ source: QuerySource) throws -> Bool {
    // Sub-queries nest. The comparisons have a function of their own, so that a level of nesting
    // takes little of the stack.
    if !isAboutLeftOnly { return try comparison(id, record, source) }
    guard let quantifier = left.quantifier else {
      return holds(try left.value(id, record, source))
    }
    return try quantifier.holds(left, id, record, source, holds)
  }

  /// Returns whether both sides satisfy the comparison.
  private func comparison(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> Bool {
    guard case .compare(let test, let right) = kind else { return false }
    switch (left.quantifier, right.quantifier) {
    case (nil, nil):
      return test.holds(
        try left.value(id, record, source), try right.value(id, record, source))
    case (let quantifier?, _):
      let other = try right.value(id, record, source)
      return try quantifier.holds(left, id, record, source) { test.holds($0, other) }
    case (nil, let quantifier?):
      let other = try left.value(id, record, source)
      return try quantifier.holds(right, id, record, source) { test.holds(other, $0) }
    }
  }

  fileprivate var readsOtherObjects: Bool {
    guard case .compare(_, let right) = kind else { return left.readsOtherObjects }
    return left.readsOtherObjects || right.readsOtherObjects
  }

  /// Whether the condition depends on the value of the left side only.
  var isAboutLeftOnly: Bool {
    guard case .compare(_, let right) = kind else { return true }
    if case .constant = right { return true }
    return false
  }

  /// Returns whether a value of the left side satisfies the condition.
  func holds(_ value: PropertyValue) -> Bool {
    switch kind {
    case .compare(let test, let right):
      guard case .constant(let other) = right else { return false }
      return test.holds(value, other)
    case .text(let text, let test, let other):
      if case .string(let found) = value { return text.holds(found) }
      return test.holds(value, other)
    case .isIn(let values):
      return values.contains(value)
    case .words(let search):
      if case .string(let found) = value { return search.matches(found) }
      return false
    case .leads(let targets):
      if case .link(let id) = value { return targets.contains(id) }
      return targets.includesNil
    case .isBetween(let lower, let upper, let includesUpper):
      guard let first = value.order(to: lower), let last = value.order(to: upper) else {
        return false
      }
      return first != .before && (last == .before || includesUpper && last == .same)
    }
  }
}

extension QueryPath.Quantifier {
  /// Returns whether as many values as the quantifier requires satisfy the condition.
  fileprivate func holds(
    _ expression: BoundExpression, _ id: ObjectID, _ record: PageBytes, _ source: QuerySource,
    _ isMet: (PropertyValue) -> Bool
  ) throws -> Bool {
    switch self {
    case .any: try !expression.forEachValue(id, record, source) { !isMet($0) }
    case .all: try expression.forEachValue(id, record, source, isMet)
    case .none: try expression.forEachValue(id, record, source) { !isMet($0) }
    }
  }
}
