internal import Foundation
internal import WhimbrelEngine

extension PredicateExpressions.Variable: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    guard let value = translation.value(of: key) else {
      throw translation.untranslatable("an outer variable in a condition on elements")
    }
    return value
  }
}

extension PredicateExpressions.Value: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    .constant(value)
  }
}

// MARK: - Properties

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.translate(root).map { root in
      switch root {
      case .constant(let value):
        guard let value = value as? Root.Output else { throw untranslatable(translation) }
        return .constant(value[keyPath: keyPath])
      case .value(.constant(.null)): return root
      case .value(.property(let path)): return try property(of: path, translation)
      case .elements(let path, let condition):
        let count = condition.map { QueryExpression.matches(path, $0) } ?? .count(path)
        return try countOrEmptiness(count, translation)
      case .value, .condition, .range, .choice: throw untranslatable(translation)
      }
    }
  }

  private func untranslatable(_ translation: PredicateTranslation) -> StoreError {
    translation.untranslatable("key path from \(Root.Output.self) to \(Output.self)")
  }

  /// Returns the path extended by the key path.
  private func property(
    of path: QueryPath, _ translation: PredicateTranslation
  ) throws -> TranslatedExpression {
    if let model = Root.Output.self as? any Model.Type {
      guard let step = step(of: model) else {
        throw StoreError.notQueryable(class: model._$schema.name)
      }
      let longer = QueryPath(path.steps + [step], path.quantifier)
      return Output.self is any QueryCollection.Type
        ? .elements(longer, nil) : .value(.property(longer))
    }
    let value = QueryExpression.property(path)
    if keyPath as AnyKeyPath == \String.isEmpty {
      return .condition(.compare(value, .equal, .constant(.string("")), []))
    }
    if let type = Root.Output.self as? any PersistableEnum.Type, isRawValue(of: type) {
      return .value(value)
    }
    throw untranslatable(translation)
  }

  private func step<Element: Model>(of model: Element.Type) -> QueryPath.Step? {
    guard let keyPath = keyPath as? Swift.KeyPath<Element, Output> else { return nil }
    return model._$schema.step(of: keyPath)
  }

  /// Returns whether the key path leads to the stored value of each case.
  private func isRawValue<Case: PersistableEnum>(of type: Case.Type) -> Bool {
    guard let keyPath = keyPath as? Swift.KeyPath<Case, Case.RawValue> else { return false }
    return type.allCases.allSatisfy { $0[keyPath: keyPath].propertyValue == $0.propertyValue }
  }

  /// Returns the number of elements, or the condition that there are none.
  private func countOrEmptiness(
    _ count: QueryExpression, _ translation: PredicateTranslation
  ) throws -> TranslatedExpression {
    let paths = (Root.Output.self as? any CountedCollection.Type)?.countPaths
    if kind == .collectionCount || keyPath == paths?.count { return .value(count) }
    if kind == .collectionIsEmpty || keyPath == paths?.isEmpty {
      return .condition(.compare(count, .equal, .constant(.int(0)), []))
    }
    throw untranslatable(translation)
  }
}

/// A collection of a model whose elements can be counted.
private protocol CountedCollection {
  /// The key paths of `count` and `isEmpty`. They identify the two in a
  /// predicate.
  static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) { get }
}

extension StoredList: CountedCollection {
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) {
    (\StoredList.count, \StoredList.isEmpty)
  }
}

extension StoredSet: CountedCollection {
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) {
    (\StoredSet.count, \StoredSet.isEmpty)
  }
}

extension StoredMap: CountedCollection {
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) {
    (\StoredMap.count, \StoredMap.isEmpty)
  }
}

extension LinkingObjects: CountedCollection {
  fileprivate static var countPaths: (count: AnyKeyPath, isEmpty: AnyKeyPath) {
    (\LinkingObjects.count, \LinkingObjects.isEmpty)
  }
}

// MARK: - Arithmetic

extension PredicateTranslation {
  /// Returns the result of an operation on two numbers.
  fileprivate func arithmetic(
    _ left: some PredicateExpression, _ operation: QueryArithmetic,
    _ right: some PredicateExpression
  ) throws -> TranslatedExpression {
    let translatedRight = try translate(right)
    return try translate(left).map { one in
      try translatedRight.map { other in
        .value(.arithmetic(try value(of: one, left), operation, try value(of: other, right)))
      }
    }
  }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    let operation: QueryArithmetic =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw translation.untranslatable(self)
      }
    return try translation.arithmetic(lhs, operation, rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.arithmetic(lhs, .divide, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.arithmetic(lhs, .divide, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func translated(_ translation: PredicateTranslation) throws -> TranslatedExpression {
    try translation.translate(wrapped).map { number in
      .value(
        .arithmetic(.constant(.int(0)), .subtract, try translation.value(of: number, wrapped)))
    }
  }
}
