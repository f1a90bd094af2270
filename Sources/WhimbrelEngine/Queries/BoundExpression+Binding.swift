extension BoundExpression {
  /// Finds the properties of an expression.
  ///
  /// - Throws: ``StoreError`` where one is not there, or a number is to be worked out of
  ///   something else.
  static func bind(
    _ expression: QueryExpression, in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    switch expression {
    case .constant(let value):
      return (.constant(value), table.type(of: value))
    case .property(let path):
      let bound = try BoundPath(path, in: table)
      return (.path(bound), bound.type)
    case .count(let path):
      return (.count(try BoundPath(path, in: table)), table.numberType)
    case .aggregate(let aggregate, let path):
      let bound = try BoundPath(path, in: table)
      return (.aggregate(aggregate, bound), try bound.resultType(of: aggregate))
    case .matches(let path, let condition):
      let bound = try BoundPath(path, in: table)
      guard let target = bound.target else {
        throw StoreError.notObjects(
          class: bound.type.className, property: bound.type.property, type: bound.type.name)
      }
      return (.matches(bound, try BoundCondition(condition, in: target)), table.numberType)
    case .arithmetic(let left, let operation, let right):
      let (first, second) = (try bind(left, in: table), try bind(right, in: table))
      for type in [first.type, second.type] where !type.isOpen && type.kind != .number {
        throw StoreError.notCalculable(
          class: type.className, property: type.property, type: type.name,
          verb: operation.rawValue)
      }
      try QueryType.requireSingle(first, second, in: table)
      return (.arithmetic(first.expression, operation, second.expression), table.numberType)
    }
  }
}

extension BoundPath {
  /// What an aggregate of the values is.
  ///
  /// - Throws: ``StoreError`` with `queryMismatch` where there is none of such values.
  package func requireAggregate(_ aggregate: QueryAggregate) throws {
    _ = try resultType(of: aggregate)
  }

  func resultType(of aggregate: QueryAggregate) throws -> QueryType {
    switch (type.kind, aggregate) {
    case (.number, _), (.any, _), (.date, .minimum), (.date, .maximum), (.text, .minimum),
      (.text, .maximum):
      return type
    default:
      throw StoreError.notCalculable(
        class: type.className, property: type.property, type: type.name, verb: aggregate.rawValue)
    }
  }
}

extension ClassTable {
  /// What kind of value a constant is.
  func type(of value: PropertyValue) -> QueryType {
    let kind = QueryType.Kind(value) { id in
      session.classes.first { $0.resolved.id == id }?.name
    }
    return QueryType(kind: kind, className: name, property: nil, name: value.kind)
  }

  /// The type of what counts.
  fileprivate var numberType: QueryType {
    QueryType(kind: .number, className: name, property: nil, name: "int")
  }
}

extension QueryType {
  /// Throws where both sides have several values.
  static func requireSingle(
    _ left: (expression: BoundExpression, type: QueryType),
    _ right: (expression: BoundExpression, type: QueryType), in table: ClassTable
  ) throws {
    guard left.expression.quantifier != nil, right.expression.quantifier != nil else { return }
    throw StoreError.severalValues(
      class: table.name, property: left.type.property, other: right.type.property)
  }
}
