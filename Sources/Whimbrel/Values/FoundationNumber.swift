internal import Foundation
internal import WhimbrelEngine

/// A number or Boolean in an `NSNumber`, for example from `JSONSerialization`. Swift's numbers do
/// not count, although they can be cast to `NSNumber`.
struct FoundationNumber {
  private let number: NSNumber

  /// Makes a number from a value whose dynamic type is `NSNumber`. Returns nil for other values.
  init?(_ value: Any) {
    guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return nil }
    self.number = number
  }

  /// Returns the content in the form that fits a property of a type. Returns nil for an integer
  /// property if a whole number does not fit `Int64`.
  func value(for type: PropertyType) -> PropertyValue? {
    if isTruthValue { return .bool(number.boolValue) }
    if let decimal = (number as? NSDecimalNumber)?.decimalValue {
      return Self.value(of: decimal, for: type)
    }
    // Safe: the C string is a constant of Foundation, or lives as long as the number.
    switch unsafe String(cString: number.objCType) {
    case "f", "d": return Self.value(of: number.doubleValue, for: type)
    case "Q", "L":
      if let whole = Int64(exactly: number.uint64Value) { return .int(whole) }
      return Self.value(of: Decimal(number.uint64Value), for: type)
    default: return .int(number.int64Value)
    }
  }

  private static func value(of decimal: Decimal, for type: PropertyType) -> PropertyValue? {
    // The text is parsed, because `doubleValue` rounds after each digit: it turns
    // 0.30000000000000004 into 0.3000000000000001.
    switch type {
    case .double: return Double(decimal.description).map { .double($0) }
    case .float:
      if let number = Float(decimal.description), number.isFinite { return .float(number) }
      return Double(decimal.description).map { .double($0) }
    case _ where type.isInteger:
      let whole = Int64(truncating: decimal as NSDecimalNumber)
      if Decimal(whole) == decimal { return .int(whole) }
      return decimal.exponent < 0 ? .decimal(decimal) : nil
    default: return .decimal(decimal)
    }
  }

  private static func value(of number: Double, for type: PropertyType) -> PropertyValue {
    if type.isInteger, let whole = Int64(exactly: number) { return .int(whole) }
    if type == .float, number.isFinite, Float(number).isFinite { return .float(Float(number)) }
    return .double(number)
  }

  /// Whether the object is a Boolean.
  private var isTruthValue: Bool {
    #if canImport(Darwin)
      CFGetTypeID(number) == CFBooleanGetTypeID()
    #else
      // An 8-bit number has the same type code as a Boolean, but may have values other than 0 and
      // 1.
      // Safe: the C string is a constant of Foundation.
      ["c", "B"].contains(unsafe String(cString: number.objCType))
        && (0...1).contains(number.int64Value)
    #endif
  }
}

extension Decimal {
  /// Makes the decimal number with the fewest digits that converts to a binary number: 0.1 and not
  /// 0.1000000000000000055. Returns nil if a decimal cannot hold the number.
  init?(shortest number: some BinaryFloatingPoint & LosslessStringConvertible) {
    guard number.isFinite, let decimal = Decimal(string: "\(number)"),
      (decimal as NSDecimalNumber).doubleValue.magnitude.isFinite, !decimal.isNaN
    else { return nil }
    // A number beyond the range of Decimal is parsed as another number, so it is compared.
    let back = (decimal as NSDecimalNumber).doubleValue
    guard abs(back - Double(number)) <= abs(Double(number)) * 1e-6 else { return nil }
    self = decimal
  }
}
