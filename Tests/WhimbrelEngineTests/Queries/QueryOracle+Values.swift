import Foundation
import WhimbrelEngine

/// Two values compared as conditions do.
enum PlainComparison {
  static func holds(
    _ left: PropertyValue, _ comparison: QueryComparison, _ right: PropertyValue,
    _ options: TextOptions
  ) -> Bool {
    if comparison == .notEqual { return !holds(left, .equal, right, options) }
    if case (.string(let text), .string(let other)) = (left, right) {
      return comparison == .like
        ? isLike(Array(fold(text, options)), pattern(other, options)[...])
        : bytes(Array(fold(text, options)), comparison, Array(fold(other, options)))
    }
    if case (.data(let data), .data(let other)) = (left, right) {
      return comparison != .like && bytes(Array(data), comparison, Array(other))
    }
    if comparison == .equal, isSame(left, right) { return true }
    guard let order = order(left, right) else { return false }
    switch comparison {
    case .equal: return order == 0
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    default: return false
    }
  }

  private static func isSame(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.link(let left), .link(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { holds($0, .equal, $1, []) }
    case (.map(let left), .map(let right)):
      Set(left.keys) == Set(right.keys)
        && left.allSatisfy { holds($1, .equal, right[$0] ?? .bool(true), []) }
    default: false
    }
  }

  /// Negative where the first is less, positive where it is greater, nil where neither and
  /// they are not the same.
  static func order(_ left: PropertyValue, _ right: PropertyValue) -> Int? {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.date(let left), .date(let right)):
      return order(
        .double(left.timeIntervalSinceReferenceDate),
        .double(right.timeIntervalSinceReferenceDate))
    case (.string(let left), .string(let right)): return order(Array(left.utf8), Array(right.utf8))
    case (.uuid(let left), .uuid(let right)):
      // The text has the bytes in their order.
      return order(Array(left.uuidString.utf8), Array(right.uuidString.utf8))
    case (.objectId(let left), .objectId(let right)):
      return left < right ? -1 : right < left ? 1 : 0
    case (.float(let number), _): return order(.double(Double(number)), right)
    case (_, .float(let number)): return order(left, .double(Double(number)))
    case (.int(let left), .int(let right)): return left < right ? -1 : right < left ? 1 : 0
    case (.double(let left), .double(let right)):
      return left < right ? -1 : right < left ? 1 : left == right ? 0 : nil
    case (.int(let left), .double(let right)):
      guard right.isFinite else { return right.isNaN ? nil : right < 0 ? 1 : -1 }
      guard abs(right) < 1e30 else { return right < 0 ? 1 : -1 }
      let floor = right.rounded(.down)
      if Int128(left) != Int128(floor) { return Int128(left) < Int128(floor) ? -1 : 1 }
      return right > floor ? -1 : 0
    case (.decimal(let left), .decimal(let right)):
      return left.isNaN || right.isNaN ? nil : left < right ? -1 : right < left ? 1 : 0
    case (.int(let number), .decimal): return order(.decimal(Decimal(number)), right)
    case (.double(let number), .decimal(let decimal)):
      if number.isNaN || decimal.isNaN { return nil }
      if abs(number) > 1e30 { return number < 0 ? -1 : 1 }
      return order(.decimal(Decimal(string: "\(number)") ?? 0), right)
    case (.double, .int), (.decimal, .int), (.decimal, .double):
      return order(right, left).map { -$0 }
    default: return nil
    }
  }

  static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
  }

  private static func bytes(
    _ text: [UInt8], _ comparison: QueryComparison, _ other: [UInt8]
  ) -> Bool {
    switch comparison {
    case .contains:
      (0...text.count).contains { text[$0...].starts(with: other) }
    case .beginsWith: text.starts(with: other)
    case .endsWith: text.reversed().starts(with: other.reversed())
    case .equal: text == other
    case .less: order(text, other) < 0
    case .lessOrEqual: order(text, other) <= 0
    case .greater: order(text, other) > 0
    case .greaterOrEqual: order(text, other) >= 0
    case .like, .notEqual: false
    }
  }
}

// MARK: - Text

extension PlainComparison {
  /// What counts of a text, as UTF-8.
  private static func fold(_ text: String, _ options: TextOptions) -> String.UTF8View {
    let folded = withoutDifferences(text, options)
    return options.contains(.diacriticInsensitive)
      ? folded.precomposedStringWithCanonicalMapping.utf8 : folded.utf8
  }

