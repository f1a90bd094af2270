/// Floating-point numbers as JSON without loss.
///
/// A number is written as the shortest text that reads back as the same bits.
/// Values without a JSON number are strings: `"inf"`, `"-inf"`, `"nan"`, any
/// other NaN with its bits (`"nan:7ff8000000000001"`), and `"-0"`, which many
/// JSON readers take for 0.
package enum NumberText {
  /// Returns the string for a value without a JSON number, or nil for other
  /// values.
  static func special<Value: DumpedNumber>(_ value: Value) -> String? {
    if value.isNaN {
      return value.bits == Value.nan.bits ? "nan" : "nan:" + String(value.bits, radix: 16)
    }
    if value.isInfinite { return value.sign == .minus ? "-inf" : "inf" }
    return value.isZero && value.sign == .minus ? "-0" : nil
  }

  /// Returns the value of a string from ``special(_:)``, or nil.
  package static func value<Value: DumpedNumber>(special text: String, as _: Value.Type) -> Value? {
    switch text {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "-0": return -.zero
    default:
      guard text.hasPrefix("nan:"), let bits = UInt64(text.dropFirst(4), radix: 16),
        let value = Value(bits: bits), value.isNaN
      else { return nil }
      return value
    }
  }
}

/// A floating-point type in dumps.
package protocol DumpedNumber: BinaryFloatingPoint, LosslessStringConvertible {
  /// The bits, in the low bits of the result.
  var bits: UInt64 { get }
  /// Creates a number from its bits. Returns nil if there are too many bits.
  init?(bits: UInt64)
}

extension Double: DumpedNumber {
  package var bits: UInt64 { bitPattern }
  package init?(bits: UInt64) { self.init(bitPattern: bits) }
}

extension Float: DumpedNumber {
  package var bits: UInt64 { UInt64(bitPattern) }

  package init?(bits: UInt64) {
    guard let pattern = UInt32(exactly: bits) else { return nil }
    self.init(bitPattern: pattern)
  }
}
