public import Foundation
internal import WhimbrelEngine

/// A `URL` is stored as its absolute text: one that is relative to another becomes
/// absolute.
///
/// ```swift
/// var homepage: URL?
/// ```
extension URL: CustomPersistable {
  /// Reads the text, or returns nil when it is no URL.
  public init?(persistedValue: String) { self.init(string: persistedValue) }

  /// The absolute text.
  public var persistableValue: String { absoluteString }

  /// `about:blank`.
  public static var placeholder: URL {
    URL(string: "about:blank") ?? URL(filePath: "/")
  }
}

/// A `Duration` is stored as the decimal number of its seconds, exact to the attosecond.
///
/// ```swift
/// var walkingTime: Duration
/// ```
extension Duration: CustomPersistable {
  private static var attosecondExponent: Int { -18 }

  /// Reads the seconds, or returns nil when they are not a whole number of attoseconds, or
  /// more than a `Duration` holds.
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

  /// The seconds.
  public var persistableValue: Decimal {
    // A Decimal has room for 128 bits of digits, and these are 127.
    let digits = "\(attoseconds)e\(Self.attosecondExponent)"
    return Decimal(exactText: digits) ?? .nan
  }

  /// No time.
  public static var placeholder: Duration { .zero }
}

/// A `CGFloat` is stored as a number of 64 bits.
extension CGFloat: CustomPersistable {
  /// Reads the number.
  public init?(persistedValue: Double) { self.init(persistedValue) }

  /// The number.
  public var persistableValue: Double { Double(self) }

  /// Zero.
  public static var placeholder: CGFloat { 0 }
}
