internal import Foundation

/// The order of two values.
package enum ValueOrder {
  case before, same, behind

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left < right ? .before : right < left ? .behind : .same
  }

  var reversed: ValueOrder {
    switch self {
    case .before: .behind
    case .same: .same
    case .behind: .before
    }
  }
}

extension PropertyValue {
  /// Returns the order of two values, or nil if they do not have one. Nil, NaN and values of
  /// different kinds do not have an order.
  package func order(to other: PropertyValue) -> ValueOrder? {
    orderOfScalars(to: other) ?? (isNumber && other.isNumber ? numericOrder(to: other) : nil)
  }

  /// Returns whether two values are equal in a condition. Nil equals nil, and NaN does not equal
  /// any value.
  func isEqual(to other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.link(let left), .link(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.list(let left), .list(let right)):
      left.elementsEqual(right) { $0.isEqual(to: $1) }
    case (.map(let left), .map(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in right[name]?.isEqual(to: value) ?? false }
    default: order(to: other) == .same
    }
  }

  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }

  /// The value of a float or a double, as a double.
  var floatingPoint: Double? {
    switch self {
    case .float(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The value of an integer or a decimal, as a decimal.
  var exactDecimal: Decimal? {
    switch self {
    case .int(let number): Decimal(number)
    case .decimal(let number): number
    default: nil
    }
  }

  /// The decimal that has the same order to all decimals as this number. Nil if this is not a
  /// number, or if decimals cannot express it.
  var orderedDecimal: Decimal? {
    exactDecimal ?? floatingPoint.flatMap { $0.isFinite ? $0.shortestDecimal : nil }
  }

  /// - Precondition: Both are numbers.
  private func numericOrder(to other: PropertyValue) -> ValueOrder? {
    switch (floatingPoint, other.floatingPoint) {
    case (let left?, let right?): return left.order(to: right)
    case (let left?, nil): return other.exactOrder(to: left)?.reversed
    case (nil, let right?): return exactOrder(to: right)
    case (nil, nil):
      guard let left = exactDecimal, let right = other.exactDecimal else { return nil }
      return left.order(to: right)
    }
  }

  /// Returns the order of an integer or a decimal and a double. An integer is compared without
  /// rounding, and a decimal with the shortest text of the double, so that 0.1 equals 0.1.
  private func exactOrder(to other: Double) -> ValueOrder? {
    if other.isNaN { return nil }
    if case .int(let number) = self { return number.order(to: other) }
    guard let number = exactDecimal, !number.isNaN else { return nil }
    guard other.isFinite else { return other < 0 ? .behind : .before }
    guard let decimal = other.shortestDecimal else {
      // The double is too large for a decimal, or too close to 0. In that case rounding to a double
      // cannot change the order.
      let magnitude = NSDecimalNumber(decimal: number).doubleValue
      return magnitude.order(to: other)
    }
    return ValueOrder(number, decimal)
  }
}

extension Double {
  /// The decimal with the digits of the shortest text of this number. Nil if the number is too
  /// large for a decimal, or too close to 0.
  fileprivate var shortestDecimal: Decimal? {
    DecimalParts(text: "\(self)").flatMap { Decimal($0) }
  }
}

extension Int64 {
  /// Returns the order of this number and a double, without rounding, or nil for NaN.
  func order(to other: Double) -> ValueOrder? {
    if other.isNaN { return nil }
    if other >= 0x1p63 { return .before }
    if other < -0x1p63 { return .behind }
    let whole = other.rounded(.towardZero)
    let order = ValueOrder(self, Int64(whole))
    return order == .same ? ValueOrder(whole, other) : order
  }
}

extension ValueOrder {
  /// Compares UTF-8 bytes.
  init(utf8 left: some Collection<UInt8>, _ right: some Collection<UInt8>) {
    self =
      left.lexicographicallyPrecedes(right)
      ? .before : right.lexicographicallyPrecedes(left) ? .behind : .same
  }

  /// Returns this order, or the order of the next parts if these are equal.
  func then(_ next: ValueOrder) -> ValueOrder { self == .same ? next : self }
}
