internal import Foundation
internal import WhimbrelEngine

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    let sequence = try translation.translate(sequence)
    return try translation.translate(element).map { element in
      switch sequence {
      case .elements(let path, nil):
        let value = try translation.value(of: element, self.element)
        return .condition(.compare(.property(path), .equal, value, []))
      case .constant(let range as any ConstantRange):
        return .condition(try translation.contains(range.translated, element, self))
      case .range(let range):
        return .condition(try translation.contains(range, element, self))
      case .constant(let values):
        let value = try translation.value(of: element, self.element)
        return .condition(.isIn(value, try translation.elements(of: values, self), []))
      default: throw translation.untranslatable(self)
      }
    }
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    guard case .elements(let path, let condition) = try translation.translate(sequence) else {
      throw translation.untranslatable(self)
    }
    guard Element.self is any Model.Type else {
      return .condition(try translation.values(path, .any, variable.key, test))
    }
    let inner = try translation.inside(variable.key).condition(test)
    let count = QueryExpression.matches(path, condition.map { .both($0, inner) } ?? inner)
    return .condition(.compare(count, .greater, .constant(.int(0)), []))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    guard case .elements(let path, let condition) = try translation.translate(sequence) else {
      throw translation.untranslatable(self)
    }
    guard Element.self is any Model.Type else {
      return .condition(try translation.values(path, .all, variable.key, test))
    }
    let inner = try translation.inside(variable.key).condition(test).negated
    let count = QueryExpression.matches(path, condition.map { .both($0, inner) } ?? inner)
    return .condition(.compare(count, .equal, .constant(.int(0)), []))
  }
}

extension PredicateExpressions.Filter: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    guard case .elements(let path, let condition) = try translation.translate(sequence),
      Element.self is any Model.Type
    else { throw translation.untranslatable(self) }
    let inner = try translation.inside(variable.key).condition(filter)
    return .elements(path, condition.map { .both($0, inner) } ?? inner)
  }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.requireStoredOrder(of: Elements.Output.Element.self)
    guard case .elements(let path, nil) = try translation.translate(elements) else {
      throw translation.untranslatable(self)
    }
    return .value(.aggregate(.minimum, path))
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.requireStoredOrder(of: Elements.Output.Element.self)
    guard case .elements(let path, nil) = try translation.translate(elements) else {
      throw translation.untranslatable(self)
    }
    return .value(.aggregate(.maximum, path))
  }
}

extension PredicateTranslation {
  /// Returns the condition that any or all values of a collection meet a test.
  ///
  /// A query applies the quantifier to each comparison, not to the whole test. The result is the
  /// same if `any` applies to an "or" of comparisons, or `all` to an "and" of comparisons. Other
  /// tests cannot be translated.
  fileprivate func values(
    _ path: QueryPath, _ quantifier: QueryPath.Quantifier,
    _ variable: PredicateExpressions.VariableID, _ test: some PredicateExpression
  ) throws -> QueryCondition {
    let values = QueryExpression.property(QueryPath(path.steps, quantifier))
    let condition = try adding(variable, for: .value(values)).condition(test)
    guard condition.isMeantOfEach(values, quantifier) else { throw untranslatable(test) }
    return condition
  }
}

extension QueryCondition {
  /// Returns whether applying the quantifier to each comparison is the same as applying it to the
  /// whole test.
  fileprivate func isMeantOfEach(
    _ values: QueryExpression, _ quantifier: QueryPath.Quantifier
  ) -> Bool {
    switch self {
    case .or(let parts) where quantifier == .any:
      parts.allSatisfy { $0.isMeantOfEach(values, quantifier) }
    case .and(let parts) where quantifier == .all:
      parts.allSatisfy { $0.isMeantOfEach(values, quantifier) }
    case .compare(values, _, let other, _): !other.mentions(values)
    case .compare(let other, _, values, _): !other.mentions(values)
    case .isIn(values, _, _), .isBetween(values, _, _, _): true
    default: false
    }
  }
}

extension QueryExpression {
  fileprivate func mentions(_ other: QueryExpression) -> Bool {
    switch self {
    case .arithmetic(let left, _, let right): left.mentions(other) || right.mentions(other)
    default: self == other
    }
  }
}
