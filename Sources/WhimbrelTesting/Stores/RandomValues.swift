internal import Whimbrel
internal import WhimbrelEngine

/// A generator of random values for properties.
struct RandomValues {
  var random: SeededGenerator
  private var uniqueCount = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns true once in `count` calls on average.
  mutating func happens(onceIn count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  /// Returns a value of a type that is not a link or a collection.
  ///
  /// - Parameter cases: The raw values of the property's enum, if it has one.
  mutating func scalar(_ type: PropertyType, cases: [String]? = nil) -> PropertyValue {
    if let raw = cases?.randomElement(using: &random) { return Self.value(ofCase: raw, type) }
    return type.example(using: &random) ?? scalar(happens(onceIn: 2) ? .string : .int16)
  }

  private static func value(ofCase raw: String, _ type: PropertyType) -> PropertyValue {
    Int64(raw).flatMap { type == .string ? nil : .int($0) } ?? .string(raw)
  }

  /// Returns a value for a primary key or a unique index. If the type has few values, as many calls
  /// in a row return all of them.
  ///
  /// - Parameter cases: The raw values of the property's enum, if it has one.
  mutating func unique(_ type: PropertyType, cases: [String]? = nil) -> PropertyValue {
    uniqueCount += 1
    if let cases, !cases.isEmpty {
      return Self.value(ofCase: cases[uniqueCount % cases.count], type)
    }
    if let bounds = type.integerBounds { return .int(Self.integer(uniqueCount, in: bounds)) }
    if type == .bool { return .bool(uniqueCount.isMultiple(of: 2)) }
    let value = scalar(type)
    return if case .string(let text) = value { .string("\(text)-\(uniqueCount)") } else { value }
  }

  /// Returns a number counted from zero, and from the lower bound after the upper one.
  private static func integer(_ count: Int, in bounds: ClosedRange<Int64>) -> Int64 {
    let (distance, isLarge) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    let number = Int64(count)
    // Nobody counts through the values of a large type.
    if isLarge || number <= bounds.upperBound { return number }
    return bounds.lowerBound + (number - bounds.lowerBound) % (distance + 1)
  }
}
