import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// A set of constants agrees with comparing the constants one after another.
struct ValueSetTests {
  private static let values: [PropertyValue] = [
    .null, .bool(true), .bool(false), 0, 1, -1, .int(.max), .int(.min), .int(1 << 53 + 1),
    .float(0.1), .float(-0.0), .float(.nan), 0.1, -0.0, .double(.nan), .double(.infinity),
    .double(0x1p53), .double(0x1p63), .double(-0x1p63), .double(1e300), .decimal(0.1),
    .decimal(1), .decimal(.nan), .decimal(0),
    .decimal(Decimal(sign: .plus, exponent: -2, significand: 100)),
    .decimal(Decimal(Int64.min)), .decimal(Decimal(1 << 53 + 1)), .decimal(Decimal(1 << 53)),
    .decimal(Decimal(string: "\(Double(Float(0.1)))") ?? 0),
    "", "a", "A", "\u{E5}", "a\u{30A}", "\u{C5}", "Straße", "STRASSE", .data(Data()),
    .data(Data([1])), .date(Date(timeIntervalSinceReferenceDate: -0.0)),
    .date(Date(timeIntervalSinceReferenceDate: 0)),
    .date(Date(timeIntervalSinceReferenceDate: .nan)), .uuid(UUID()), .link(ObjectID(rawValue: 1)),
    .object(ObjectReference(classID: ClassID(rawValue: 1), id: ObjectID(rawValue: 1))), [1], [1.0],
    ["a": 1], ["a": .double(.nan)],
  ]

  @Test(
    arguments: [[], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] as [TextOptions])
  func `a set contains the values that equal one of its constants`(options: TextOptions) {
    let test = ValueTest(comparison: .equal, options: options)
    let whole = ValueSet(Self.values, options)
    for value in Self.values {
      for constant in Self.values {
        let isEqual = test.holds(value, constant)
        #expect(ValueSet([constant], options).contains(value) == isEqual, "\(value), \(constant)")
        #expect(ValueSet(["x", constant, 7], options).contains(value) == isEqual)
      }
      #expect(whole.contains(value) == Self.values.contains { test.holds(value, $0) }, "\(value)")
    }
    #expect(!ValueSet([], options).contains(.null))
  }

  @Test(.mustEnd) func `a long list contains each of its constants and no other value`() {
    let count = TestRun.isLong ? 100_000 : 20_000
    for value: (Int) -> PropertyValue in [
      { .string("text \($0)") }, { .double(Double($0) + 0.5) },
      { .date(Date(timeIntervalSinceReferenceDate: Double($0))) },
      { .decimal(Decimal($0) / 4) },
    ] {
      let values = (0..<count).map(value)
      let set = ValueSet(values, .caseInsensitive)
      #expect(values.allSatisfy(set.contains))
      #expect(!(count..<2 * count).contains { set.contains(value($0)) })
    }
  }
}