  private static func withoutDifferences(_ text: String, _ options: TextOptions) -> String {
    var scalars = Array(text.unicodeScalars)
    if options.contains(.diacriticInsensitive) {
      scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
        $0.properties.generalCategory != .nonspacingMark
      }
    }
    guard options.contains(.caseInsensitive) else {
      return String(String.UnicodeScalarView(scalars))
    }
    return scalars.map { scalar -> String in
      if scalar == "ı" { return "ı" }
      // Whatever maps to ss by its capital: ß and ẞ.
      return scalar.properties.lowercaseMapping.unicodeScalars.map { lower in
        lower.properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
      }.joined()
    }.joined()
  }

  private enum Part {
    case byte(UInt8)
    case anything, scalar
  }

  private static func pattern(_ text: String, _ options: TextOptions) -> [Part] {
    var parts: [Part] = []
    var plain = ""
    func take() {
      parts += fold(plain, options).map(Part.byte)
      plain = ""
    }
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped || (scalar != "*" && scalar != "?" && scalar != "\\") {
        plain.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        take()
        parts.append(scalar == "*" ? .anything : .scalar)
      }
    }
    if isEscaped { plain += "\\" }
    take()
    return parts
  }

  private static func isLike(_ text: [UInt8], _ pattern: ArraySlice<Part>) -> Bool {
    var reachable: Set<Int> = [0]
    for part in pattern {
      switch part {
      case .byte(let byte):
        reachable = Set(reachable.filter { $0 < text.count && text[$0] == byte }.map { $0 + 1 })
      case .anything:
        reachable = Set((reachable.min() ?? text.count + 1)..<(text.count + 1))
      case .scalar:
        reachable = Set(
          reachable.filter { $0 < text.count }.map { start in
            (start + 1...text.count).first { $0 == text.count || text[$0] & 0xC0 != 0x80 }
              ?? text.count
          })
      }
    }
    return reachable.contains(text.count)
  }
}

// MARK: - Numbers

/// A value worked out of several.
enum PlainAggregate {
  static func value(_ aggregate: QueryAggregate, _ values: [PropertyValue]) -> PropertyValue {
    let known = values.filter { PlainComparison.order($0, $0) == 0 }
    switch aggregate {
    case .minimum:
      return known.reduce(nil) { least, value in
        least.map { (PlainComparison.order(value, $0) ?? 0) < 0 ? value : $0 } ?? value
      } ?? .null
    case .maximum:
      return known.reduce(nil) { greatest, value in
        greatest.map { (PlainComparison.order(value, $0) ?? 0) > 0 ? value : $0 } ?? value
      } ?? .null
    case .sum, .average:
      let numbers = values.filter { ["int", "float", "double", "decimal"].contains($0.kind) }
      let sum = numbers.reduce(PropertyValue.int(0)) { PlainArithmetic.value($0, .add, $1) }
      guard aggregate == .average else { return sum }
      if numbers.isEmpty { return .null }
      if case .int(let whole) = sum { return .double(Double(whole) / Double(numbers.count)) }
      return PlainArithmetic.value(sum, .divide, .int(Int64(numbers.count)))
    }
  }
}

/// Two numbers and what is worked out of them.
enum PlainArithmetic {
  static func value(
    _ left: PropertyValue, _ operation: QueryArithmetic, _ right: PropertyValue
  ) -> PropertyValue {
    switch (left, right) {
    case (.int(let left), .int(let right)):
      let exact = apply(Int128(left), operation, Int128(right)) { $1 == 0 ? nil : $0 / $1 }
      return exact.flatMap { Int64(exactly: $0) }.map(PropertyValue.int) ?? .null
    case (.decimal, .decimal), (.decimal, .int), (.int, .decimal):
      guard let left = decimal(left), let right = decimal(right) else { return .null }
      let result = apply(left, operation, right) { $1 == 0 ? nil : $0 / $1 }
      return result.flatMap { $0.isNaN ? nil : .decimal($0) } ?? .null
    case (.float(let left), .float(let right)):
      return apply(left, operation, right) { $0 / $1 }.map(PropertyValue.float) ?? .null
    case (.int(0), .float(let number)) where operation == .subtract: return .float(-number)
    case (.int(0), .double(let number)) where operation == .subtract: return .double(-number)
    default:
      guard let left = double(left), let right = double(right) else { return .null }
      return apply(left, operation, right) { $0 / $1 }.map(PropertyValue.double) ?? .null
    }
  }

  private static func apply<Number: Numeric>(
    _ left: Number, _ operation: QueryArithmetic, _ right: Number,
    _ quotient: (Number, Number) -> Number?
  ) -> Number? {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: quotient(left, right)
    }
  }

  private static func decimal(_ value: PropertyValue) -> Decimal? {
    switch value {
    case .int(let number): Decimal(number)
    case .decimal(let number): number
    default: nil
    }
  }

  private static func double(_ value: PropertyValue) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
    default: nil
    }
  }
}
