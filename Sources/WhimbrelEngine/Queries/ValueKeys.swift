internal import Foundation

/// The index keys of the values that may pass a test.
///
/// They are keys of optional values, which start with the byte 1. Keys in the index of a link do
/// not have this byte.
struct KeyRanges {
  /// The ranges, sorted and without overlap.
  var ranges: [KeyRange]
  /// Whether every value with one of these keys passes the test.
  var isExact = true

  static let nothing = KeyRanges(ranges: [])

  /// Returns the keys that pass both tests.
  ///
  /// - Complexity: O(*n*) for the ranges of both.
  func intersection(_ other: KeyRanges) -> KeyRanges {
    var result = KeyRanges(ranges: [], isExact: isExact && other.isExact)
    var (left, right) = (0, 0)
    while left < ranges.count, right < other.ranges.count {
      let (range, otherRange) = (ranges[left], other.ranges[right])
      let both = range.intersection(otherRange)
      if !both.isEmpty { result.ranges.append(both) }
      if range.ends(before: otherRange) { left += 1 } else { right += 1 }
    }
    return result
  }
}

/// A constant converted to the type of a property.
private enum FittingValue {
  case value(PropertyValue)
  /// No value of the property equals the constant.
  case none
  /// Keys cannot answer the comparison. The values must be read.
  case unknown
}

/// A builder of the keys that the values of one property have in an index.
struct ValueKeys {
  /// The type of the values, or of the elements of a collection.
  let type: PropertyType
  let isCollection: Bool
  let target: ClassID?
  /// The limit on the bytes of a text in a key.
  let textLimit: Int
  /// Whether links also start with a byte that marks nil, and nil links have an entry.
  let marksLinks: Bool

  /// - Parameter index: An index whose positions include the property.
  init(_ position: Int, of index: QueryIndex, in table: ClassTable) {
    let property = table.resolved.properties[position]
    type = property.type.elementType?.type ?? property.type
    isCollection = property.type.isCollection
    target = property.type.linkedClass.flatMap { table.session.find($0)?.resolved.id }
    textLimit = index.textLimit
    marksLinks = if case .values = index.entries { true } else { false }
  }

  /// Returns the keys of the values that may pass a test, or nil if the index does not help.
  func ranges(for test: QueryTest) -> KeyRanges? {
    let holdsLinks = type.holdsLinks
    switch test.operation {
    case .isIn(let values):
      return ranges(equalTo: values)
    case .isNotNil:
      if holdsLinks, !marksLinks { return nil }
      return KeyRanges(ranges: [KeyRange(lower: [1], upper: [2])])
    case .words: return nil
    default:
      if isCollection || type.scalar == nil { return nil }
    }
    switch test.operation {
    case .isLess(let value, let orEqual): return ranges(below: value, orEqual)
    case .isGreater(let value, let orEqual): return ranges(above: value, orEqual)
    case .isBetween(let lower, let upper, let orEqual):
      guard let left = ranges(above: lower, true), let right = ranges(below: upper, orEqual) else {
        return nil
      }
      return left.intersection(right)
    case .begins(let text): return type == .string ? ranges(beginningWith: text) : nil
    case .isIn, .isNotNil, .words: return nil
    }
  }

  private func append(_ value: PropertyValue, to key: inout [UInt8]) {
    if case .link(let id) = value, !marksLinks {
      KeyEncoding.append(id, to: &key)
    } else {
      KeyEncoding.append(part: value, textLimit: textLimit, to: &key)
    }
  }

  private func ranges(equalTo values: [PropertyValue]) -> KeyRanges? {
    var result = KeyRanges.nothing
    for value in values {
      var key: [UInt8] = []
      switch fitting(value) {
      case .unknown: return nil
      case .none: continue
      case .value(.object(let reference)):
        key = IndexEntry.prefix(.reference(reference))
        // A list or a map that contains the object has the same key.
        result.isExact = false
      case .value(let value):
        append(value, to: &key)
        if KeyEncoding.isTruncated(value, limit: textLimit) { result.isExact = false }
      }
      result.ranges.append(KeyRange(of: key))
    }
    if result.ranges.count > 1 { result.ranges = result.ranges.inOrder }
    return result
  }

  private func fitting(_ value: PropertyValue) -> FittingValue {
    switch (type, value) {
    case (.any, .null): return .unknown
    case (.link, .null): return marksLinks ? .value(.null) : .unknown
    case (_, .null): return .value(.null)
    case (.link, .link), (.any, .object): return .value(value)
    case (.link, .object(let reference)):
      return reference.classID == target ? .value(.link(reference.id)) : .unknown
    case (.date, .date(let date)):
      return date.timeIntervalSinceReferenceDate.isNaN ? .none : .value(value)
    case (.decimal, .int(let number)): return .value(.decimal(Decimal(number)))
    case (.decimal, .decimal(let number)): return number.isNaN ? .none : .value(value)
    case (_, .int(let number)) where type.isInteger: return .value(.int(number))
    case (.float, .int(let number)), (.double, .int(let number)):
      return Double(exactly: number).map { .value(.double($0)) } ?? .none
    case (_, .float(let number)): return fitting(Double(number))
    case (_, .double(let number)): return fitting(number)
    default: return value.isScalar(of: type) ? .value(value) : .unknown
    }
  }

