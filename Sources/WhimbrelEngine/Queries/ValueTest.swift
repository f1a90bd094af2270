/// A comparison of two values. The second one is often a constant.
struct ValueTest: Sendable {
  let comparison: QueryComparison
  let options: TextOptions

  /// Returns whether two values satisfy the comparison.
  func holds(_ left: PropertyValue, _ right: PropertyValue) -> Bool {
    switch (left, right) {
    case (.string(let text), .string(let other)):
      return TextTest(comparison, other, options).holds(text)
    case (.data(let data), .data(let other)) where !comparison.isOrder:
      return comparison != .like && TextTest(comparison, Array(other)).holds(data)
    default: break
    }
    switch comparison {
    case .equal: return left.isEqual(to: right)
    case .notEqual: return !left.isEqual(to: right)
    case .contains, .beginsWith, .endsWith, .like: return false
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = left.order(to: right) else { return false }
      return comparison.holds(order)
    }
  }
}

extension QueryComparison {
  /// Whether the comparison is one of less and greater.
  var isOrder: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: true
    default: false
    }
  }

  /// Whether the comparison searches for one text in another.
  var isOfText: Bool {
    switch self {
    case .contains, .beginsWith, .endsWith, .like: true
    default: false
    }
  }

  /// The comparison with its sides swapped, or nil if there is none.
  var exchanged: QueryComparison? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .contains, .beginsWith, .endsWith, .like: nil
    }
  }

  /// Returns whether two values with this order satisfy the comparison.
  func holds(_ order: ValueOrder) -> Bool {
    switch self {
    case .equal: order == .same
    case .notEqual: order != .same
    case .less: order == .before
    case .lessOrEqual: order != .behind
    case .greater: order == .behind
    case .greaterOrEqual: order != .before
    case .contains, .beginsWith, .endsWith, .like: false
    }
  }
}
