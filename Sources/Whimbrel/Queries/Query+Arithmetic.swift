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
    guard let value = number.part.value else { return number }
    return Query(
      number.part.made(.value(.arithmetic(.constant(.int(0)), .subtract, value))))
  }

  private func combined(_ operation: QueryArithmetic, _ number: Value) -> Query {
    guard let value = part.value else { return self }
    return Query(part.made(.value(.arithmetic(value, operation, part.constant(number)))))
  }

  private func combined(_ operation: QueryArithmetic, _ other: Query) -> Query {
    guard let otherValue = other.part.value else { return self }
    guard let value = part.value else { return self }
    return Query(
      part.made(.value(.arithmetic(value, operation, otherValue)), with: other.part))
  }
}
