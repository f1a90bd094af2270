internal import Foundation

/// An accumulator that computes an aggregate from one value after another. Nil values are ignored.
///
/// Integers are added exactly, and a sum without values is 0. NaN is never the minimum or maximum,
/// and it makes every sum NaN. Numbers of different types are compared by their value, and other
/// values of different kinds as in a set.
package struct QueryAccumulator {
  private let aggregate: QueryAggregate
  private var best: PropertyValue = .null
  private var count = 0
  private var whole: Int128 = 0
  private var floating = 0.0
  private var decimal: Decimal = 0
  private var kinds: Kinds = []

  private struct Kinds: OptionSet {
    let rawValue: UInt8
    static let floating = Kinds(rawValue: 1)
    static let decimal = Kinds(rawValue: 2)
  }

  package init(_ aggregate: QueryAggregate) { self.aggregate = aggregate }

  package mutating func add(_ value: PropertyValue) {
    switch aggregate {
    case .minimum: keep(value, if: .before)
    case .maximum: keep(value, if: .behind)
    case .sum, .average:
      switch value {
      case .int(let number): add(whole: Int128(number), count: 1)
      case .float, .double: add(floating: value.floatingPoint ?? 0, count: 1)
      case .decimal(let number):
        decimal += number
        count += 1
        kinds.insert(.decimal)
      default: break
      }
    }
  }

  private mutating func keep(_ value: PropertyValue, if wanted: ValueOrder) {
    // A value that does not have an order to itself is nil, NaN, or of a kind without an order.
    guard value.order(to: value) == .same else { return }
    if best.isNull { return best = value }
    let order = value.order(to: best) ?? (value.precedes(best) ? .before : .behind)
    if order == wanted { best = value }
  }

  /// Adds the sum of several integers.
  mutating func add(whole sum: Int128, count: Int) {
    whole += sum
    self.count += count
  }

  /// Adds the sum of several floating-point numbers.
  mutating func add(floating sum: Double, count: Int) {
    floating += sum
    self.count += count
    if count > 0 { kinds.insert(.floating) }
  }

  mutating func merge(_ other: QueryAccumulator) {
    add(whole: other.whole, count: other.count)
    floating += other.floating
    decimal += other.decimal
    kinds.formUnion(other.kinds)
    if !other.best.isNull { add(other.best) }
  }

  /// Returns the result.
  ///
  /// - Parameter path: The path to the values. The error names it, and its type determines the type
  ///   of an empty sum.
  /// - Throws: ``StoreError`` with `outOfRange` if a sum of integers exceeds 64 bits.
  package func result(of path: BoundPath) throws -> PropertyValue {
    switch aggregate {
    case .minimum, .maximum: return best
    case .average:
      guard count > 0 else { return .null }
      if kinds.contains(.floating) {
        return .double((floating + Double(whole) + approximateDecimal) / Double(count))
      }
      if kinds.contains(.decimal) { return .decimal(total.divided(by: count)) }
      return .double(Double(whole) / Double(count))
    case .sum:
      if kinds.contains(.floating) {
        return .double(floating + Double(whole) + approximateDecimal)
      }
      if kinds.contains(.decimal) { return .decimal(total) }
      if count == 0 {
        switch path.storedType {
        case .float?, .double?: return .double(0)
        case .decimal?: return .decimal(0)
        default: return .int(0)
        }
      }
      guard let sum = Int64(exactly: whole) else {
        throw StoreError.sumTooLarge(class: path.type.className, property: path.type.property)
      }
      return .int(sum)
    }
  }

  private var approximateDecimal: Double { NSDecimalNumber(decimal: decimal).doubleValue }

  /// The sum of the decimals and the integers.
  private var total: Decimal {
    // Integers and decimals are mixed only in values of any type.
    decimal + (Decimal(string: "\(whole)") ?? .nan)
  }
}

extension Decimal {
  /// Returns the quotient of the number and a count.
  fileprivate func divided(by count: Int) -> Decimal {
    let quotient = self / Decimal(count)
    guard quotient.isNaN, !isNaN else { return quotient }
    // Foundation does not divide numbers like 2e-100: it seeks digits below the least power of ten,
    // 10⁻¹²⁸. The digits are divided alone, and rounded to that power.
    var parts = parts
    let power = parts.exponent
    parts.exponent = 0
    guard var digits = Decimal(parts) else { return .nan }
    digits /= Decimal(count)
    var rounded = Decimal()
    // Safe: the pointers are used during the call only.
    unsafe NSDecimalRound(&rounded, &digits, 128 + power, .plain)
    return Decimal(sign: rounded.sign, exponent: power, significand: rounded.magnitude)
  }
}
