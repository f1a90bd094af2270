import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

/// Random values, and those that code gives.
extension MigrationOracle {
  /// The class that links in values of any type lead to. It is always there.
  static let linkedByAny = "A"

  /// A value of a type without links.
  static func value(
    _ property: PropertySchema, using generator: inout SeededGenerator
  ) -> PropertyValue {
    if let cases = property.cases, let name = cases.randomElement(using: &generator) {
      return .string(name)
    }
    // Some lists have one element at most, so that they can become single values.
    let isShort = (property.name.utf8.last ?? 0) % 2 == 0
    return value(property.type, isShort ? 1 : 4, using: &generator)
  }

  private static func value(
    _ type: PropertyType, _ limit: Int, using generator: inout SeededGenerator
  ) -> PropertyValue {
    guard let element = type.elementType else {
      let isRare = generator.once(in: 60)
      let number = Int64.random(in: isRare ? -300...300 : 0...100, using: &generator)
      if type.isInteger {
        return .int(min(max(number, bounds(type).lowerBound), bounds(type).upperBound))
      }
      return scalar(type, number, isLong: generator.once(in: 20))
    }
    if element.type.linkTarget != nil { return type.isMap ? .map([:]) : .list([]) }
    let isLong = limit > 1 && generator.once(in: 20)
    let values = (0..<(isLong ? 150 : Int.random(in: 0...limit, using: &generator))).map { _ in
      element.isOptional && generator.once(in: 6)
        ? PropertyValue.null : value(element.type, limit, using: &generator)
    }
    switch type {
    case .map:
      return .map(values.enumerated().reduce(into: [:]) { $0["k\($1.offset)"] = $1.element })
    case .set: return .list(values.sortedAsSet())
    default: return .list(values)
    }
  }

  private static func scalar(_ type: PropertyType, _ number: Int64, isLong: Bool) -> PropertyValue {
    switch type {
    case .bool: .bool(number > 50)
    case .float: .float(Float(number) / 2)
    case .double: .double(Double(number) / 4)
    case .decimal: .decimal(Decimal(number) / 8)
    case .string:
      .string(String(repeating: "s\(number)", count: isLong ? 900 : Int(abs(number % 5))))
    case .data: .data(Data(repeating: UInt8(truncatingIfNeeded: number), count: isLong ? 5_000 : 3))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) / 2))
    case .uuid: .uuid(uuid(number))
    case .objectId: .objectId(ObjectId(high: 7, low: UInt32(truncatingIfNeeded: number)))
    case .any:
      switch abs(number % 6) {
      case 0: .null
      case 1: .list([.int(number), .string("any"), .null])
      case 2: .map(["name": .double(0.5), "": .list([])])
      case 3: .string(String(repeating: "any", count: isLong ? 900 : 2))
      default: .int(number)
      }
    default: type.isInteger ? .int(number) : .null
    }
  }

  private static func uuid(_ number: Int64) -> UUID {
    let digits = String(UInt64(bitPattern: number) & 0xFFFF_FFFF_FFFF, radix: 16)
    let padding = String(repeating: "0", count: 12 - digits.count)
    return UUID(uuidString: "00000000-0000-4000-8000-\(padding)\(digits)") ?? UUID()
  }

  /// What the block gives a property: for keys, to each object another value.
  static func computed(_ property: Property, _ tag: Int64) -> PropertyValue {
    let schema = property.schema
    if let cases = schema.cases { return .string(cases[Int(tag) % cases.count]) }
    if property.isKey { return key(schema.type, tag) }
    let number = (tag * 7 + Int64(schema.name.utf8.count)) % 101
    return switch schema.type {
    case .list(let element), .set(let element):
      element.type.linkTarget != nil
        ? .list([]) : .list([scalar(element.type, number, isLong: false)])
    case .map(let element):
      element.type.linkTarget != nil
        ? .map([:]) : .map(["computed": scalar(element.type, number, isLong: false)])
    default: scalar(schema.type, number, isLong: tag % 30 == 0)
    }
  }

  static func key(_ type: PropertyType, _ tag: Int64) -> PropertyValue {
    switch type {
    case .string: .string("key \(tag)")
    case .uuid: .uuid(uuid(tag))
    case .objectId: .objectId(ObjectId(high: 9, low: UInt32(tag)))
    default: .int(tag)
    }
  }

  private static func bounds(_ type: PropertyType) -> ClosedRange<Int64> {
    type.integerBounds ?? 0...0
  }
}

extension PropertyType {
  fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}
