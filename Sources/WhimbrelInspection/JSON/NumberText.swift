/// Floating-point numbers as JSON without loss: the shortest number that leads
/// back to the same bits, and text where JSON has no number: `"inf"`, `"-inf"`,
/// `"nan"`, with its bits any other NaN (`"nan:7ff8000000000001"`), and `"-0"`,
/// which many readers of JSON take for 0.
package enum NumberText {
  /// The text of a number that JSON has no number for; nil for all others.
  static func special<Value: DumpedNumber>(_ value: Value) -> String? {
    if value.isNaN {
      return value.bits == Value.nan.bits ? "nan" : "nan:" + String(value.bits, radix: 16)
    }
    if value.isInfinite { return value.sign == .minus ? "-inf" : "inf" }
    return value.isZero && value.sign == .minus ? "-0" : nil
  }

  /// The number of a text that ``special(_:)`` gives, or nil.
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

/// What dumping needs to know of a floating-point type.
package protocol DumpedNumber: BinaryFloatingPoint, LosslessStringConvertible {
  /// The bits, in the low bits of the result.
  var bits: UInt64 { get }
  /// Makes the number of its bits, or nil when there are too many.
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
