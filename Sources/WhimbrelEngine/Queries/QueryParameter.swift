/// A value in a condition that is supplied each time the condition is used.
package struct QueryParameter: Hashable, Sendable {
  /// The number of the parameter, starting with 0.
  package let number: Int
  package let type: PropertyType

  package init(_ number: Int, _ type: PropertyType) {
    self.number = number
    self.type = type
  }
}

extension QueryRequest {
  /// Returns the request with values in place of the parameters of its conditions.
  package func filled(with values: [PropertyValue]) -> QueryRequest {
    var request = self
    request.stages = stages.map { stage in
      guard case .filter(let condition) = stage else { return stage }
      return .filter(condition.filled(with: values))
    }
    return request
  }
}

extension QueryCondition {
  /// Returns the condition with values in place of its parameters.
  func filled(with values: [PropertyValue]) -> QueryCondition {
    switch self {
    case .always, .hasWords: self
    case .and(let parts): .and(parts.map { $0.filled(with: values) })
    case .or(let parts): .or(parts.map { $0.filled(with: values) })
    case .not(let part): .not(part.filled(with: values))
    case .compare(let left, let comparison, let right, let options):
      .compare(left.filled(with: values), comparison, right.filled(with: values), options)
    case .isIn(let value, let constants, let options):
      .isIn(value.filled(with: values), constants, options)
    case .isBetween(let value, let lower, let upper, let includesUpper):
      .isBetween(
        value.filled(with: values), lower: lower, upper: upper, includesUpper: includesUpper)
    }
  }
}

extension QueryExpression {
  fileprivate func filled(with values: [PropertyValue]) -> QueryExpression {
    switch self {
    case .parameter(let parameter): .constant(values[parameter.number])
    case .constant, .property, .count, .aggregate: self
    case .matches(let path, let condition): .matches(path, condition.filled(with: values))
    case .arithmetic(let left, let operation, let right):
      .arithmetic(left.filled(with: values), operation, right.filled(with: values))
    }
  }
}

// MARK: - Bound conditions

extension BoundTest {
  /// Returns the condition with values in place of its parameters.
  func filled(with values: [PropertyValue]) -> BoundTest {
    switch self {
    case .always: self
    case .and(let parts): .and(parts.map { $0.filled(with: values) })
    case .or(let parts): .or(parts.map { $0.filled(with: values) })
    case .not(let part): .not(part.filled(with: values))
    case .leaf(let leaf): .leaf(leaf.filled(with: values))
    }
  }
}

extension BoundLeaf {
  fileprivate func filled(with values: [PropertyValue]) -> BoundLeaf {
    let left = left.filled(with: values)
    guard case .compare(let test, let right) = kind else { return BoundLeaf(left, kind) }
    let other = right.filled(with: values)
    if case .constant(let value) = other { return BoundLeaf(left, test, value) }
    return BoundLeaf(left, .compare(test, other))
  }
}

extension BoundExpression {
  fileprivate func filled(with values: [PropertyValue]) -> BoundExpression {
    switch self {
    case .parameter(let number): .constant(values[number])
    case .constant, .path, .references, .count, .aggregate: self
    case .matches(let path, let condition): .matches(path, condition.filled(with: values))
    case .arithmetic(let left, let operation, let right):
      .arithmetic(left.filled(with: values), operation, right.filled(with: values))
    }
  }
}

extension BoundCondition {
  fileprivate func filled(with values: [PropertyValue]) -> BoundCondition {
    BoundCondition(test.filled(with: values), in: table)
  }
}
