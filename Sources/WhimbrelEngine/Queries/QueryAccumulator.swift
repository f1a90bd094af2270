internal import Foundation

/// Works a value out of others, one after the other; nil counts for nothing.
///
/// Whole numbers are added exactly, and a sum of nothing is 0. NaN is neither the least
/// nor the greatest of numbers, and makes every sum NaN.
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

  /// Takes one more value.
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
    // What has no order to itself is NaN, nil or of no kind that has any.
    guard value.order(to: value) == .same else { return }
    if best.isNull || value.order(to: best) == wanted { best = value }
  }

  /// Takes whole numbers that are added up.
  mutating func add(whole sum: Int128, count: Int) {
    whole += sum
    self.count += count
  }

  /// Takes numbers that are added up.
  mutating func add(floating sum: Double, count: Int) {
    floating += sum
    self.count += count
    if count > 0 { kinds.insert(.floating) }
  }

  /// Takes the values that another has taken.
  mutating func merge(_ other: QueryAccumulator) {
    add(whole: other.whole, count: other.count)
    floating += other.floating
    decimal += other.decimal
    kinds.formUnion(other.kinds)
    if !other.best.isNull { add(other.best) }
  }

  /// What the values give.
  ///
  /// - Parameter path: what led to the values, for the error and for the sum of none.
  /// - Throws: ``StoreError`` with `outOfRange` for a sum of whole numbers that has more
  ///   than 64 bits.
  package func result(of path: BoundPath) throws -> PropertyValue {
    switch aggregate {
    case .minimum, .maximum: return best
    case .average:
      guard count > 0 else { return .null }
      if kinds.contains(.floating) {
        return .double((floating + Double(whole) + approximateDecimal) / Double(count))
      }
      if kinds.contains(.decimal) { return .decimal(total / Decimal(count)) }
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

  /// The decimals and the whole numbers.
  private var total: Decimal {
    // Whole numbers stand among decimals in values of any type only.
    decimal + (Decimal(string: "\(whole)") ?? .nan)
  }
}
