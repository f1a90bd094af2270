public import Foundation
internal import WhimbrelEngine

/// A `URL` is stored as its absolute text. A relative URL becomes absolute.
///
/// ```swift
/// var homepage: URL?
/// ```
extension URL: CustomPersistable {
  /// Makes a URL from its text. Returns nil if the text is not a URL.
  public init?(persistedValue: String) { self.init(string: persistedValue) }

  /// The absolute text.
  public var persistableValue: String { absoluteString }

  /// `about:blank`.
  public static var placeholder: URL {
    URL(string: "about:blank") ?? URL(filePath: "/")
  }
}

/// A `Duration` is stored as a decimal number of seconds, exact to the attosecond.
///
/// ```swift
/// var walkingTime: Duration
/// ```
extension Duration: CustomPersistable {
  private static var attosecondExponent: Int { -18 }

  /// Makes a duration from a number of seconds. Returns nil if it is not a whole number of
  /// attoseconds, or too large for a `Duration`.
  public init?(persistedValue: Decimal) {
    let parts = persistedValue.parts
    let power = parts.exponent - Self.attosecondExponent
    guard !parts.isNaN, parts.digits == 0 || (0...38).contains(power) else { return nil }
    var count = parts.digits
    for _ in 0..<(count == 0 ? 0 : power) {
      let (product, overflow) = count.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      count = product
    }
    let least = Int128.min.magnitude
    if parts.isNegative {
      guard count <= least else { return nil }
      self.init(attoseconds: count == least ? .min : -Int128(count))
    } else {
      guard count < least else { return nil }
      self.init(attoseconds: Int128(count))
    }
  }

  /// The duration in seconds.
  public var persistableValue: Decimal {
    // The attoseconds fit: they have at most 127 bits, and a Decimal has 128 bits of digits.
    let digits = "\(attoseconds)e\(Self.attosecondExponent)"
    return Decimal(exactText: digits) ?? .nan
  }

  /// A duration of zero.
  public static var placeholder: Duration { .zero }
}

/// A `CGFloat` is stored as a 64-bit number.
extension CGFloat: CustomPersistable {
  /// Makes a number from the stored number.
  public init?(persistedValue: Double) { self.init(persistedValue) }

  /// The stored number.
  public var persistableValue: Double { Double(self) }

  /// Zero.
  public static var placeholder: CGFloat { 0 }
}
