/// Floating-point numbers as JSON without loss.
///
/// A number is written as the shortest text that reads back as the same bits.
/// Values without a JSON number are strings: `"inf"`, `"-inf"`, `"nan"`, any
/// other NaN with its bits (`"nan:7ff8000000000001"`), and `"-0"`, which many
/// JSON readers take for 0.
package enum NumberText {
  /// Returns the string for a value without a JSON number, or nil for other
  /// values.
  package static func special<Value: CodableFloatingPoint>(_ value: Value) -> String? {
    if value.isNaN {
      return value.bits == Value.nan.bits ? "nan" : "nan:" + String(value.bits, radix: 16)
    }
    if value.isInfinite { return value.sign == .minus ? "-inf" : "inf" }
    // Some encoders write −0 as "-0" and some as "0", so it is written as text.
    return value.isZero && value.sign == .minus ? "-0" : nil
  }

  /// Returns the number of a text that ``special(_:)`` gives, or nil.
  package static func value<Value: CodableFloatingPoint>(
    special text: String, as _: Value.Type = Value.self
  ) -> Value? {
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

/// A floating-point number that is coded without loss: as a JSON number where
/// JSON has one, otherwise as text.
struct CodedNumber<Value: CodableFloatingPoint>: Codable {
  let value: Value

  init(value: Value) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let value: Value = NumberText.value(special: text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "'\(text)' is not a number.")
      }
      self.value = value
    } else {
      let number = try container.decode(Double.self)
      value = Value(number)
      guard value.isFinite, value.isZero == number.isZero else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "The number is too \(value.isFinite ? "small" : "large").")
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = NumberText.special(value) {
      try container.encode(text)
    } else {
      try container.encode(value.codedDouble)
    }
  }
}

/// The operations on a floating-point type that coding needs.
package protocol CodableFloatingPoint: BinaryFloatingPoint, LosslessStringConvertible, Sendable {
  /// The bit pattern, in the low bits of the result.
  var bits: UInt64 { get }
  /// Makes a number from its bit pattern, or returns nil if the pattern has too
  /// many bits.
  init?(bits: UInt64)
  /// The double to write for a finite number: it rounds back to the same number
  /// and has few digits.
  var codedDouble: Double { get }
}

extension Double: CodableFloatingPoint {
  package var bits: UInt64 { bitPattern }
  package init?(bits: UInt64) { self.init(bitPattern: bits) }
  package var codedDouble: Double { self }
}

extension Float: CodableFloatingPoint {
  package var bits: UInt64 { UInt64(bitPattern) }

  package init?(bits: UInt64) {
    guard let pattern = UInt32(exactly: bits) else { return nil }
    self.init(bitPattern: pattern)
  }

  /// The double with the same short decimal form (0.1, not 0.10000000149011612)
  /// if it rounds back to this number, otherwise the double of the same value.
  package var codedDouble: Double {
    guard let short = Double(description), Float(short) == self else { return Double(self) }
    return short
  }
}
