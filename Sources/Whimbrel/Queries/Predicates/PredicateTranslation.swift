internal import Foundation
internal import WhimbrelEngine

/// A part of a predicate that a query can express.
protocol TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression
}

/// The translation of a predicate to the condition of a query.
struct PredicateTranslation {
  let scope: QueryScope
  private var variables: [PredicateExpressions.VariableID: TranslatedExpression]

  init(
    _ scope: QueryScope, _ variable: PredicateExpressions.VariableID,
    for value: TranslatedExpression
  ) {
    self.scope = scope
    variables = [variable: value]
  }

  static func condition<Root: Model>(
    of predicate: Predicate<Root>, _ scope: QueryScope
  ) throws -> QueryCondition {
    let object = TranslatedExpression.value(.property(QueryPath([])))
    return try PredicateTranslation(scope, predicate.variable.key, for: object)
      .condition(predicate.expression)
  }

  /// Returns the translation with another variable.
  func adding(
    _ variable: PredicateExpressions.VariableID, for value: TranslatedExpression
  ) -> PredicateTranslation {
    var copy = self
    copy.variables[variable] = value
    return copy
  }

  /// Returns the translation for a condition of elements. Paths start at an element there, and
  /// outer variables are not available.
  func inside(_ variable: PredicateExpressions.VariableID) -> PredicateTranslation {
    PredicateTranslation(scope, variable, for: .value(.property(QueryPath([]))))
  }

  func translate(_ expression: some PredicateExpression) throws -> TranslatedExpression {
    guard let translatable = expression as? any TranslatableExpression else {
      throw untranslatable(expression)
    }
    return try translatable.translated(self)
  }

  func condition(_ expression: some PredicateExpression) throws -> QueryCondition {
    try truth(of: translate(expression), expression)
  }

  func value(of variable: PredicateExpressions.VariableID) -> TranslatedExpression? {
    variables[variable]
  }

  /// Returns the error for an expression that a query cannot express.
  func untranslatable(_ expression: some PredicateExpression) -> StoreError {
    let name = String(describing: type(of: expression)).prefix { $0 != "<" }
    return untranslatable(String(name))
  }

  func untranslatable(_ part: String) -> StoreError {
    StoreError.untranslatablePredicate(class: scope.className, part: part)
  }
}

// MARK: - Uses of translated parts

extension PredicateTranslation {
  /// Returns the condition that an expression is true.
  func truth(
    of translated: TranslatedExpression, _ expression: some PredicateExpression
  ) throws -> QueryCondition {
    switch translated {
    case .condition(let condition): return condition
    case .value(.constant(.null)): return .always(false)
    case .value(let value): return .compare(value, .equal, .constant(.bool(true)), [])
    case .constant(let value):
      guard let value = value as? Bool else { throw untranslatable(expression) }
      return .always(value)
    case .choice(let condition, let first, let second):
      return .either(
        .both(condition, try truth(of: first, expression)),
        .both(condition.negated, try truth(of: second, expression)))
    case .elements, .range: throw untranslatable(expression)
    }
  }

  /// Returns an expression as a value.
  func value(
    of translated: TranslatedExpression, _ expression: some PredicateExpression
  ) throws -> QueryExpression {
    switch translated {
    case .value(let value): return value
    case .constant(let value): return .constant(try stored(value, expression))
    case .condition, .elements, .range, .choice: throw untranslatable(expression)
    }
  }

  /// Returns a constant as a stored value.
  private func stored(
    _ value: Any, _ expression: some PredicateExpression
  ) throws -> PropertyValue {
    if let object = modelObject(value) { return try scope.link(to: object) }
    guard let value = value as? any Persistable else {
      throw untranslatable("\(type(of: value))")
    }
    return try scope.stored(value)
  }

  /// Returns the elements of a constant sequence as stored values.
  func elements(
    of value: Any, _ expression: some PredicateExpression
  ) throws -> [PropertyValue] {
    guard let sequence = value as? any Sequence else { throw untranslatable(expression) }
    func elements(of sequence: some Sequence) throws -> [PropertyValue] {
      try sequence.map { try stored($0, expression) }
    }
    return try elements(of: sequence)
  }

  /// Returns the condition that an expression is not nil.
  func isPresent(
    _ translated: TranslatedExpression, _ expression: some PredicateExpression
  ) throws -> QueryCondition {
    switch translated {
    case .condition, .elements, .range: return .always(true)
    case .choice(let condition, let first, let second):
      return .either(
        .both(condition, try isPresent(first, expression)),
        .both(condition.negated, try isPresent(second, expression)))
    case .constant(let value): return .always(flattened(value) != nil)
    case .value(let value): return compare(value, .notEqual, .constant(.null))
    }
  }
}
