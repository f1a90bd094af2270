import Foundation
import Whimbrel

/// The values of each type at which encodings break.
enum Extremes {
  static let float: [Float] = [
    0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    Float(bitPattern: 0x7FC0_1234), Float(bitPattern: 0xFFC0_0001), .pi,
  ]
  static let double: [Double] = [
    0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    Double(bitPattern: 0x7FF8_0000_DEAD_BEEF), Double(bitPattern: 0xFFF8_0000_0000_0001), .pi,
  ]
  static let string = [
    "", "\u{0}", "a\u{0}b\u{0}", "\u{E9}", "e\u{301}", "\u{10FFFF}", "👩‍👩‍👧‍👦", "\r\n",
    String(repeating: "x", count: 5_000),
  ]
  static let data = [
    Data(), Data([0]), Data([0xFF, 0, 0xFF]), Data(repeating: 0xAB, count: 5_000),
    // A slice, whose indices do not start at 0.
    Data([1, 2, 3, 4, 5, 6]).dropFirst(3),
  ]
  static let date: [Date] = [
    .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -0.0),
    Date(timeIntervalSinceReferenceDate: 1e300), Date(timeIntervalSinceReferenceDate: -1e300),
    Date(timeIntervalSinceReferenceDate: 0.000_000_1), Date(timeIntervalSince1970: 0),
  ]
  static let uuid = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(
      uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
  ]

  static func integers<Integer: FixedWidthInteger>(_ type: Integer.Type) -> [Integer] {
    [.min, .max, 0, 1, .min + 1, .max - 1]
  }

  /// The number of rounds in which each type has had each of its values.
  static let rounds = 9

  private static func pick<Value>(_ values: [Value], _ round: Int) -> Value {
    values[round % values.count]
  }

  static func required(_ round: Int) -> Required {
    Required(
      bool: round % 2 == 0, int: pick(integers(Int.self), round),
      int8: pick(integers(Int8.self), round), int16: pick(integers(Int16.self), round),
      int32: pick(integers(Int32.self), round), int64: pick(integers(Int64.self), round),
      uint8: pick(integers(UInt8.self), round), uint16: pick(integers(UInt16.self), round),
      uint32: pick(integers(UInt32.self), round), float: pick(float, round),
      double: pick(double, round), string: pick(string, round), data: pick(data, round),
      date: pick(date, round), uuid: pick(uuid, round), flavour: pick(Flavour.allCases, round),
      level: pick(Level.allCases, round), season: pick(Season.allCases, round))
  }

  /// An object with the values of another.
  static func optionals(_ round: Int) -> Optionals {
    let object = Optionals()
    assign(round, to: object)
    return object
  }

  static func assign(_ round: Int, to object: Optionals) {
    let values = required(round)
    object.bool = values.bool
    object.int = values.int
    object.int8 = values.int8
    object.int16 = values.int16
    object.int32 = values.int32
    object.int64 = values.int64
    object.uint8 = values.uint8
    object.uint16 = values.uint16
    object.uint32 = values.uint32
    object.float = values.float
    object.double = values.double
    object.string = values.string
    object.data = values.data
    object.date = values.date
    object.uuid = values.uuid
    object.flavour = values.flavour
    object.level = values.level
    object.season = values.season
  }

  static func assignNil(to object: Optionals) {
    object.bool = nil
    object.int = nil
    object.int8 = nil
    object.int16 = nil
    object.int32 = nil
    object.int64 = nil
    object.uint8 = nil
    object.uint16 = nil
    object.uint32 = nil
    object.float = nil
    object.double = nil
    object.string = nil
    object.data = nil
    object.date = nil
    object.uuid = nil
    object.flavour = nil
    object.level = nil
    object.season = nil
    object.link = nil
  }

  static func assign(_ round: Int, to object: Required) {
    let values = required(round)
    object.bool = values.bool
    object.int = values.int
    object.int8 = values.int8
    object.int16 = values.int16
    object.int32 = values.int32
    object.int64 = values.int64
    object.uint8 = values.uint8
    object.uint16 = values.uint16
    object.uint32 = values.uint32
    object.float = values.float
    object.double = values.double
    object.string = values.string
    object.data = values.data
    object.date = values.date
    object.uuid = values.uuid
    object.flavour = values.flavour
    object.level = values.level
    object.season = values.season
  }
}
