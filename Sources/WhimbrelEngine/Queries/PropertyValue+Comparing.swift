internal import Foundation

/// How one value stands to another.
enum ValueOrder {
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

/// How conditions compare values, whatever their types.
extension PropertyValue {
  /// How this stands to another, or nil where neither comes first: NaN, nil, and values of
  /// different kinds.
  func order(to other: PropertyValue) -> ValueOrder? {
    orderOfScalars(to: other) ?? (isNumber && other.isNumber ? numericOrder(to: other) : nil)
  }

  /// Whether both are the same for a condition: nil is nil, NaN is nothing.
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

  /// The number with 64 bits, if it is one of 32 or 64.
  var floatingPoint: Double? {
    switch self {
    case .float(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// A whole number or a decimal as a decimal.
  var exactDecimal: Decimal? {
    switch self {
    case .int(let number): Decimal(number)
    case .decimal(let number): number
    default: nil
    }
  }

  /// - Precondition: both are numbers.
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

  /// How a whole number or a decimal stands to a number of 64 bits, without rounding.
  private func exactOrder(to other: Double) -> ValueOrder? {
    if other.isNaN { return nil }
    if case .int(let number) = self { return number.order(to: other) }
    guard let number = exactDecimal, !number.isNaN else { return nil }
    guard other.isFinite else { return other < 0 ? .behind : .before }
    guard let parts = DecimalParts(text: "\(other)"), let decimal = Decimal(parts) else {
      // No decimal is as large, or but for 0 as small.
      let magnitude = NSDecimalNumber(decimal: number).doubleValue
      return magnitude.order(to: other)
    }
    return ValueOrder(number, decimal)
  }
}

extension Int64 {
  /// How the number stands to one that may have a fraction; nil for NaN.
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
  /// The order of bytes.
  init(utf8 left: some Collection<UInt8>, _ right: some Collection<UInt8>) {
    self =
      left.lexicographicallyPrecedes(right)
      ? .before : right.lexicographicallyPrecedes(left) ? .behind : .same
  }

  /// The order of two parts: the second counts where the first are the same.
  func then(_ next: ValueOrder) -> ValueOrder { self == .same ? next : self }
}
