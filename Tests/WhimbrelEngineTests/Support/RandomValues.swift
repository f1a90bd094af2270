import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

extension PropertySchema {
  static func list(
    _ name: String, _ type: PropertyType, isOptional: Bool = false
  ) -> PropertySchema {
    PropertySchema(name: name, type: .list(of: ElementType(type, isOptional: isOptional)))
  }

  static func set(
    _ name: String, _ type: PropertyType, isOptional: Bool = false
  ) -> PropertySchema {
    PropertySchema(name: name, type: .set(of: ElementType(type, isOptional: isOptional)))
  }

  static func map(
    _ name: String, _ type: PropertyType, isOptional: Bool = false
  ) -> PropertySchema {
    PropertySchema(name: name, type: .map(of: ElementType(type, isOptional: isOptional)))
  }
}

extension ClassSchema {
  /// A class whose objects belong to others.
  static func embedded(_ name: String, _ properties: PropertySchema...) -> ClassSchema {
    ClassSchema(name: name, isEmbedded: true, properties: properties)
  }
}

/// Random values of every type, with the extremes among them.
enum RandomValues {
  static func value(
    _ type: PropertyType, using generator: inout SeededGenerator, depth: Int = 0
  ) -> PropertyValue {
    switch type {
    case .float: .float(Float(bitPattern: UInt32.random(in: 0...0x7F7F_FFFF, using: &generator)))
    case .double: .double(Double(Int64.random(in: .min ... .max, using: &generator)) / 1e6)
    case .string: .string(text(using: &generator))
    case .data: .data(Data(text(using: &generator).utf8))
    case .date:
      .date(
        Date(
          timeIntervalSinceReferenceDate: Double(Int.random(in: -1_000...1_000, using: &generator)))
      )
    case .decimal: .decimal(decimal(using: &generator))
    case .any: anyValue(using: &generator, depth: depth)
    default:
      if let bounds = type.integerBounds {
        .int(Int64.random(in: bounds, using: &generator))
      } else {
        type.example(using: &generator) ?? .null
      }
    }
  }

  private static func digits(_ count: Int, using generator: inout SeededGenerator) -> String {
    (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
  }

  /// Mostly short, some of more than 512 and some of more than 1,000 bytes.
  static func text(using generator: inout SeededGenerator) -> String {
    let length =
      generator.once(in: 10)
      ? Int.random(in: 500...1_200, using: &generator) : Int.random(in: 0...12, using: &generator)
    return String((0..<length).map { _ in "aé\u{0}z☂".randomElement(using: &generator) ?? "a" })
  }

  static func decimal(using generator: inout SeededGenerator) -> Decimal {
    if generator.once(in: 20) { return .nan }
    let text = digits(Int.random(in: 1...38, using: &generator), using: &generator)
    let sign = Bool.random(using: &generator) ? "-" : ""
    let exponent = Int.random(in: -90...89, using: &generator)
    return Decimal(string: "\(sign)\(text)e\(exponent)") ?? 0
  }

  private static func anyValue(
    using generator: inout SeededGenerator, depth: Int
  ) -> PropertyValue {
    if generator.once(in: 8) { return .null }
    guard depth < 4, generator.once(in: 3) else {
      let type = PropertyType.scalars.filter { $0 != .any }.randomElement(using: &generator)
      return value(type ?? .int, using: &generator)
    }
    let values = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
      anyValue(using: &generator, depth: depth + 1)
    }
    guard Bool.random(using: &generator) else { return .list(values) }
    return .map(
      Dictionary(values.map { (text(using: &generator), $0) }, uniquingKeysWith: { $1 }))
  }
}
