internal import Foundation

/// The integers that satisfy a comparison: those in a range or, if negated, all others.
struct WholeRange {
  var low = Int64.min
  var high = Int64.max
  var isEmpty = false
  var isNegated = false

  /// Creates the range of a comparison with a value. Returns nil if the value is not a number,
  /// Boolean or link.
  init?(_ comparison: QueryComparison, _ value: PropertyValue) {
    let (floor, ceiling): (Int128, Int128)
    var isWhole = true
    switch value {
    case .bool(let bool): (floor, ceiling) = bool ? (1, 1) : (0, 0)
    case .int(let number): (floor, ceiling) = (Int128(number), Int128(number))
    case .link(let id):
      let bits = Int128(Int64(bitPattern: id.rawValue))
      (floor, ceiling) = (bits, bits)
    case .float, .double:
      let number = value.floatingPoint ?? .nan
      isNegated = comparison == .notEqual
      if number.isNaN {
        isEmpty = true
        return
      }
      // A double beyond the range of Int128 cannot be converted. The limit is far outside of 64
      // bits, so it does not change the result.
      let limited = min(max(number, -0x1p70), 0x1p70)
      (floor, ceiling) = (Int128(limited.rounded(.down)), Int128(limited.rounded(.up)))
      isWhole = floor == ceiling
    default: return nil
    }
    isNegated = comparison == .notEqual
    switch comparison {
    case .equal, .notEqual: isWhole ? narrow(floor, ceiling) : narrow(1, 0)
    case .less: narrow(.min, ceiling - 1)
    case .lessOrEqual: narrow(.min, floor)
    case .greater: narrow(floor + 1, .max)
    case .greaterOrEqual: narrow(ceiling, .max)
    case .contains, .beginsWith, .endsWith, .like: return nil
    }
  }

  private mutating func narrow(_ least: Int128, _ greatest: Int128) {
    let (least, greatest) = (max(least, Int128(low)), min(greatest, Int128(high)))
    guard least <= greatest, let low = Int64(exactly: least), let high = Int64(exactly: greatest)
    else {
      isEmpty = true
      return
    }
    (self.low, self.high) = (low, high)
  }

  mutating func intersect(_ other: WholeRange) {
    isEmpty = isEmpty || other.isEmpty
    narrow(Int128(other.low), Int128(other.high))
  }
}

/// The doubles that satisfy a comparison: those in a range or, if negated, all others.
struct FloatingRange {
  var low = -Double.infinity
  var high = Double.infinity
  var isEmpty = false
  var isNegated = false

  /// Creates the range of a comparison with a value. Returns nil if the value is not a date, an
  /// integer or a floating-point number.
  init?(_ comparison: QueryComparison, _ value: PropertyValue) {
    // The nearest doubles that are at most and at least the value.
    let (floor, ceiling): (Double, Double)
    switch value {
    case .float, .double:
      let number = value.floatingPoint ?? .nan
      (floor, ceiling) = (number, number)
    case .date(let date):
      let number = date.timeIntervalSinceReferenceDate
      (floor, ceiling) = (number, number)
    case .int(let number):
      let nearest = Double(number)
      switch number.order(to: nearest) {
      case .before: (floor, ceiling) = (nearest.nextDown, nearest)
      case .behind: (floor, ceiling) = (nearest, nearest.nextUp)
      default: (floor, ceiling) = (nearest, nearest)
      }
    default: return nil
    }
    isNegated = comparison == .notEqual
    switch comparison {
    case .equal, .notEqual: (low, high) = (ceiling, floor)
    case .less: high = floor == ceiling ? floor.nextDown : floor
    case .lessOrEqual: high = floor
    case .greater: low = floor == ceiling ? ceiling.nextUp : ceiling
    case .greaterOrEqual: low = ceiling
    case .contains, .beginsWith, .endsWith, .like: return nil
    }
    // There are no doubles beyond the infinities, and NaN is not in any range.
    isEmpty =
      !(low <= high) || comparison == .less && floor == -.infinity
      || comparison == .greater && ceiling == .infinity
  }

  mutating func intersect(_ other: FloatingRange) {
    isEmpty = isEmpty || other.isEmpty
    (low, high) = (max(low, other.low), min(high, other.high))
    isEmpty = isEmpty || !(low <= high)
  }
}
