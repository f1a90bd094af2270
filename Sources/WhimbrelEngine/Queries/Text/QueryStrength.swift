/// The binding strength of operators, in ascending order. An operand that binds weaker than its
/// context needs parentheses.
enum QueryStrength: Comparable {
  case none, or, and, not, comparison, sum, product, minus, value
}

extension QueryCondition {
  var strength: QueryStrength {
    switch self {
    case .or: .or
    case .and: .and
    case .not: .not
    default: .comparison
    }
  }
}

extension QueryExpression {
  var strength: QueryStrength {
    guard case .arithmetic(_, let operation, _) = self else { return .value }
    return operation.strength
  }
}

extension QueryArithmetic {
  var strength: QueryStrength {
    switch self {
    case .add, .subtract: .sum
    case .multiply, .divide: .product
    }
  }
}
