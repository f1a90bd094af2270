import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Decimal numbers as digits and a power of ten, and as 24 bytes.
struct DecimalPartsTests {
  private func roundTrip(_ number: Decimal) -> Decimal {
    let words = number.words
    return Decimal(words: words[0], words[1], words[2])
  }

  private func expectSame(_ left: Decimal, _ right: Decimal, _ text: String) {
    #expect(left == right || left.isNaN && right.isNaN, "\(text)")
    #expect(left.words == right.words, "\(text)")
  }

  @Test(arguments: [
    "0", "1", "-1", "0.5", "-12.50", "1e127", "-1e127", "1e-127", "1e-128", "-1e-128",
    "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999",
    "99999999999999999999999999999999999999e89", "99999999999999999999999999999999999999e-90",
    "12345678901234567890123456789012345678e-127", "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211455e127", "1234567890.0987654321",
    "12345678901234567890123456789012345678e-128",
  ])
  func `extremes come back from their bytes and from their text`(text: String) throws {
    let number = try #require(Decimal(string: text))
    expectSame(roundTrip(number), number, text)
    let read = try #require(Decimal(exactText: number.exactText), "\(number.exactText)")
    expectSame(read, number, text)
  }

  @Test func `random numbers come back`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      let number = RandomValues.decimal(using: &generator)
      expectSame(roundTrip(number), number, "\(number)")
      if let read = Decimal(exactText: number.exactText) {
        expectSame(read, number, "\(number)")
      } else {
        Issue.record("\(number)")
      }
    }
  }

  // Numbers with more than 64 bits of digits are put together from two words.
  @Test func `numbers with digits of any length are read from their bytes exactly`() throws {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<2_000 {
      let high =
        UInt64.random(in: 0 ... .max, using: &generator)
        >> UInt64.random(in: 0...64, using: &generator)
      let digits = UInt128(high) << 64 | UInt128(UInt64.random(in: 1 ... .max, using: &generator))
      let text = "\(digits)e\(Int.random(in: -100...100, using: &generator))"
      let number = try #require(Decimal(string: text))
      #expect(roundTrip(number).description == number.description, "\(text)")
    }
  }

  @Test(arguments: [
    ("1.50", "1.5"), ("100", "1e2"), ("-0", "0"), ("0.00", "0"), ("1000e-3", "1"),
    ("-2.500e10", "-25e9"),
  ])
  func `equal numbers have the same bytes`(left: String, right: String) throws {
    let (left, right) = (try #require(Decimal(string: left)), try #require(Decimal(string: right)))
    #expect(left == right && left.words == right.words && left.exactText == right.exactText)
  }

  // A mantissa with zeros at its end is the same number as a shorter one.
  @Test func `the result of arithmetic is kept without zeros at its end`() {
    let sum = Decimal(string: "0.3")! + Decimal(string: "0.7")!
    expectSame(sum, 1, "0.3 + 0.7")
    expectSame(Decimal(sign: .plus, exponent: -3, significand: 5_000), 5, "5000e-3")
  }

  @Test func `what is no number is one value`() {
    #expect(roundTrip(.nan).isNaN && Decimal.nan.words == Decimal.quietNaN.words)
    #expect(Decimal.nan.exactText == "nan" && Decimal(exactText: "nan")?.isNaN == true)
  }

  @Test(arguments: [
    "", "-", ".", "1.2.3", "1e", "e5", "1 ", " 1", "+1", "0x1", "1e1000", "1e200", "１",
    "123456789012345678901234567890123456789012345", "1e-166", "NaN", "inf",
  ])
  func `text that is no decimal number is refused`(text: String) {
    #expect(Decimal(exactText: text) == nil)
  }

  @Test func `bytes that are none are not a number, and never a trap`() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<2_000 {
      let words = (0..<3).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
      let number = Decimal(words: words[0], words[1], words[2])
      _ = number.words
    }
    #expect(Decimal(words: 1, 0, UInt64(UInt16(bitPattern: 1_000))).isNaN)
    #expect(Decimal(words: .max, .max, 0).isNaN == false)
  }
}
