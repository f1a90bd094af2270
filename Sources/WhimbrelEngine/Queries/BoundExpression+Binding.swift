extension BoundExpression {
  /// Binds an expression to the properties of a class.
  ///
  /// - Throws: ``StoreError`` if a property does not exist, or if an operand of a calculation is
  ///   not a number.
  static func bind(
    _ expression: QueryExpression, in table: ClassTable
  ) throws -> (expression: BoundExpression, type: QueryType) {
    switch expression {
    case .constant(let value):
      return (.constant(value), table.type(of: value))
    case .parameter(let parameter):
      let type = QueryType(
        kind: QueryType.Kind(parameter.type), className: table.name, property: nil,
        name: "\(parameter.type)")
      return (.parameter(parameter.number), type)
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
        class: type.className, property: type.property, type: type.name, verb: aggregate.rawValue)
    }
  }
}

extension ClassTable {
  func type(of value: PropertyValue) -> QueryType {
    let kind = QueryType.Kind(value) { id in
      session.classes.first { $0.resolved.id == id }?.name
    }
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
