import Foundation
import Whimbrel
import WhimbrelTesting

/// Random values for every type of property: half of them few and small, so that equal
/// ones meet, and the others where encodings break.
struct WalkValues {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func number(_ range: Range<Int>) -> Int { random.number(range) }

  mutating func happens(percent: Int) -> Bool { random.happens(percent: percent) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[random.number(0..<values.count)] }
}

// MARK: - Values without links

extension WalkValues {
  /// A value of a type without parts and links.
  mutating func scalar(_ type: PropertyType, cases: [String]? = nil) -> PropertyValue {
    if let cases {
      let raw = pick(cases)
      return type == .string ? .string(raw) : .int(Int64(raw) ?? 0)
    }
    switch type {
    case .bool: return .bool(happens(percent: 50))
    case .int8: return integer(Int8.self)
    case .int16: return integer(Int16.self)
    case .int32: return integer(Int32.self)
    case .int: return integer(Int64.self)
    case .uint8: return integer(UInt8.self)
    case .uint16: return integer(UInt16.self)
    case .uint32: return integer(UInt32.self)
    case .float: return .float(pick(Self.floats))
    case .double: return .double(pick(Self.doubles))
    case .string: return .string(text())
    case .data: return .data(data())
    case .date: return .date(pick(Self.dates))
    case .uuid: return .uuid(uuid())
    case .decimal: return .decimal(pick(Self.decimals))
    case .objectId: return .objectId(objectId())
    default: return .null
    }
  }

  private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> PropertyValue {
    let extremes: [Integer] = [.min, .max, .min + 1, .max - 1, 0, 1]
    let value = happens(percent: 50) ? pick(extremes) : Integer(number(0..<100))
    return .int(Int64(value))
  }

