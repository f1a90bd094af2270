internal import Foundation
internal import WhimbrelEngine

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    .condition(.both(try translation.condition(lhs), try translation.condition(rhs)))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    .condition(.either(try translation.condition(lhs), try translation.condition(rhs)))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    .condition(try translation.condition(wrapped).negated)
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    .choice(
      try translation.condition(test), try translation.translate(trueBranch),
      try translation.translate(falseBranch))
  }
}

// MARK: - Optionals

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression { .null }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.translate(inner)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    let fallback = try translation.translate(rhs)
    return try translation.translate(lhs).map { value in
      switch try translation.isPresent(value, lhs) {
      case .always(true): value
      case .always(false): fallback
      case let isPresent: .choice(isPresent, value, fallback)
      }
    }
  }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.translate(wrapped).map { value in
      let isPresent = try translation.isPresent(value, wrapped)
      // A constant nil has no properties that the transform could read.
      if case .always(false) = isPresent { return .null }
      let result = try translation.adding(variable.key, for: value).translate(transform)
      if case .always(true) = isPresent { return result }
      // A path that continues the unwrapped one is nil already if that is nil.
      if case (.value(.property(let path)), .value(.property(let start))) = (result, value),
        path.steps.starts(with: start.steps)
      {
        return result
      }
      return .choice(isPresent, result, .null)
    }
  }
}
