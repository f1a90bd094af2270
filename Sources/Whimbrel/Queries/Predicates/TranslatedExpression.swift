internal import WhimbrelEngine

/// A part of a predicate, translated for a query.
indirect enum TranslatedExpression {
  case condition(QueryCondition)
  case value(QueryExpression)
  /// The elements of a collection, or those that meet a condition.
  case elements(QueryPath, QueryCondition?)
  /// A constant of the predicate.
  case constant(Any)
  case range(TranslatedRange)
  /// A choice: the first expression if the condition is met, the second
  /// otherwise.
  case choice(QueryCondition, TranslatedExpression, TranslatedExpression)

  static var null: TranslatedExpression { .value(.constant(.null)) }

  /// Returns the result of a closure for this expression, or a choice of its
  /// results for both expressions of a choice.
  func map(
    _ body: (TranslatedExpression) throws -> TranslatedExpression
  ) rethrows -> TranslatedExpression {
    guard case .choice(let condition, let first, let second) = self else { return try body(self) }
    return .choice(condition, try first.map(body), try second.map(body))
  }
}

/// A range. A bound that is nil is unlimited.
struct TranslatedRange {
  var lower: TranslatedExpression?
  var upper: TranslatedExpression?
  var includesUpper: Bool
}

/// A range that is a constant of the predicate.
protocol ConstantRange {
  var translated: TranslatedRange { get }
}

extension Range: ConstantRange {
  var translated: TranslatedRange {
    TranslatedRange(
      lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: false)
  }
}

extension ClosedRange: ConstantRange {
  var translated: TranslatedRange {
    TranslatedRange(
      lower: .constant(lowerBound), upper: .constant(upperBound), includesUpper: true)
  }
}

extension PartialRangeFrom: ConstantRange {
  var translated: TranslatedRange {
    TranslatedRange(lower: .constant(lowerBound), upper: nil, includesUpper: true)
  }
}

extension PartialRangeUpTo: ConstantRange {
  var translated: TranslatedRange {
    TranslatedRange(lower: nil, upper: .constant(upperBound), includesUpper: false)
  }
}

extension PartialRangeThrough: ConstantRange {
  var translated: TranslatedRange {
    TranslatedRange(lower: nil, upper: .constant(upperBound), includesUpper: true)
  }
}

extension QueryCondition {
  static func both(_ left: QueryCondition, _ right: QueryCondition) -> QueryCondition {
    switch (left, right) {
    case (.always(true), let other), (let other, .always(true)): other
    case (.always(false), _), (_, .always(false)): .always(false)
    default: .and(left.parts(of: .and) + right.parts(of: .and))
    }
  }

  static func either(_ left: QueryCondition, _ right: QueryCondition) -> QueryCondition {
    switch (left, right) {
    case (.always(false), let other), (let other, .always(false)): other
    case (.always(true), _), (_, .always(true)): .always(true)
    default: .or(left.parts(of: .or) + right.parts(of: .or))
    }
  }

  var negated: QueryCondition {
    switch self {
    case .always(let isMet): .always(!isMet)
    case .not(let condition): condition
    default: .not(self)
    }
  }
}
