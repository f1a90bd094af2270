/// A number with at most 15 digits, as an integer and a number of decimals. Nearly all numbers that
/// people and their programs write have this form.
///
/// These digits are the shortest that read back as the same bits, which is how floating-point
/// numbers are written: no two numbers with 15 digits are the same `Double`, and a number with more
/// digits is not shorter. Finding the digits arithmetically is several times faster than through
/// text.
struct ShortDecimal {
  /// All digits as an integer.
  let digits: UInt64
  /// The number of decimals. The last decimal is not zero.
  let places: Int

  /// The limit of decimals to try.
  private static let maximumPlaces = 7
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  /// The digits before the decimal point.
  var whole: UInt64 { digits / scale }
  /// The decimals as an integer.
  var decimals: UInt64 { digits % scale }
  /// Ten to the power of ``places``.
  var scale: UInt64 { UInt64(Self.powers[places]) }

  /// Finds the digits of a number that is not negative. Returns nil if it has more digits or is
  /// written with an exponent.
  init?(_ number: Double) {
    self.init(number, limit: 1e15) { digits, power in digits / power }
  }

  /// Finds the digits of a number that is not negative: at most six, because any two decimals with
  /// six digits are different as `Float`.
  init?(_ number: Float) {
    // Both operands are exact as `Float`, so the quotient is rounded once.
    self.init(Double(number), limit: 1e6) { digits, power in
      Double(Float(digits) / Float(power))
    }
  }

  private init?(_ number: Double, limit: Double, _ quotient: (Double, Double) -> Double) {
    guard number == 0 || number >= 1e-4, number < limit else { return nil }
    for places in 0...Self.maximumPlaces {
      let power = Self.powers[places]
      let scaled = number * power
      guard scaled < limit else { return nil }
      let digits = UInt64(scaled + 0.5)
      // Integers below 2⁵³ and powers of ten up to 10²² are exact, so the quotient is the `Double`
      // nearest to the decimal number.
      if quotient(Double(digits), power) == number {
        self.digits = digits
        self.places = places
        return
      }
    }
    return nil
  }
}
