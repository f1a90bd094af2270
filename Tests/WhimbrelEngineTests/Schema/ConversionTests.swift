import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Which types become which others without loss.
struct ConversionTests {
  // The whole table: "=" identity, "w" widened on read, "r" rewritten, "." none.
  // Columns are in the order of `PropertyType.scalars`.
  @Test(arguments: [
    (PropertyType.bool, "=.........r.....r"), (.int8, ".=wwwrrrwwr...r.r"),
    (.int16, ".r=wwrrrwwr...r.r"), (.int32, ".rr=wrrrrwr...r.r"),
    (.int, ".rrr=rrrrrr...r.r"), (.uint8, ".rwww=wwwwr...r.r"),
    (.uint16, ".rrwwr=wwwr...r.r"), (.uint32, ".rrrwrr=rwr...r.r"),
    (.float, "........=wr...r.r"), (.double, ".........=r...r.r"),
    (.string, "..........=.....r"), (.data, "...........=....r"),
    (.date, "............=...r"), (.uuid, "..........r..=..r"),
    (.decimal, "..........r...=.r"), (.objectId, "..........r....=r"),
    (.any, "................="),
  ])
  func `types convert as the table says`(old: PropertyType, row: String) {
    let found = PropertyType.scalars.map { new -> Character in
      switch Conversion.lossless(from: old, to: new) {
      case .identity?: "="
      case .widenedOnRead(let type)?: type == new ? "w" : "?"
      case .convertedByRewrite(old, let type)?: type == new ? "r" : "?"
      case .convertedByRewrite?: "?"
      case nil: "."
      }
    }
    #expect(String(found) == row)
  }

  @Test func `links convert only to the same class`() {
    let link = PropertyType.link(to: "A")
    #expect(Conversion.lossless(from: link, to: link) == .identity)
    #expect(Conversion.lossless(from: link, to: .link(to: "B")) == nil)
    #expect(Conversion.lossless(from: link, to: .string) == nil)
    #expect(Conversion.lossless(from: .int, to: link) == nil)
    for other in [PropertyType.list(of: .b), .set(of: .b), .map(of: .b)] {
      #expect(Conversion.lossless(from: link, to: other) == nil)
      #expect(Conversion.lossless(from: .map(of: ElementType(link)), to: other) == nil)
    }
  }

  @Test(
    arguments: [
      ("int", "[int]"), ("int", "[int?]"), ("int", "{string}"), ("int8", "[decimal]"),
      ("any", "[any]"), ("<A>", "[<A>]"), ("<A>", "{<A>}"), ("<A>", "any"), ("<A>", "[any]"),
      ("[int]", "{int}"), ("{int}", "[int]"), ("{int}", "{string}"), ("[int?]", "[int]"),
      ("[int]", "[int?]"), ("[string: int]", "[string: any]"), ("[int]", "any"),
      ("[string: <A>]", "any"), ("[int]", "int"), ("{int8}", "string"), ("[<A>]", "<A>"),
      ("{<A>}", "<A>"), ("[<A>]", "[any]"), ("[<A>]", "{<A>}"),
    ])
  func `collections convert`(old: String, new: String) throws {
    let (old, new) = try (#require(PropertyType(old)), #require(PropertyType(new)))
    #expect(
      Conversion.lossless(from: old, to: new) == .convertedByRewrite(from: old, to: new))
  }

