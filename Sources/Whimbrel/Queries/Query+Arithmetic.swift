internal import WhimbrelEngine

/// Whole numbers stay whole; where they do not fit into 64 bits, and where a whole number
/// is divided by zero, the result is nil. So it is where one side is nil.
extension Query where Value: ModelValue & QueryMember, Value._$Kind == QueryKind.Number {
  /// The sum with a number.
  public static func + (lhs: Query, rhs: Value) -> Query { lhs.combined(.add, rhs) }

  /// The difference to a number.
  public static func - (lhs: Query, rhs: Value) -> Query { lhs.combined(.subtract, rhs) }

  /// The product with a number.
  public static func * (lhs: Query, rhs: Value) -> Query { lhs.combined(.multiply, rhs) }

  /// The quotient of a number.
  public static func / (lhs: Query, rhs: Value) -> Query { lhs.combined(.divide, rhs) }

  /// The sum of a number and this one.
  public static func + (lhs: Value, rhs: Query) -> Query { rhs.combined(lhs, .add) }

  /// The difference of a number to this one.
  public static func - (lhs: Value, rhs: Query) -> Query { rhs.combined(lhs, .subtract) }

  /// The product of a number and this one.
  public static func * (lhs: Value, rhs: Query) -> Query { rhs.combined(lhs, .multiply) }

  /// The quotient of a number by this one.
  public static func / (lhs: Value, rhs: Query) -> Query { rhs.combined(lhs, .divide) }

  /// The sum of both.
  public static func + (lhs: Query, rhs: Query) -> Query { lhs.combined(.add, rhs) }

  /// The difference of both.
  public static func - (lhs: Query, rhs: Query) -> Query { lhs.combined(.subtract, rhs) }

  /// The product of both.
  public static func * (lhs: Query, rhs: Query) -> Query { lhs.combined(.multiply, rhs) }

  /// The quotient of both.
  public static func / (lhs: Query, rhs: Query) -> Query { lhs.combined(.divide, rhs) }

  /// The number with the other sign.
  public static prefix func - (number: Query) -> Query {
    number.made(.constant(.int(0)), .subtract, number.part.value)
  }

  private func combined(_ operation: QueryArithmetic, _ number: Value) -> Query {
    made(part.value, operation, part.constant(number))
  }

  private func combined(_ number: Value, _ operation: QueryArithmetic) -> Query {
    made(part.constant(number), operation, part.value)
  }

  private func combined(_ operation: QueryArithmetic, _ other: Query) -> Query {
    Query(made(part.value, operation, other.part.value).part.with(other.part))
  }

  /// A number that is worked out. Numbers are never conditions, which have no value.
  private func made(
    _ left: QueryExpression?, _ operation: QueryArithmetic, _ right: QueryExpression?
  ) -> Query {
    guard let left, let right else { return self }
    return Query(part.made(.value(.arithmetic(left, operation, right))))
  }
}
