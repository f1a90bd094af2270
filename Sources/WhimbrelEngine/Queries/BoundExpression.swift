internal import Foundation
internal import WhimbrelLMDB

/// A value in a condition, bound to the properties of a class.
indirect enum BoundExpression {
  case constant(PropertyValue)
  /// The number of a parameter. A value replaces it before the condition is evaluated.
  case parameter(Int)
  case path(BoundPath)
  /// The objects that a path leads to, as references with a class ID, for comparisons with values
  /// of any type.
  case references(BoundPath, ClassID)
  case count(BoundPath)
  case aggregate(QueryAggregate, BoundPath)
  case matches(BoundPath, BoundCondition)
  case arithmetic(BoundExpression, QueryArithmetic, BoundExpression)

  /// The rule for how many values must satisfy a comparison, or nil if the expression has exactly
  /// one value, which must satisfy it.
  var quantifier: QueryPath.Quantifier? {
    switch self {
    case .constant, .parameter, .count, .aggregate, .matches: nil
    case .path(let path), .references(let path, _):
      path.isSingle && path.quantifier != .none ? nil : path.quantifier
    case .arithmetic(let left, _, let right): left.quantifier ?? right.quantifier
    }
  }

  /// Whether other objects are read to find the values.
  var readsOtherObjects: Bool {
    switch self {
    case .constant, .parameter: false
    case .path(let path), .references(let path, _), .count(let path), .aggregate(_, let path):
      path.readsOtherObjects
    case .matches: true
    case .arithmetic(let left, _, let right): left.readsOtherObjects || right.readsOtherObjects
    }
  }

  /// The position of a property, if the expression is a single property of the object itself.
  var position: Int? {
    guard case .path(let path) = self else { return nil }
    return path.position
  }
}

extension BoundExpression {
  /// Calls `body` with each value until it returns false. Returns false if `body` did, otherwise
  /// true.
  func forEachValue(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource,
    _ body: (PropertyValue) throws -> Bool
  ) throws -> Bool {
    switch self {
    case .path(let path):
      return try path.forEachValue(id, record, source, body)
    case .references(let path, let classID):
      return try path.forEachValue(id, record, source) { value in
        guard case .link(let id) = value else { return try body(value) }
        return try body(.object(ObjectReference(classID: classID, id: id)))
      }
    case .arithmetic(let left, let operation, let right) where quantifier != nil:
      return try left.forEachValue(id, record, source) { leftValue in
        try right.forEachValue(id, record, source) { rightValue in
          try body(operation.apply(leftValue, rightValue))
        }
      }
    default:
      return try body(value(id, record, source))
    }
  }

  /// Returns the value of an expression that has exactly one.
  func value(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    // Expressions nest. The cases that do not are in a function of their own, so that a level of
    // nesting takes little of the stack.
    switch self {
    case .matches(let path, let condition):
      try path.matches(condition, id, record, source)
    case .arithmetic(let left, let operation, let right):
      operation.apply(try left.value(id, record, source), try right.value(id, record, source))
    default: try ownValue(id, record, source)
    }
  }

  /// Returns the value of an expression that does not contain others.
  private func ownValue(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    switch self {
    case .constant(let value): value
    case .parameter, .matches, .arithmetic: .null
    case .path(let path): try path.value(id, record, source)
    case .references: try firstValue(id, record, source)
    case .count(let path): .int(Int64(try path.count(id, record, source)))
    case .aggregate(let aggregate, let path):
      try path.value(of: aggregate, id, record, source)
    }
  }

  private func firstValue(
    _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    var found = PropertyValue.null
    _ = try forEachValue(id, record, source) { value in
      found = value
      return false
    }
    return found
  }
}

extension BoundPath {
  fileprivate func value(
    of aggregate: QueryAggregate, _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    var accumulator = QueryAccumulator(aggregate)
    _ = try forEachValue(id, record, source) { value in
      accumulator.add(value)
      return true
    }
    return try accumulator.result(of: self)
  }

  /// Returns the number of objects at the end of the path that satisfy a condition.
  fileprivate func matches(
    _ condition: BoundCondition, _ id: ObjectID, _ record: PageBytes, _ source: QuerySource
  ) throws -> PropertyValue {
    var count: Int64 = 0
    _ = try forEachValue(id, record, source) { value in
      if case .link(let id) = value, let record = try source.record(condition.table, id),
        try condition.matches(record, id, source)
      {
        count += 1
      }
      return true
    }
    return .int(count)
  }
}

extension QueryArithmetic {
  /// Returns the result for two numbers. The result is nil if an operand is nil, if integers
  /// overflow, or if integers or decimals are divided by zero. Floats give a float, as in Swift.
  func apply(_ left: PropertyValue, _ right: PropertyValue) -> PropertyValue {
    switch (left, right) {
    case (.int(let left), .int(let right)): return apply(left, right)
    case (.float(let left), .float(let right)): return .float(apply(left, right))
    // The opposite of a number is written as 0 minus the number. It keeps its type, and the
    // opposite of 0 is −0.
    case (.int(0), .float(let number)) where self == .subtract: return .float(-number)
    case (.int(0), .double(let number)) where self == .subtract: return .double(-number)
    default: break
    }
    guard left.isNumber, right.isNumber else { return .null }
    if let left = left.exactDecimal, let right = right.exactDecimal { return apply(left, right) }
    return .double(apply(left.approximate, right.approximate))
  }

  private func apply(_ left: Int64, _ right: Int64) -> PropertyValue {
    let (result, overflows) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      }
    return overflows ? .null : .int(result)
  }

  private func apply(_ left: Decimal, _ right: Decimal) -> PropertyValue {
    if self == .divide, right.isZero { return .null }
    let result =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      }
    return result.isNaN ? .null : .decimal(result)
  }

  private func apply<Number: FloatingPoint>(_ left: Number, _ right: Number) -> Number {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }
}

extension PropertyValue {
  /// The number as a double, rounded.
  fileprivate var approximate: Double {
    switch self {
    case .int(let number): Double(number)
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: floatingPoint ?? .nan
    }
  }
}
