/// A floating-point number that is coded without loss: as a JSON number where
/// JSON has one, otherwise as text.
struct CodedNumber<Value: CodableFloatingPoint>: Codable {
  let value: Value

  init(value: Value) { self.value = value }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      guard let value = Self.value(of: text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "'\(text)' is not a number.")
      }
      self.value = value
    } else {
      value = Value(try container.decode(Double.self))
      guard value.isFinite else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "The number is too large.")
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let text = Self.text(of: value) {
      try container.encode(text)
    } else {
      try container.encode(value.codedDouble)
    }
  }

  /// Returns the text of a number that JSON cannot write, or nil for all other
  /// numbers.
  private static func text(of value: Value) -> String? {
    if value.isNaN {
      return value.bits == Value.nan.bits ? "nan" : "nan:" + String(value.bits, radix: 16)
    }
    if value.isInfinite { return value.sign == .minus ? "-inf" : "inf" }
    // Some encoders write −0 as "-0" and some as "0", so it is written as text.
    return value.isZero && value.sign == .minus ? "-0" : nil
  }

  private static func value(of text: String) -> Value? {
    switch text {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "-0": return -.zero
    default:
      guard text.hasPrefix("nan:"), let bits = UInt64(text.dropFirst(4), radix: 16) else {
        return nil
      }
      guard let value = Value(bits: bits), value.isNaN else { return nil }
      return value
    }
  }
}

/// The operations on a floating-point type that coding needs.
protocol CodableFloatingPoint: BinaryFloatingPoint, Sendable {
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
  var bits: UInt64 { bitPattern }
  init?(bits: UInt64) { self.init(bitPattern: bits) }
  var codedDouble: Double { self }
}

extension Float: CodableFloatingPoint {
  var bits: UInt64 { UInt64(bitPattern) }

  init?(bits: UInt64) {
    guard let pattern = UInt32(exactly: bits) else { return nil }
    self.init(bitPattern: pattern)
  }

  /// The double with the same short decimal form (0.1, not 0.10000000149011612)
  /// if it rounds back to this number, otherwise the double of the same value.
  var codedDouble: Double {
    guard let short = Double(description), Float(short) == self else { return Double(self) }
    return short
  }
}
