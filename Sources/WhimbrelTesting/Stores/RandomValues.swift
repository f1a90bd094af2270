internal import Foundation
internal import Whimbrel
internal import WhimbrelEngine

/// A generator of random values for properties. It includes values that code often forgets:
/// empty and very long texts, texts that are not ASCII, and the limits of integers.
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
    if let bounds = type.integerBounds { return .int(integer(in: bounds)) }
    switch type {
    case .bool: return .bool(.random(using: &random))
    case .float: return .float(Float(double()))
    case .double: return .double(double())
    case .string: return .string(text())
    case .data: return .data(Data((0..<length()).map { _ in .random(in: 0...255, using: &random) }))
    case .date:
      let days = Double.random(in: -20_000...20_000, using: &random).rounded()
      return .date(Date(timeIntervalSinceReferenceDate: days * 86_400))
    case .uuid: return .uuid(uuid())
    case .decimal:
      return .decimal(Decimal(Int.random(in: -1_000_000...1_000_000, using: &random)) / 100)
    case .objectId:
      return .objectId(ObjectId(high: random.next(), low: .random(in: 0...(.max), using: &random)))
    default:
      return happens(onceIn: 2) ? .string(text()) : .int(integer(in: -1_000...1_000))
    }
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
    if type == .string { return .string("\(text())-\(uniqueCount)") }
    return scalar(type)
  }

  /// Returns a number counted from zero, and from the lower bound after the upper one.
  private static func integer(_ count: Int, in bounds: ClosedRange<Int64>) -> Int64 {
    let (distance, isLarge) = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    let number = Int64(count)
    // Nobody counts through the values of a large type.
    if isLarge || number <= bounds.upperBound { return number }
    return bounds.lowerBound + (number - bounds.lowerBound) % (distance + 1)
  }

  private mutating func integer(in bounds: ClosedRange<Int64>) -> Int64 {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: 0
    case 1: bounds.lowerBound
    case 2: bounds.upperBound
    case 3: Int64.random(in: bounds, using: &random)
    default: Int64.random(in: bounds.clamped(to: -100...100), using: &random)
    }
  }

  private mutating func double() -> Double {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: 0
    case 1: -Double.random(in: 0...1, using: &random)
    case 2: Double.random(in: -1e12...1e12, using: &random)
    default: Double.random(in: 0...1_000, using: &random)
    }
  }

  private static let words = [
    "Andorra", "heron", "Åland", "Ελλάδα", "Кыргызстан", "日本", "zone", "curlew", "🐦", "São Tomé",
    "e\u{301}", "marsh", "北京", "tide", "ñandú", "O'Higgins", "\"quoted\"", "two\nlines",
  ]

  private mutating func text() -> String {
    if happens(onceIn: 12) { return "" }
    let count = happens(onceIn: 20) ? 200 : Int.random(in: 1...4, using: &random)
    let words = (0..<count).compactMap { _ in Self.words.randomElement(using: &random) }
    return words.joined(separator: " ")
  }

  /// Returns a random number of elements or bytes.
  mutating func length() -> Int {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: 0
    case 1: 1
    case 2: Int.random(in: 10...40, using: &random)
    default: Int.random(in: 2...5, using: &random)
    }
  }

  private mutating func uuid() -> UUID {
    let (high, low) = (random.next(), random.next())
    func byte(_ word: UInt64, _ place: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (8 * place))
    }
    return UUID(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
        byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1),
        byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
      ))
  }
}
