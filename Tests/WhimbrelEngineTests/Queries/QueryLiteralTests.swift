import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// The constants that queries write out.
struct QueryLiteralTests {
  @Test(arguments: literals)
  func `a literal is read, and its own text is read as the same`(
    text: String, expected: PropertyValue
  ) throws {
    let value = try constant(text)
    #expect(value?.isIdentical(to: expected) == true, "\(String(describing: value))")
    let printed = [QueryStage.filter(.compare(.constant(expected), .equal, .constant(1), []))]
      .printed
    #expect(printed.arguments.isEmpty)
    let again = try QueryText(parsing: printed.text).stages
    guard case .filter(.compare(.constant(let same), _, _, _))? = again.first else {
      Issue.record("It is printed as '\(printed.text)'.")
      return
    }
    #expect(same.isIdentical(to: expected), "\(printed.text)")
  }

  @Test(arguments: dates)
  func `a date is read`(text: String, seconds: Double) throws {
    let date = PropertyValue.date(Date(timeIntervalSince1970: seconds))
    #expect(try constant(text) == date)
  }

  @Test func `dates are written so that they are read to the bit, or as arguments`() throws {
    var generator = SeededGenerator(seed: 20_260)
    var withoutText = 0
    for number in 0..<3_000 {
      let size = [1e-3, 1, 1e5, 8e8, 6e10][number % 5]
      let date = Date(
        timeIntervalSinceReferenceDate: Double.random(in: -size...size, using: &generator))
      let value = PropertyValue.date(date)
      let printed = [QueryStage.filter(.compare(.constant(value), .equal, .constant(1), []))]
        .printed
      let read = try QueryText(parsing: printed.text, arguments: printed.arguments)
      guard case .filter(.compare(.constant(let same), _, _, _))? = read.stages.first else {
        Issue.record("\(printed.text)")
        return
      }
      #expect(same.isIdentical(to: value), "\(printed.text)")
      if size > 1e4, !printed.arguments.isEmpty { withoutText += 1 }
    }
    #expect(withoutText == 0)
  }

  @Test(arguments: [
    PropertyValue.link(ObjectID(rawValue: 3)), [1, 2], ["a": 1], .double(-.nan),
    .double(Double(nan: 5, signaling: false)), .float(-.nan), .date(.distantPast),
    .date(Date(timeIntervalSinceReferenceDate: .infinity)),
    .date(Date(timeIntervalSinceReferenceDate: -0.0)),
  ])
  func `a value without a literal is an argument`(value: PropertyValue) throws {
    let printed = [QueryStage.filter(.compare(.constant(value), .equal, .constant(value), []))]
      .printed
    #expect(printed.text == "$0 == $1")
    #expect(printed.arguments.count == 2)
    #expect(printed.arguments.allSatisfy { $0.isIdentical(to: value) })
  }

  @Test func `constants of which one has no literal are one argument`() {
    let values: [PropertyValue] = [1, .link(ObjectID(rawValue: 3))]
    let printed = [QueryStage.filter(.isIn(.property(QueryPath("x")), values, []))].printed
    #expect(printed.text == "x IN $0")
    #expect(printed.arguments == [.list(values)])
  }

  private func constant(_ text: String) throws -> PropertyValue? {
    let stages = try QueryText(parsing: "\(text) == 1").stages
    guard case .filter(.compare(.constant(let value), _, _, _))? = stages.first else {
      return nil
    }
    return value
  }
}

private let literals: [(String, PropertyValue)] = [
  ("5", 5), ("-0", 0), ("007", 7), ("9223372036854775807", .int(.max)),
  ("-9223372036854775808", .int(.min)), ("0x1F", 31), ("-0Xff", -255),
  ("1.5", 1.5), ("1e3", 1_000.0), ("1.25E-2", 0.0125), ("-0.0", .double(-0.0)),
  ("1e+308", 1e308), ("5e-324", .double(.leastNonzeroMagnitude)), ("0.1", 0.1),
  ("-2.5e10", -2.5e10),
  ("inf", .double(.infinity)), ("-Infinity", .double(-.infinity)), ("NaN", .double(.nan)),
  ("true", true), ("FALSE", false), ("nil", nil), ("NULL", nil),
  ("'a'", "a"), ("\"a\"", "a"), ("''", ""), ("'\"'", "\""),
  ("'\\n\\t\\r\\0\\\\\\'\\\"\\/\\`\\b\\f'", "\n\t\r\u{0}\\'\"/`\u{8}\u{C}"),
  ("'\\u00e9\\u{1F600}\\uD83D\\uDE00'", "é😀😀"), ("'a\nb\u{0}'", "a\nb\u{0}"),
  ("'\u{301}e\u{301}é'", "\u{301}e\u{301}é"), ("'👨‍👩‍👧'", "👨‍👩‍👧"), ("'\u{7F}\u{85}'", "\u{7F}\u{85}"),
  ("B64'AAEC'", .data(Data([0, 1, 2]))), ("b64\"\"", .data(Data())),
  (
    "uuid(F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6)",
    .uuid(UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6") ?? UUID())
  ),
  (
    "UUID( 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6' )",
    .uuid(UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6") ?? UUID())
  ),
  (
    "oid(6740c1d2a3b4c5d6e7f80912)",
    ObjectId("6740c1d2a3b4c5d6e7f80912").map(PropertyValue.objectId) ?? .null
  ),
  ("decimal(12.50)", .decimal(Decimal(string: "12.5") ?? 0)), ("decimal(nan)", .decimal(.nan)),
  ("decimal(-1e-90)", .decimal(Decimal(string: "-1e-90") ?? 0)),
  ("float(0.1)", .float(0.1)), ("float(-inf)", .float(-.infinity)), ("float(nan)", .float(.nan)),
  ("2020-01-31T12:00:00.5Z", .date(Date(timeIntervalSince1970: 1_580_472_000.5))),
  ("2001-01-01", .date(Date(timeIntervalSinceReferenceDate: 0))),
  ("0001-01-01", .date(Date(timeIntervalSinceReferenceDate: -63_113_904_000))),
  ("9999-12-31T23:59:59Z", .date(Date(timeIntervalSinceReferenceDate: 252_423_993_599))),
]

private let dates: [(String, Double)] = [
  ("1970-01-01", 0), ("2020-01-31@12:00:00", 1_580_472_000),
  ("2020-01-31@12:00:00:500000000", 1_580_472_000.5), ("2020-01-31T12:00", 1_580_472_000),
  ("2020-01-31T12:00:00.25", 1_580_472_000.25), ("2020-01-31T12:00:00+01:00", 1_580_468_400),
  ("2020-01-31T12:00:00-0130", 1_580_477_400), ("2020-02-29", 1_582_934_400),
  ("2000-02-29", 951_782_400), ("1969-12-31T23:59:59Z", -1), ("1900-03-01", -2_203_891_200),
  ("4001-01-01T00:00:00Z", 64_092_211_200),
]