  private func fitting(_ number: Double) -> FittingValue {
    if type == .float || type == .double { return number.isNaN ? .none : .value(.double(number)) }
    if type == .decimal {
      // Outside the range of decimals, the records must be checked.
      if number.isNaN { return .none }
      return PropertyValue.double(number).orderedDecimal.map { .value(.decimal($0)) } ?? .unknown
    }
    guard type.isInteger else { return .unknown }
    return Int64(exactly: number).map { .value(.int($0)) } ?? .none
  }
}

// MARK: - Ranges

extension ValueKeys {
  /// The keys of all values except nil and NaN.
  var ordered: KeyRanges { KeyRanges(ranges: [KeyRange(lower: [1], upper: top)]) }

  /// The first key above those of all values except NaN.
  private var top: [UInt8] {
    var key: [UInt8] = []
    switch type {
    case .float, .double, .date: KeyEncoding.append(.double(.nan), isOptional: true, to: &key)
    case .decimal: KeyEncoding.append(.decimal(.nan), isOptional: true, to: &key)
    default: key = [2]
    }
    return key
  }

  private func ranges(below value: PropertyValue, _ orEqual: Bool) -> KeyRanges? {
    switch bound(value, roundedUp: false) {
    case .unusable: return nil
    case .aboveAll: return KeyRanges(ranges: [KeyRange(lower: [1], upper: top)])
    case .unordered, .belowAll: return .nothing
    case .at(let key, let isRounded, let isTruncated):
      // A truncated key represents all texts with that beginning. It is included, and the records
      // must be checked.
      let includesKey = orEqual || isRounded || isTruncated
      let upper = includesKey ? key.successor : key
      return KeyRanges(
        ranges: [KeyRange(lower: [1], upper: upper)].filter { !$0.isEmpty },
        isExact: !isTruncated)
    }
  }

  private func ranges(above value: PropertyValue, _ orEqual: Bool) -> KeyRanges? {
    switch bound(value, roundedUp: true) {
    case .unusable: return nil
    case .belowAll: return KeyRanges(ranges: [KeyRange(lower: [1], upper: top)])
    case .unordered, .aboveAll: return .nothing
    case .at(let key, let isRounded, let isTruncated):
      let includesKey = orEqual || isRounded || isTruncated
      let range = KeyRange(lower: includesKey ? key : key.successor ?? [2], upper: top)
      return KeyRanges(ranges: [range].filter { !$0.isEmpty }, isExact: !isTruncated)
    }
  }

  private enum Bound {
    /// A key at the end of the range.
    ///
    /// - Parameters:
    ///   - isRounded: Whether the value lies between two keys, of which this is the one inside the
    ///     range.
    ///   - isTruncated: Whether several values share the key, because it contains only their
    ///     beginning.
    case at([UInt8], isRounded: Bool, isTruncated: Bool)
    case belowAll
    case aboveAll
    /// The value is NaN: no value is less or greater.
    case unordered
    case unusable
  }

  private func bound(_ value: PropertyValue, roundedUp: Bool) -> Bound {
    let number: Double? =
      switch value {
      case .float(let number): Double(number)
      case .double(let number): number
      default: nil
      }
    if let number, type.isInteger { return bound(number, roundedUp: roundedUp) }
    switch fitting(value) {
    case .value(.null), .unknown: return .unusable
    // No value of the property equals the constant. NaN does not have an order. An integer that a
    // double cannot represent lies between two keys, and the records must be checked.
    case .none:
      return number?.isNaN == true || type == .date || type == .decimal ? .unordered : .unusable
    case .value(let value):
      var key: [UInt8] = []
      append(value, to: &key)
      let isTruncated = KeyEncoding.isTruncated(value, limit: textLimit)
      if isTruncated { key.removeLast(8) }
      return .at(key, isRounded: false, isTruncated: isTruncated)
    }
  }

  /// Returns the bound of integers that corresponds to a double.
  private func bound(_ number: Double, roundedUp: Bool) -> Bound {
    if number.isNaN { return .unordered }
    let rounded = number.rounded(roundedUp ? .up : .down)
    guard let whole = Int64(exactly: rounded) else { return number < 0 ? .belowAll : .aboveAll }
    var key: [UInt8] = []
    KeyEncoding.append(.int(whole), isOptional: true, to: &key)
    return .at(key, isRounded: rounded != number, isTruncated: false)
  }

  /// Returns the keys of the texts that begin with a text.
  private func ranges(beginningWith text: String) -> KeyRanges {
    var key: [UInt8] = [1]
    KeyEncoding.append(utf8: text.utf8, limit: textLimit, to: &key)
    var isExact = true
    if KeyEncoding.isTruncated(utf8: text.utf8, limit: textLimit) {
      key.removeLast(10)
      isExact = false
    } else {
      key.removeLast(2)
    }
    // The keys of long texts may be truncated one byte earlier, so that an escaped zero is not
    // split. A prefix of that length must omit this byte.
    if key.count > textLimit - 1 {
      key.removeSubrange((textLimit - 1)...)
      isExact = false
    }
    return KeyRanges(
      ranges: [KeyRange(lower: key, upper: key.successor)], isExact: isExact)
  }
}
