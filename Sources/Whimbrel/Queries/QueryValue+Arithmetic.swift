internal import WhimbrelEngine

/// Integer arithmetic gives integers, and `Float` arithmetic gives `Float`s. The result is nil if an
/// integer does not fit 64 bits, if an integer is divided by zero, or if an operand is nil.
extension QueryValue where Value: ModelValue & QueryMember, Value._$Kind == QueryKind.Number {
  /// Returns the sum of the value and a number.
  public static func + (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.add, rhs) }

  /// Returns the value minus a number.
  public static func - (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.subtract, rhs) }

  /// Returns the product of the value and a number.
  public static func * (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.multiply, rhs) }

  /// Returns the value divided by a number.
  public static func / (lhs: QueryValue, rhs: Value) -> QueryValue { lhs.combined(.divide, rhs) }

  /// Returns the sum of a number and the value.
  public static func + (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .add) }

  /// Returns a number minus the value.
  public static func - (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .subtract) }

  /// Returns the product of a number and the value.
  public static func * (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .multiply) }

  /// Returns a number divided by the value.
  public static func / (lhs: Value, rhs: QueryValue) -> QueryValue { rhs.combined(lhs, .divide) }

  /// Returns the sum of both values.
  public static func + (lhs: QueryValue, rhs: QueryValue) -> QueryValue { lhs.combined(.add, rhs) }

  /// Returns the first value minus the second.
  public static func - (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    lhs.combined(.subtract, rhs)
  }

  /// Returns the product of both values.
  public static func * (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    lhs.combined(.multiply, rhs)
  }

  /// Returns the first value divided by the second.
  public static func / (lhs: QueryValue, rhs: QueryValue) -> QueryValue {
    lhs.combined(.divide, rhs)
  }

  /// Returns the number with the opposite sign.
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
    QueryValue(part.combined(operation, other.part))
  }

  /// Returns the result of an operation. A number is never a condition, so both sides have values.
  private func made(
    _ left: QueryExpression?, _ operation: QueryArithmetic, _ right: QueryExpression?
  ) -> QueryValue {
    guard let left, let right else { return self }
    return QueryValue(
      part.made(.value(.arithmetic(left, operation, right)), height: part.height + 1))
  }
}

// MARK: - Optional numbers

extension QueryValue where Value: ModelValue & QueryMember, Value._$Kind == QueryKind.Number {
  /// Returns the sum of both values.
  public static func + (lhs: QueryValue, rhs: QueryValue<Value?>) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.add, rhs.part))
  }

  /// Returns the first value minus the second.
  public static func - (lhs: QueryValue, rhs: QueryValue<Value?>) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.subtract, rhs.part))
  }

  /// Returns the product of both values.
  public static func * (lhs: QueryValue, rhs: QueryValue<Value?>) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.multiply, rhs.part))
  }

  /// Returns the first value divided by the second.
  public static func / (lhs: QueryValue, rhs: QueryValue<Value?>) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.divide, rhs.part))
  }

  /// Returns the sum of both values.
  public static func + (lhs: QueryValue<Value?>, rhs: QueryValue) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.add, rhs.part))
  }

  /// Returns the first value minus the second.
  public static func - (lhs: QueryValue<Value?>, rhs: QueryValue) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.subtract, rhs.part))
  }

  /// Returns the product of both values.
  public static func * (lhs: QueryValue<Value?>, rhs: QueryValue) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.multiply, rhs.part))
  }

  /// Returns the first value divided by the second.
  public static func / (lhs: QueryValue<Value?>, rhs: QueryValue) -> QueryValue<Value?> {
    QueryValue<Value?>(lhs.part.combined(.divide, rhs.part))
  }
}

extension QueryPart {
  /// Returns the result of an operation on two numbers. A number is never a condition, so both sides
  /// have values.
  fileprivate func combined(_ operation: QueryArithmetic, _ other: QueryPart) -> QueryPart {
    guard let value, let otherValue = other.value else { return self }
    return made(.value(.arithmetic(value, operation, otherValue)), with: other)
  }
}
