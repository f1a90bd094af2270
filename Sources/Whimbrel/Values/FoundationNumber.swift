internal import Foundation
internal import WhimbrelEngine

/// A number or truth value in an object of Foundation's, such as those that its JSON reader
/// makes. Numbers of Swift are none, though they can be cast to one.
struct FoundationNumber {
  private let number: NSNumber

  /// Takes a value that is such an object.
  init?(_ value: Any) {
    guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return nil }
    self.number = number
  }

  /// What the object holds, in the form that suits a property of a type; nil for a whole
  /// number that is too large for any.
  func value(for type: PropertyType) -> PropertyValue? {
    if isTruthValue { return .bool(number.boolValue) }
    if let decimal = (number as? NSDecimalNumber)?.decimalValue {
      return Self.value(of: decimal, for: type)
    }
    // Safe: the text is a constant of Foundation's, or lives as long as the number.
    switch unsafe String(cString: number.objCType) {
    case "f", "d": return Self.value(of: number.doubleValue, for: type)
    case "Q", "L":
      if let whole = Int64(exactly: number.uint64Value) { return .int(whole) }
      return Self.value(of: Decimal(number.uint64Value), for: type)
    default: return .int(number.int64Value)
    }
  }

  private static func value(of decimal: Decimal, for type: PropertyType) -> PropertyValue? {
    switch type {
    case .double: return .double((decimal as NSDecimalNumber).doubleValue)
    case .float: return .float((decimal as NSDecimalNumber).floatValue)
    case _ where type.isInteger:
      let whole = Int64(truncating: decimal as NSDecimalNumber)
      return Decimal(whole) == decimal ? .int(whole) : nil
    default: return .decimal(decimal)
    }
  }

  private static func value(of number: Double, for type: PropertyType) -> PropertyValue {
    if type.isInteger, let whole = Int64(exactly: number) { return .int(whole) }
    if type == .float, number.isFinite, Float(number).isFinite { return .float(Float(number)) }
    return .double(number)
  }

  /// Whether the object stands for `true` or `false`.
  private var isTruthValue: Bool {
    #if canImport(Darwin)
      CFGetTypeID(number) == CFBooleanGetTypeID()
    #else
      // A number of 8 bits says the same of itself, and has other values as well.
      // Safe: the text is a constant of Foundation's.
      ["c", "B"].contains(unsafe String(cString: number.objCType))
        && (0...1).contains(number.int64Value)
    #endif
  }
}

extension Decimal {
  /// The decimal number with the fewest digits that stands for a binary one, or nil when
  /// there is none: 0.1, and not 0.1000000000000000055.
  init?(shortest number: some BinaryFloatingPoint & LosslessStringConvertible) {
    guard number.isFinite, let decimal = Decimal(string: "\(number)"),
      (decimal as NSDecimalNumber).doubleValue.magnitude.isFinite, !decimal.isNaN
    else { return nil }
    // What is out of the range of a decimal number reads as another.
    let back = (decimal as NSDecimalNumber).doubleValue
    guard abs(back - Double(number)) <= abs(Double(number)) * 1e-6 else { return nil }
    self = decimal
  }
}
