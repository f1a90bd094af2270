/// A floating-point number that is coded without loss: as a number where JSON
/// has one for it, and as text where it has not.
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

  /// The text of a number that JSON has no number for; nil for all others.
  private static func text(of value: Value) -> String? {
    if value.isNaN {
      return value.bits == Value.nan.bits ? "nan" : "nan:" + String(value.bits, radix: 16)
    }
    if value.isInfinite { return value.sign == .minus ? "-inf" : "inf" }
    // Encoders write −0 as "-0" or as "0", so they are not asked to.
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

/// What coding needs to know of a floating-point type.
protocol CodableFloatingPoint: BinaryFloatingPoint, Sendable {
  /// The bits, in the low bits of the result.
  var bits: UInt64 { get }
  /// Makes the number of its bits, or nil when there are too many.
  init?(bits: UInt64)
  /// A finite number as the double that reads best and gives this number back.
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
  /// if it rounds back to this number, and else the double of the same value.
  var codedDouble: Double {
    guard let short = Double(description), Float(short) == self else { return Double(self) }
    return short
  }
}
