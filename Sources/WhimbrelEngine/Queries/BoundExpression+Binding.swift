extension BoundExpression {
  /// Binds an expression to the properties of a class.
  ///
  /// - Throws: ``StoreError`` if a property does not exist, or if an operand of a calculation is
  ///   not a number.
  static func bind(
    _ expression: QueryExpression, in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    // Expressions nest. Each case has a function of its own, so that a level of nesting takes little
    // of the stack.
    switch expression {
    case .constant(let value): (.constant(value), table.type(of: value))
    case .parameter(let parameter): bind(parameter, in: table)
    case .property(let path): try bind(path, in: table)
    case .count(let path): (.count(try BoundPath(path, in: table)), table.numberType)
    case .aggregate(let aggregate, let path): try bind(aggregate, path, in: table)
    case .matches(let path, let condition): try bind(path, condition, in: table)
    case .arithmetic(let left, let operation, let right):
      try bind(left, operation, right, in: table)
    }
  }

  private static func bind(
    _ parameter: QueryParameter, in table: ClassTable
  ) -> (expression: BoundExpression, type: QueryType) {
    let type = QueryType(
      kind: QueryType.Kind(parameter.type), className: table.name, property: nil,
      name: "\(parameter.type)")
    return (.parameter(parameter.number), type)
  }

  private static func bind(
    _ path: QueryPath, in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    let bound = try BoundPath(path, in: table)
    return (.path(bound), bound.type)
  }

  private static func bind(
    _ aggregate: QueryAggregate, _ path: QueryPath, in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    let bound = try BoundPath(path, in: table)
    return (.aggregate(aggregate, bound), try bound.resultType(of: aggregate))
  }

  private static func bind(
    _ path: QueryPath, _ condition: QueryCondition, in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    let bound = try BoundPath(path, in: table)
    guard let target = bound.target else {
      throw StoreError.notObjects(
        class: bound.type.className, property: bound.type.property, type: bound.type.name)
    }
    return (.matches(bound, try BoundCondition(condition, in: target)), table.numberType)
  }

  private static func bind(
    _ left: QueryExpression, _ operation: QueryArithmetic, _ right: QueryExpression,
    in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    let (first, second) = (try bind(left, in: table), try bind(right, in: table))
    for type in [first.type, second.type] where !type.isOpen && type.kind != .number {
      throw StoreError.notCalculable(
        class: type.className, property: type.property, type: type.name,
        verb: operation.sign)
    }
    try QueryType.requireSingle(first, second, in: table)
    return (.arithmetic(first.expression, operation, second.expression), table.numberType)
  }
}

extension BoundPath {
  /// Checks that the values of this path support an aggregate.
  ///
  /// - Throws: ``StoreError`` with `queryMismatch` if they do not.
  package func requireAggregate(_ aggregate: QueryAggregate) throws {
    _ = try resultType(of: aggregate)
  }

  /// Returns the type of an aggregate of the values.
  ///
  /// - Throws: ``StoreError`` with `queryMismatch` if the values do not support the aggregate.
  func resultType(of aggregate: QueryAggregate) throws -> QueryType {
    switch (type.kind, aggregate) {
    case (.number, _), (.any, _), (.date, .minimum), (.date, .maximum), (.text, .minimum),
      (.text, .maximum):
      return type
    default:
      throw StoreError.notCalculable(
        class: type.className, property: type.property, type: type.name, verb: aggregate.name)
    }
  }
}

extension ClassTable {
  func type(of value: PropertyValue) -> QueryType {
    let kind = QueryType.Kind(value) { session.find($0)?.name }
    return QueryType(kind: kind, className: name, property: nil, name: value.kind)
  }

  fileprivate var numberType: QueryType {
    QueryType(kind: .number, className: name, property: nil, name: "int")
  }
}

extension QueryType {
  /// Throws if both sides can have several values.
  static func requireSingle(
    _ left: (expression: BoundExpression, type: QueryType),
    _ right: (expression: BoundExpression, type: QueryType), in table: ClassTable
  ) throws {
    guard left.expression.quantifier != nil, right.expression.quantifier != nil else { return }
    throw StoreError.severalValues(
      class: table.name, property: left.type.property, other: right.type.property)
  }
}