  @Test(
    arguments: [
      ("int", "[bool]"), ("int", "[string: int]"), ("[string: int]", "[int]"),
      ("[int]", "[string: int]"), ("{int}", "any"), ("[string]", "[int]"), ("[any]", "int"),
      ("[<A>]", "[<B>]"), ("[<A>]", "{<B>}"), ("[string: <A>]", "[string: <B>]"),
      ("[<A>]", "<B>"), ("any", "[int]"), ("[<A>]", "[string]"), ("[string: int]", "int"),
    ])
  func `other collections do not convert`(old: String, new: String) throws {
    let (old, new) = try (#require(PropertyType(old)), #require(PropertyType(new)))
    #expect(Conversion.lossless(from: old, to: new) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e200, 1e-200, .leastNonzeroMagnitude])
  func `a number that no decimal holds has no counterpart`(number: Double) {
    let conversion = Conversion.lossless(from: .double, to: .decimal)
    #expect(conversion?.apply(.double(number)) == .none)
  }

  @Test func `a decimal gives every number back`() throws {
    var random = SeededGenerator(seed: 7)
    let conversion = try #require(Conversion.lossless(from: .double, to: .decimal))
    for _ in 0..<1_000 {
      let number = Double.random(in: -1e9...1e9, using: &random)
      guard case .decimal(let decimal)? = conversion.apply(.double(number)) else {
        Issue.record("\(number) has no counterpart")
        continue
      }
      #expect(Double(decimal.description) == number)
    }
  }

  @Test(arguments: PropertyType.scalars)
  func `widening converts every value`(old: PropertyType) throws {
    for new in PropertyType.scalars {
      guard case .widenedOnRead? = Conversion.lossless(from: old, to: new) else { continue }
      let conversion = try #require(Conversion.lossless(from: old, to: new))
      guard let bounds = old.integerBounds else { continue }
      for number in [bounds.lowerBound, bounds.upperBound, bounds.upperBound - 1, 0] {
        let converted = try #require(conversion.apply(.int(number)))
        switch converted {
        case .int(let result): #expect(result == number)
        case .float(let result): #expect(Int64(exactly: result) == number)
        case .double(let result): #expect(Int64(exactly: result) == number)
        default: Issue.record("\(old) became \(converted.kind)")
        }
      }
    }
  }

  @Test(
    arguments: [
      (
        PropertyType.int, PropertyType.double, PropertyValue.int(1 << 53),
        PropertyValue.double(0x1p53)
      ),
      (.int, .double, .int(1 << 62), .double(0x1p62)), (.int, .double, .int(1 << 53 + 1), nil),
      (.int, .double, .int(.max), nil), (.int, .double, .int(.min), .double(-0x1p63)),
      (.int32, .float, .int(1 << 24), .float(0x1p24)), (.int32, .float, .int(1 << 24 + 1), nil),
      (.int, .int8, .int(127), .int(127)), (.int, .int8, .int(128), nil),
      (.int8, .uint8, .int(-1), nil), (.uint32, .int32, .int(1 << 31), nil),
      (.float, .double, .float(0.1), .double(Double(Float(0.1)))),
      (.bool, .string, .bool(true), "true"), (.bool, .string, .bool(false), "false"),
      (.int, .string, .int(.min), "-9223372036854775808"), (.uint8, .string, 7, "7"),
      (.int, .decimal, .int(.min), .decimal(Decimal(Int64.min))),
      (.double, .decimal, 0.1, .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))),
      (.float, .decimal, .float(0.1), .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))),
      (.double, .decimal, -0.0, .decimal(0)),
      (.decimal, .string, .decimal(Decimal(sign: .minus, exponent: -2, significand: 123)), "-1.23"),
      (.objectId, .string, .objectId(.sample), "00000000000000010000000f"),
      (.string, .any, "a", "a"), (.int8, .any, 7, 7),
      (.double, .string, .double(0.1), "0.1"), (.double, .string, .double(-.infinity), "-inf"),
      (.float, .string, .float(0.1), "0.1"), (.double, .string, .double(-0.0), "-0.0"),
      (
        .uuid, .string, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        "01020304-0506-0708-090A-0B0C0D0E0F10"
      ),
    ] as [(PropertyType, PropertyType, PropertyValue, PropertyValue?)])
  func `a value converts or has no counterpart`(
    old: PropertyType, new: PropertyType, value: PropertyValue, expected: PropertyValue?
  ) throws {
    let conversion = try #require(Conversion.lossless(from: old, to: new))
    #expect(conversion.apply(value) == expected)
    #expect(conversion.apply(.null) == .null)
  }

  @Test func `a value of a type that is not converted has no counterpart`() {
    #expect(Conversion.widenedOnRead(to: .double).apply("1.5") == nil)
    #expect(Conversion.convertedByRewrite(from: .data, to: .string).apply(.data(Data())) == nil)
  }

  @Test func `text gives every double back`() throws {
    var random = SeededGenerator(seed: 6)
    let conversion = try #require(Conversion.lossless(from: .double, to: .string))
    for _ in 0..<1_000 {
      let number = Double(bitPattern: random.next())
      guard case .string(let text)? = conversion.apply(.double(number)), !number.isNaN else {
        continue
      }
      #expect(Double(text)?.bitPattern == number.bitPattern)
    }
  }
}

extension ElementType {
  fileprivate static let b = ElementType(.link(to: "B"))
}

extension ObjectId {
  fileprivate static let sample = ObjectId(high: 1, low: 15)
}