  static let floats: [Float] = [
    0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1, 1.5, -1,
    Float(bitPattern: 0x7FC0_1234), Float(bitPattern: 0xFFC0_0001), .nan,
  ]
  static let doubles: [Double] = [
    0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1, 1.5, -1,
    Double(bitPattern: 0x7FF8_0000_DEAD_BEEF), Double(bitPattern: 0xFFF8_0000_0000_0001), .nan,
    -.greatestFiniteMagnitude, 0.1,
  ]
  /// Before the year 1, after 9999, and to the bit.
  static let dates: [Date] = [
    .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -0.0),
    Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSince1970: 0),
    Date(timeIntervalSinceReferenceDate: 1e300), Date(timeIntervalSinceReferenceDate: -1e300),
    Date(timeIntervalSinceReferenceDate: 0.000_000_1),
    Date(timeIntervalSinceReferenceDate: -63_145_526_400),
    Date(timeIntervalSinceReferenceDate: 252_423_993_600.123),
    Date(timeIntervalSinceReferenceDate: 700_000_000.000_001),
  ]
  static let decimals: [Decimal] =
    [
      "0", "1", "-1", "0.1", "-12.50", "12.5", "99999999999999999999999999999999999999",
      "-99999999999999999999999999999999999999", "1e127", "-1e127", "1e-127", "-1e-127",
      "1234567890.0987654321", "100000000000000000000",
    ].compactMap { Decimal(string: $0) } + [.greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan]
  static let texts = [
    "", "a", "b", "ab", "\u{0}", "a\u{0}b\u{0}", "\u{E9}", "e\u{301}", "\u{301}", "\u{301}\u{327}",
    "\u{327}\u{301}", "\u{10FFFF}", "👩‍👩‍👧‍👦", "\r\n", "\u{1100}\u{1161}", "가", "Å", "\u{212B}",
  ]

  /// Text, now and then longer than a record or a chunk takes.
  mutating func text() -> String {
    switch number(0..<100) {
    case 0: String(repeating: pick(["x", "é", "\u{0}"]), count: number(900..<1_100))
    case 1: String(repeating: "z", count: pick([256, 512, 513, 1_000, 1_001, 2_500, 5_000]))
    case 2 where happens(percent: 5): String(repeating: "long", count: 18_000)
    case 3..<50: pick(Self.texts)
    default: "text \(number(0..<200))"
    }
  }

  private mutating func data() -> Data {
    switch number(0..<100) {
    case 0: Data(repeating: 0xAB, count: pick([512, 513, 1_000, 1_001, 5_000]))
    case 1 where happens(percent: 10): Data(repeating: 0, count: 70_000)
    case 2..<30:
      pick([
        Data(), Data([0]), Data([0xFF, 0, 0xFF]), Data([1]), Data([1, 2]),
        // A slice, whose indices do not start at 0.
        Data([1, 2, 3, 4, 5, 6]).dropFirst(3),
      ])
    default: Data((0..<number(0..<40)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
  }

  mutating func uuid() -> UUID {
    let byte = pick([0, 0, 1, 0x7F, 0x80, 0xFF] as [UInt8])
    let last = UInt8(number(0..<20))
    return UUID(
      uuid: (byte, 0, 0, 0, 0, 0, 0, byte, last, 0, 0, 0, 0, 0, byte, UInt8(number(0..<4))))
  }

  private mutating func objectId() -> ObjectId {
    let digits = pick(["0", "f", "7", "8"])
    let text = String(repeating: digits, count: 22) + String(format: "%02x", number(0..<30))
    return ObjectId(text) ?? ObjectId.generate()
  }

  /// A name of an element of a map.
  mutating func name() -> String {
    if happens(percent: 2) { return String(repeating: "n", count: pick([200, 600, 3_000])) }
    let text = happens(percent: 40) ? pick(Self.texts) : "name \(number(0..<30))"
    return text.isEmpty ? "empty" : text
  }
}

// MARK: - Values of properties

extension WalkValues {
  /// A value of any type: lists, maps and links to objects too.
  mutating func anyValue(_ oracle: ObjectOracle, depth: Int = 0) -> PropertyValue {
    switch number(0..<20) {
    case 0..<2: return .null
    case 2..<8:
      guard let reference = existing(oracle) else { return .null }
      return oracle.link(to: reference)
    case 8..<11 where depth < 3:
      let count = number(0..<4)
      return .list((0..<count).map { _ in anyValue(oracle, depth: depth + 1) })
    case 11..<13 where depth < 3:
      var map: [String: PropertyValue] = [:]
      for _ in 0..<number(0..<4) {
        let value = anyValue(oracle, depth: depth + 1)
        map.replaceValue(value, forKey: name())
      }
      return .map(map)
    default:
      return scalar(
        pick([
          .bool, .int, .float, .double, .string, .data, .date, .uuid, .decimal, .objectId,
        ]))
    }
  }

  /// An object that is not embedded.
  mutating func existing(_ oracle: ObjectOracle) -> ObjectOracle.Reference? {
    let className = pick(oracle.shapes.filter { !$0.schema.isEmbedded }.map(\.name))
    return existing(oracle, className)
  }

  /// An object of a class.
  mutating func existing(
    _ oracle: ObjectOracle, _ className: String
  ) -> ObjectOracle.Reference? {
    let ids = oracle.ids(className)
    return ids.isEmpty ? nil : ObjectOracle.Reference(className: className, id: pick(ids))
  }

  /// An element of a collection, or a property that is none; nil when the store has
  /// nothing for it.
  mutating func value(
    _ type: PropertyType, isOptional: Bool, cases: [String]?, _ oracle: ObjectOracle
  ) -> PropertyValue? {
    if let target = type.linkTarget {
      return existing(oracle, target).map { .link($0.id) }
    }
    if type == .any { return anyValue(oracle) }
    if isOptional, happens(percent: 20) { return .null }
    return scalar(type, cases: cases)
  }

  /// An element of a collection; nil when the store has nothing for it.
  mutating func element(
    of property: PropertySchema, _ oracle: ObjectOracle
  ) -> PropertyValue? {
    let element = property.type.elementType ?? ElementType(.any)
    return value(element.type, isOptional: element.isOptional, cases: property.cases, oracle)
  }

  /// So many elements, or fewer.
  mutating func elements(
    of property: PropertySchema, count: Int, _ oracle: ObjectOracle
  ) -> [PropertyValue] {
    (0..<count).compactMap { _ in element(of: property, oracle) }
  }

  /// The number of elements of a collection: few, or more than a record takes.
  mutating func size() -> Int { happens(percent: 4) ? number(20..<60) : number(0..<5) }

  /// A value of a property that owns nothing.
  mutating func value(of property: PropertySchema, _ oracle: ObjectOracle) -> PropertyValue {
    switch property.type {
    case .list, .set:
      return .list(elements(of: property, count: size(), oracle))
    case .map:
      var map: [String: PropertyValue] = [:]
      for value in elements(of: property, count: size(), oracle) {
        map.replaceValue(value, forKey: name())
      }
      return .map(map)
    default:
      let value = value(
        property.type, isOptional: property.isOptional, cases: property.cases, oracle)
      return property.type.linkTarget != nil && happens(percent: 20) ? .null : value ?? .null
    }
  }
}

extension ObjectOracle {
  /// What leads to an object, in a value of any type.
  func link(to reference: Reference) -> PropertyValue {
    .object(ObjectReference(classID: shape(reference.className).classID, id: reference.id))
  }
}
