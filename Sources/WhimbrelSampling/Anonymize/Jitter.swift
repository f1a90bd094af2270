internal import Foundation
package import WhimbrelEngine
package import WhimbrelInspection

/// A rule that moves numbers and dates by a small amount. Equal values move by the same amount.
package struct Jitter: Hashable {
  /// The limit of a move.
  package enum Reach: Hashable {
    /// A fraction of the number itself: 0.1 is a tenth.
    case share(Double)
    /// An amount in the unit of the number.
    case amount(Double)
    /// A number of seconds.
    case seconds(Double)
    /// The exact number of seconds by which every date moves, which keeps the time between dates.
    case offset(Double)
  }

  package let reach: Reach

  /// Parses `10%`, `5`, or `3d`. The units are `s`, `m`, `h`, `d` and `w`.
  package init?(_ text: String) {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    func number(_ text: Substring) -> Double? {
      guard let value = Double(text), value.isFinite, value > 0 else { return nil }
      return value
    }
    if text.hasSuffix("%"), let share = number(text.dropLast()) {
      reach = .share(share / 100)
    } else if let unit = text.last.flatMap({ units[$0] }), let count = number(text.dropLast()) {
      reach = .seconds(count * unit)
    } else if let amount = number(text[...]) {
      reach = .amount(amount)
    } else {
      return nil
    }
  }

  /// Returns whether this rule can move values of a type.
  package func fits(_ type: PropertyType) -> Bool {
    let isTime =
      switch reach {
      case .seconds, .offset: true
      case .share, .amount: false
      }
    return switch type {
    case .list(let element), .map(let element): fits(element.type)
    case .date: isTime
    case .float, .double, .decimal: !isTime
    default: type.isInteger && !isTime
    }
  }
}

extension Jitter {
  private init(reach: Reach) { self.reach = reach }

  /// The limit of a move of all dates, in seconds: 10,000 years. After a longer move, different
  /// dates could be rounded to the same number.
  private static let longestShift = 10_000 * 365 * 86_400.0

  /// Returns a rule that moves all dates by the same time, which depends on a key. The time is at
  /// most this rule's limit, and a whole number of days if the limit is a day or more.
  ///
  /// - Returns: Nil if this rule is not for dates, or moves them by more than 10,000 years.
  package func shift(_ key: SipHash.Key) -> Jitter? {
    guard case .seconds(let most) = reach, most <= Self.longestShift else { return nil }
    let unit: Double = most >= 86_400 ? 86_400 : 1
    let units = max((most / unit).rounded(.down), 1)
    let hash = SipHash.hash("dates".utf8, key)
    // The distance is from 1 to `units`, in either direction.
    let distance = 1 + Double(hash >> 1).truncatingRemainder(dividingBy: units)
    return Jitter(reach: .offset((hash & 1 == 0 ? distance : -distance) * unit))
  }
}

// MARK: - Moving

extension Jitter {
  /// Returns a value after its move. The result has the same sign and stays within the bounds of
  /// its type. Zero, nil, infinity and NaN stay. Whole days stay whole days, and whole seconds
  /// whole seconds.
  package func moved(
    _ value: PropertyValue, _ type: PropertyType, _ key: SipHash.Key
  ) -> PropertyValue {
    let element = type.elementType?.type ?? type
    switch value {
    case .int(let number): return .int(moved(number, element, key))
    case .double(let number): return .double(moved(number, key))
    case .float(let number):
      let result = Float(moved(Double(number), key))
      return .float(result.isFinite && result != 0 ? result : number)
    case .decimal(let number): return .decimal(moved(number, key))
    case .date(let date): return .date(moved(date, key))
    case .list(let elements): return .list(elements.map { moved($0, element, key) })
    case .map(let elements): return .map(elements.mapValues { moved($0, element, key) })
    default: return value
    }
  }

  /// Returns a number from −1 to 1 that depends on a value.
  private func part(_ bits: UInt64, _ key: SipHash.Key) -> Double {
    var hash = SipHash(key)
    hash.append(bits)
    return Double(Int64(bitPattern: hash.result())) / 0x1p63
  }

  /// Returns the limit of a move for a number of a size.
  private func distance(_ size: Double) -> Double {
    switch reach {
    case .share(let share): size.magnitude * share
    case .amount(let amount), .seconds(let amount), .offset(let amount): amount
    }
  }

  private func moved(_ number: Int64, _ type: PropertyType, _ key: SipHash.Key) -> Int64 {
    guard number != 0, let bounds = type.integerBounds else { return number }
    let step = (part(UInt64(bitPattern: number), key) * distance(Double(number))).rounded()
    let whole = Int64(exactly: step) ?? (step < 0 ? .min : .max)
    let (sum, isOver) = number.addingReportingOverflow(whole)
    let result = isOver ? (whole < 0 ? .min : .max) : sum
    return number > 0
      ? min(max(result, 1), bounds.upperBound) : max(min(result, -1), bounds.lowerBound)
  }

  private func moved(_ number: Double, _ key: SipHash.Key) -> Double {
    guard number.isFinite, number != 0 else { return number }
    let step = part(number.bitPattern, key) * distance(number)
    let result = number + step
    if result.isFinite, result != 0, result.sign == number.sign { return result }
    // The step would reach zero or the other sign, so the number moves away from zero instead.
    let other = number - step
    return other.isFinite ? other : number
  }

  private func moved(_ number: Decimal, _ key: SipHash.Key) -> Decimal {
    guard number.isFinite, !number.isZero else { return number }
    let size = NSDecimalNumber(decimal: number).doubleValue
    let bits = SipHash.hash(number.description.utf8, key)
    let step = part(bits, key) * distance(size)
    // Decimal cannot represent a step beyond these bounds, and its initialiser would trap.
    guard step.magnitude < 1e100, step.magnitude > 1e-100 else { return number }
    var sum = number + Decimal(step)
    var result = Decimal()
    // Safe: both are variables of this function.
    unsafe NSDecimalRound(&result, &sum, max(0, -number.exponent), .plain)
    let isSound = result.isFinite && !result.isZero && result.sign == number.sign
    return isSound ? result : number
  }

  private func moved(_ date: Date, _ key: SipHash.Key) -> Date {
    let time = date.timeIntervalSinceReferenceDate
    guard time.isFinite else { return date }
    if case .offset(let offset) = reach {
      return (time + offset).isFinite ? Date(timeIntervalSinceReferenceDate: time + offset) : date
    }
    let reach = distance(time)
    let unit =
      reach >= 86_400 && time.truncatingRemainder(dividingBy: 86_400) == 0
      ? 86_400.0 : time == time.rounded() ? 1 : 0
    let step = part(time.bitPattern, key) * reach
    let whole = unit == 0 ? step : (step / unit).rounded() * unit
    return (time + whole).isFinite ? Date(timeIntervalSinceReferenceDate: time + whole) : date
  }
}
