/// A number of at most 15 digits, as the digits and how many of them are decimals: nearly all
/// numbers that people and their programs write.
///
/// Such a number is the shortest that leads back to its bits, which is how floating-point
/// numbers are written: no two numbers of 15 digits are the same `Double`, and a longer one
/// is not shorter. The digits are found without any text, which is several times faster.
struct ShortDecimal {
  /// All digits as a whole number.
  let digits: UInt64
  /// How many of them are decimals; the last of these is no zero.
  let places: Int

  /// The most decimals that are tried.
  private static let maximumPlaces = 7
  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  /// The digits in front of the decimals.
  var whole: UInt64 { digits / scale }
  /// The decimals as a whole number.
  var decimals: UInt64 { digits % scale }
  /// Ten to the power of the places.
  var scale: UInt64 { UInt64(Self.powers[places]) }

  /// Finds the digits of a number that is not negative, or returns nil when it has more, or is
  /// one that is written with an exponent.
  init?(_ number: Double) {
    self.init(number, limit: 1e15) { digits, power in digits / power }
  }

  /// Finds the digits of a number that is not negative: at most six, as those of any two
  /// `Float`s differ.
  init?(_ number: Float) {
    // Both have a `Float` without loss, so the quotient is rounded once.
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
      // Whole numbers below 2⁵³ and powers of ten up to 10²² have no error, so the quotient is
      // the `Double` next to the decimal number.
      if quotient(Double(digits), power) == number {
        self.digits = digits
        self.places = places
        return
      }
    }
    return nil
  }
}
