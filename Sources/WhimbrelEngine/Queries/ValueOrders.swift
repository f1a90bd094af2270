/// The orders of two values that satisfy a comparison.
struct ValueOrders: OptionSet, BitwiseCopyable, Sendable {
  let rawValue: UInt8

  static let before = ValueOrders(rawValue: 1)
  static let same = ValueOrders(rawValue: 2)
  static let behind = ValueOrders(rawValue: 4)
  /// The values do not have an order, because one of them is NaN.
  static let unordered = ValueOrders(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the orders that satisfy a comparison. Returns nil if the comparison does not depend on
  /// the order.
  init?(_ comparison: QueryComparison) {
    switch comparison {
    case .equal: self = .same
    case .notEqual: self = [.before, .behind, .unordered]
    case .less: self = .before
    case .lessOrEqual: self = [.before, .same]
    case .greater: self = .behind
    case .greaterOrEqual: self = [.behind, .same]
    case .contains, .beginsWith, .endsWith, .like: return nil
    }
  }

  /// Returns whether an order is in the set. Nil means that the values do not have an order.
  @inline(__always)
  func contains(_ order: ValueOrder?) -> Bool {
    let one: ValueOrders =
      switch order {
      case .before: .before
      case .same: .same
      case .behind: .behind
      case nil: .unordered
      }
    return rawValue & one.rawValue != 0
  }
}
