internal import Foundation
internal import WhimbrelEngine

extension PredicateTranslation {
  func comparison(
    _ left: some PredicateExpression, _ comparison: QueryComparison,
    _ right: some PredicateExpression, _ options: TextOptions = []
  ) throws -> TranslatedExpression {
    let translatedRight = try translate(right)
    return try translate(left).map { one in
      try translatedRight.map { other in
        switch (one, other) {
        case (.condition(let condition), _):
          .condition(try isSame(condition, other, right, comparison == .equal))
        case (_, .condition(let condition)):
          .condition(try isSame(condition, one, left, comparison == .equal))
        default:
          .condition(
            compare(
              try value(of: one, left), comparison, try value(of: other, right), options))
        }
      }
    }
  }

  /// Returns the condition that a condition and a Boolean expression are both true or both false,
  /// or its negation.
  private func isSame(
    _ condition: QueryCondition, _ other: TranslatedExpression,
    _ expression: some PredicateExpression, _ isSame: Bool
  ) throws -> QueryCondition {
    let isTrue = try truth(of: other, expression)
    let isFalse: QueryCondition
    if case .value(let value) = other {
      isFalse = compare(value, .equal, .constant(.bool(false)))
    } else {
      isFalse = isTrue.negated
    }
    let same = QueryCondition.either(.both(condition, isTrue), .both(condition.negated, isFalse))
    return isSame ? same : same.negated
  }

  /// Returns the condition that compares two values. Constants are compared at once.
  func compare(
    _ left: QueryExpression, _ comparison: QueryComparison, _ right: QueryExpression,
    _ options: TextOptions = []
  ) -> QueryCondition {
    if case .constant(let one) = left, case .constant(let other) = right {
      switch (one, other, comparison) {
      case (.null, .null, .equal): return .always(true)
      case (.null, .null, .notEqual): return .always(false)
      case (.null, _, .notEqual), (_, .null, .notEqual): return .always(true)
      case (.null, _, _), (_, .null, _): return .always(false)
      case (.string(let one), .string(let other), .equal) where options.isEmpty:
        return .always(one == other)
      case (.bool(let one), .bool(let other), .equal): return .always(one == other)
      case (.int(let one), .int(let other), .equal): return .always(one == other)
      default: break
      }
    }
    return .compare(left, comparison, right, options)
  }

  func contains(
    _ range: TranslatedRange, _ element: TranslatedExpression,
    _ expression: some PredicateExpression
  ) throws -> QueryCondition {
    let value = try value(of: element, expression)
    let bounds = try (
      range.lower.map { try self.value(of: $0, expression) },
      range.upper.map { try self.value(of: $0, expression) }
    )
    if case (.constant(let lower)?, .constant(let upper)?) = bounds {
      return .isBetween(value, lower: lower, upper: upper, includesUpper: range.includesUpper)
    }
    let isAbove = bounds.0.map { compare(value, .greaterOrEqual, $0) } ?? .always(true)
    let isBelow = bounds.1.map { compare(value, range.includesUpper ? .lessOrEqual : .less, $0) }
    return .both(isAbove, isBelow ?? .always(true))
  }
}

extension PredicateTranslation {
  /// Checks that the cases of an enum have the same order in Swift as in the store, which compares
  /// their raw values. Other types are not checked.
  ///
  /// - Throws: ``StoreError`` with `untranslatablePredicate` if they do not.
  func requireStoredOrder<Value: Comparable>(of type: Value.Type) throws {
    guard let cases = (type as? any PersistableEnum.Type)?.casesByRawValue as? [Value] else {
      return
    }
    guard zip(cases, cases.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw untranslatable("order of \(type)")
    }
  }
}

extension PersistableEnum {
  /// The cases in the order of their raw values.
  fileprivate static var casesByRawValue: [Any] {
    allCases.sorted { $0.propertyValue.order(to: $1.propertyValue) == .before }
  }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.comparison(lhs, .equal, rhs)
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.comparison(lhs, .notEqual, rhs)
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.requireStoredOrder(of: LHS.Output.self)
    let comparison: QueryComparison =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw translation.untranslatable(self)
      }
    return try translation.comparison(lhs, comparison, rhs)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.requireStoredOrder(of: Element.Output.self)
    let range = try translation.translate(range)
    return try translation.translate(element).map { element in
      switch range {
      case .range(let range):
        return .condition(try translation.contains(range, element, self))
      case .constant(let range as any ConstantRange):
        return .condition(try translation.contains(range.translated, element, self))
      default: throw translation.untranslatable(self)
      }
    }
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    let (lower, upper) = (try translation.translate(lower), try translation.translate(upper))
    return .range(TranslatedRange(lower: lower, upper: upper, includesUpper: false))
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    let (lower, upper) = (try translation.translate(lower), try translation.translate(upper))
    return .range(TranslatedRange(lower: lower, upper: upper, includesUpper: true))
  }
}

// MARK: - Text

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.comparison(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.comparison(base, .beginsWith, prefix)
  }
}
