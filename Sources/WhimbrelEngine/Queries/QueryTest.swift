/// A condition on the value of one property, in a form that an index may answer.
struct QueryTest: Hashable {
  let position: Int
  let operation: Operation
  /// The number of the part of the whole condition.
  let part: Int
  /// Whether every value that passes the test satisfies the part. If not, the records must be
  /// checked.
  var isWholePart = true

  enum Operation: Hashable {
    /// The value equals one of these.
    case isIn([PropertyValue])
    case isLess(PropertyValue, orEqual: Bool)
    case isGreater(PropertyValue, orEqual: Bool)
    case isBetween(PropertyValue, PropertyValue, orEqual: Bool)
    case begins(String)
    case isNotNil
    /// The text contains the words of a search.
    case words(String)
  }
}

extension QueryTest {
  /// Creates a test from a condition that compares one property of the class with constants.
  /// Returns nil for any other condition.
  init?(_ condition: QueryCondition, part: Int, in resolved: ResolvedClass) {
    let (path, operation): (QueryPath, Operation)
    var isWholePart = true
    switch condition {
    case .compare(.property(let left), .like, .constant(.string(let pattern)), []):
      let beginning = TextPattern.beginning(of: pattern)
      switch beginning.rest {
      case .nothing: operation = .isIn([.string(beginning.text)])
      case .anything, .more:
        if beginning.text.isEmpty { return nil }
        operation = .begins(beginning.text)
        isWholePart = beginning.rest == .anything
      }
      path = left
    case .compare(.property(let left), let comparison, .constant(let value), []):
      guard let found = Operation(comparison, value) else { return nil }
      (path, operation) = (left, found)
    case .compare(.constant(let value), let comparison, .property(let right), []):
      guard let exchanged = comparison.exchanged, let found = Operation(exchanged, value) else {
        return nil
      }
      (path, operation) = (right, found)
    case .isIn(.property(let left), let values, []):
      (path, operation) = (left, .isIn(values))
    case .isBetween(.property(let left), let lower, let upper, let includesUpper):
      (path, operation) = (left, .isBetween(lower, upper, orEqual: includesUpper))
    default:
      return nil
    }
    guard let position = path.position(in: resolved) else { return nil }
    self.init(position: position, operation: operation, part: part, isWholePart: isWholePart)
  }
}

extension QueryPath {
  /// Returns the position of the only property of the path, or nil for other paths.
  func position(in resolved: ResolvedClass) -> Int? {
    guard quantifier == .any, steps.count == 1, case .property(let name) = steps[0] else {
      return nil
    }
    return resolved.position(of: name)
  }
}

extension QueryTest.Operation {
  init?(_ comparison: QueryComparison, _ value: PropertyValue) {
    switch (comparison, value) {
    case (.equal, _): self = .isIn([value])
    case (.notEqual, .null): self = .isNotNil
    case (_, .null): return nil
    case (.less, _): self = .isLess(value, orEqual: false)
    case (.lessOrEqual, _): self = .isLess(value, orEqual: true)
    case (.greater, _): self = .isGreater(value, orEqual: false)
    case (.greaterOrEqual, _): self = .isGreater(value, orEqual: true)
    case (.beginsWith, .string(let text)) where !text.isEmpty: self = .begins(text)
    default: return nil
    }
  }
}

extension QueryTest {
  /// Returns the test as text for messages.
  func description(in resolved: ResolvedClass) -> String {
    let name = resolved.properties[position].name
    switch operation {
    case .isIn(let values) where values.count == 1: return "\(name) == \(values[0].shortText)"
    case .isIn(let values): return "\(name) in \(values.count) values"
    case .isLess(let value, let orEqual):
      return "\(name) \(orEqual ? "<=" : "<") \(value.shortText)"
    case .isGreater(let value, let orEqual):
      return "\(name) \(orEqual ? ">=" : ">") \(value.shortText)"
    case .isBetween(let lower, let upper, let orEqual):
      return "\(name) from \(lower.shortText) \(orEqual ? "through" : "to") \(upper.shortText)"
    case .begins(let text):
      return "\(name) begins with \(PropertyValue.string(text).shortText)"
    case .isNotNil: return "\(name) != nil"
    case .words(let search):
      return "\(name) matches the words \(PropertyValue.string(search).shortText)"
    }
  }
}

extension PropertyValue {
  /// The value as text for messages. Long texts are truncated.
  fileprivate var shortText: String {
    switch self {
    case .null: "nil"
    case .link(let id): Sentence.object(id, nil)
    case .object(let reference): Sentence.object(reference.id, nil)
    default: scalar?.explained ?? "a \(kind)"
    }
  }
}
