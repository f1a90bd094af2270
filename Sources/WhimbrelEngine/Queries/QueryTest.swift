/// A condition on the value of one property that an index of it may answer.
struct QueryTest: Hashable {
  let position: Int
  let operation: Operation
  /// Which part of the whole condition it is.
  let part: Int

  enum Operation: Hashable {
    /// The value equals one of these.
    case isIn([PropertyValue])
    case isLess(PropertyValue, orEqual: Bool)
    case isGreater(PropertyValue, orEqual: Bool)
    case isBetween(PropertyValue, PropertyValue, orEqual: Bool)
    case begins(String)
    case isNotNil
    /// A text has the words that a search asks for.
    case words(String)
  }
}

extension QueryTest {
  /// Makes the test that a condition is, or returns nil: of one property of the class,
  /// and constants.
  init?(_ condition: QueryCondition, part: Int, in resolved: ResolvedClass) {
    let (path, operation): (QueryPath, Operation)
    switch condition {
    case .compare(.property(let left), let comparison, .constant(let value), []):
      guard let found = Operation(comparison, value) else { return nil }
      (path, operation) = (left, found)
    case .compare(.constant(let value), let comparison, .property(let right), []):
      guard let swapped = comparison.swapped, let found = Operation(swapped, value) else {
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
    guard path.quantifier == .any, path.steps.count == 1, case .property(let name) = path.steps[0],
      let position = resolved.position(of: name)
    else { return nil }
    self.init(position: position, operation: operation, part: part)
  }
}

extension QueryTest.Operation {
  fileprivate init?(_ comparison: QueryComparison, _ value: PropertyValue) {
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

extension QueryComparison {
  /// The comparison that says the same with its sides exchanged.
  fileprivate var swapped: QueryComparison? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .contains, .beginsWith, .endsWith, .like: nil
    }
  }
}

extension QueryTest {
  /// The test as people read it.
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
      return "\(name) has words of \(PropertyValue.string(search).shortText)"
    }
  }
}

extension PropertyValue {
  /// The value for people; of long texts the beginning.
  fileprivate var shortText: String {
    switch self {
    case .null: "nil"
    case .link(let id): Sentence.object(id, nil)
    case .object(let reference): Sentence.object(reference.id, nil)
    default: scalar?.explained ?? "a \(kind)"
    }
  }
}
