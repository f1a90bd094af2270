internal import WhimbrelEngine

extension QueryValue where Value == Bool {
  /// Returns the condition that both conditions are met.
  public static func && (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    QueryValue(lhs.part.joined(.and, rhs.part))
  }

  /// Returns the condition that at least one of two conditions is met.
  public static func || (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    QueryValue(lhs.part.joined(.or, rhs.part))
  }

  /// Returns the condition that a condition is not met.
  public static prefix func ! (condition: QueryValue) -> QueryValue {
    QueryValue(condition.part.negated)
  }

  /// The number of elements of a collection that meet the condition.
  ///
  /// All parts of the condition must be about elements of the same collection. Each element must
  /// meet the whole condition:
  ///
  /// ```swift
  /// store.objects(Country.self).where {
  ///   ($0.zones.latitude > 0 && $0.zones.area == .america).count >= 2
  /// }
  /// ```
  ///
  /// If a path leads through several collections, the elements of the first one are counted. If the
  /// condition is not about exactly one collection of objects, the query finds nothing, and the
  /// next throwing call rethrows the deferred error.
  public var count: QueryValue<Int> {
    guard case .elements(let collection) = part.subject else {
      part.scope.fail(
        StoreError.severalCollections(
          class: part.scope.className, collections: part.subject.names.sorted()))
      return QueryValue<Int>(QueryPart(part.scope, .constant(.int(0))))
    }
    let condition = part.condition.inside(collection)
    var count = part.made(.value(.matches(collection, condition)), height: part.height + 1)
    count.subject = .object
    return QueryValue<Int>(count)
  }
}

extension QueryPart {
  /// The condition that the part is not true.
  var negated: QueryPart { made(.condition(.not(condition)), height: height + 1) }

  /// Returns the condition that joins this part and another. Parts of the same junction are joined
  /// with it, so that a chain of any length has one level.
  func joined(_ junction: QueryCondition.Junction, _ other: QueryPart) -> QueryPart {
    let (first, second) = (condition.parts(of: junction), other.condition.parts(of: junction))
    let content = Content.condition(junction == .and ? .and(first + second) : .or(first + second))
    let inner = max(height(in: junction), other.height(in: junction))
    return made(content, height: inner + 1).with(other)
  }

  /// The depth of nesting inside the parts that a junction joins.
  private func height(in junction: QueryCondition.Junction) -> Int {
    switch (content, junction) {
    case (.condition(.and), .and), (.condition(.or), .or): height - 1
    default: height
    }
  }
}

extension QueryCondition {
  enum Junction { case and, or }

  /// Returns the conditions that a junction joins, or the condition itself.
  func parts(of junction: Junction) -> [QueryCondition] {
    switch (self, junction) {
    case (.and(let parts), .and), (.or(let parts), .or): parts
    default: [self]
    }
  }

  /// Returns the condition with its paths starting at the elements of a collection. All of its
  /// paths must lead through that collection.
  fileprivate func inside(_ collection: QueryPath) -> QueryCondition {
    switch self {
    case .always: self
    case .and(let parts): .and(parts.map { $0.inside(collection) })
    case .or(let parts): .or(parts.map { $0.inside(collection) })
    case .not(let part): .not(part.inside(collection))
    case .compare(let left, let comparison, let right, let options):
      .compare(left.inside(collection), comparison, right.inside(collection), options)
    case .isIn(let value, let values, let options):
      .isIn(value.inside(collection), values, options)
    case .isBetween(let value, let lower, let upper, let includesUpper):
      .isBetween(
        value.inside(collection), lower: lower, upper: upper, includesUpper: includesUpper)
    case .hasWords(let path, let search): .hasWords(path.inside(collection), search: search)
    }
  }
}

extension QueryExpression {
  fileprivate func inside(_ collection: QueryPath) -> QueryExpression {
    switch self {
    case .constant, .parameter: self
    case .property(let path): .property(path.inside(collection))
    case .count(let path): .count(path.inside(collection))
    case .aggregate(let aggregate, let path): .aggregate(aggregate, path.inside(collection))
    case .matches(let path, let condition): .matches(path.inside(collection), condition)
    case .arithmetic(let left, let operation, let right):
      .arithmetic(left.inside(collection), operation, right.inside(collection))
    }
  }
}

extension QueryPath {
  fileprivate func inside(_ collection: QueryPath) -> QueryPath {
    QueryPath(Array(steps.dropFirst(collection.steps.count)), quantifier)
  }
}
