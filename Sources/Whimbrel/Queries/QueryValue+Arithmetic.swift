internal import WhimbrelEngine

/// Whole numbers stay whole; where they do not fit into 64 bits, and where a whole number
/// is divided by zero, the result is nil. So it is where one side is nil.
extension QueryValue where Value: ModelValue & QueryMember, Value._$Kind == QueryKind.Number {
  /// The sum with a number.
  public static func + (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.add, rhs) }

  /// The difference to a number.
  public static func - (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.subtract, rhs) }

  /// The product with a number.
  public static func * (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.multiply, rhs) }

  /// The quotient of a number.
  public static func / (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.divide, rhs) }

  /// The sum of a number and this one.
  public static func + (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .add) }

  /// The difference of a number to this one.
  public static func - (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .subtract) }

  /// The product of a number and this one.
  public static func * (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .multiply) }

  /// The quotient of a number by this one.
  public static func / (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .divide) }

  /// The sum of both.
  public static func + (lhs: QueryValue, rhs: QueryValue) -> QueryValue { lhs.combined(.add, rhs) }

  /// The difference of both.
  public static func - (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    lhs.combined(.subtract, rhs)
  }

  /// The product of both.
  public static func * (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    lhs.combined(.multiply, rhs)
  }

  /// The quotient of both.
  public static func / (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    lhs.combined(.divide, rhs)
  }

  /// The number with the other sign.
  public static prefix func - (number: QueryValue) -> QueryValue {
    number.made(.constant(.int(0)), .subtract, number.part.value)
  }

  private func combined(_ operation: QueryArithmetic, _ number: Value) -> QueryValue {
    made(part.value, operation, part.constant(number))
  }

  private func combined(_ number: Value, _ operation: QueryArithmetic) -> QueryValue {
    made(part.constant(number), operation, part.value)
  }

  private func combined(_ operation: QueryArithmetic, _ other: QueryValue) -> QueryValue {
    QueryValue(made(part.value, operation, other.part.value).part.with(other.part))
  }

  /// A number that is worked out. Numbers are never conditions, which have no value.
  private func made(
    _ left: QueryExpression?, _ operation: QueryArithmetic, _ right: QueryExpression?
  ) -> QueryValue {
    guard let left, let right else { return self }
    return QueryValue(part.made(.value(.arithmetic(left, operation, right))))
  }
}
