import Foundation
import Whimbrel

// The equality and the order that the random walk expects, written down a second time:
// that of the library is what is tested.

extension PropertyValue {
  /// Whether both are the same, to the bit and to the byte.
  func isExactly(_ other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern
        == right.timeIntervalSinceReferenceDate.bitPattern
    case (.string(let left), .string(let right)): left.isExactly(right)
    case (.decimal(let left), .decimal(let right)):
      left.isNaN || right.isNaN ? left.isNaN && right.isNaN : left == right
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isExactly($1) }
    case (.map(let left), .map(let right)):
      left.count == right.count
        && left.allSatisfy { name, value in
          guard let place = right.index(forKey: name) else { return false }
          return right[place].key.isExactly(name) && right[place].value.isExactly(value)
        }
    default: self == other
    }
  }

  /// Whether both are one element of a set.
  func isSame(as other: PropertyValue) -> Bool { compare(other) == .orderedSame }

  /// The order of sets: nil, then by kind, then by value.
  func compare(_ other: PropertyValue) -> ComparisonResult {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): orderOfValues(left ? 1 : 0, right ? 1 : 0)
    case (.int(let left), .int(let right)): orderOfValues(left, right)
    case (.float(let left), .float(let right)): orderOfNumbers(Double(left), Double(right))
    case (.double(let left), .double(let right)): orderOfNumbers(left, right)
    case (.date(let left), .date(let right)):
      orderOfNumbers(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.decimal(let left), .decimal(let right)):
      left.isNaN || right.isNaN
        ? orderOfValues(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : orderOfValues(left, right)
    case (.string(let left), .string(let right)): orderOfValues(left.canonical, right.canonical)
    case (.data(let left), .data(let right)): orderOfValues(Array(left), Array(right))
    case (.uuid(let left), .uuid(let right)): orderOfValues(left.uuidString, right.uuidString)
    case (.objectId(let left), .objectId(let right)):
      orderOfValues(left.description, right.description)
    case (.link(let left), .link(let right)): orderOfValues(left.rawValue, right.rawValue)
    case (.object(let left), .object(let right)):
      left.classID == right.classID
        ? orderOfValues(left.id.rawValue, right.id.rawValue)
        : orderOfValues(left.classID.rawValue, right.classID.rawValue)
    case (.list(let left), .list(let right)): left.compare(right)
    case (.map(let left), .map(let right)): left.flattened.compare(right.flattened)
    default: orderOfValues(rank, other.rank)
    }
  }

  private var rank: Int {
    let kinds = [
      "nil", "bool", "int", "float", "double", "decimal", "date", "string", "data", "uuid",
      "objectId", "link", "object", "list", "map",
    ]
    return kinds.firstIndex(of: kind) ?? -1
  }
}

extension [PropertyValue] {
  /// Element by element; what ends first comes first.
  fileprivate func compare(_ other: [PropertyValue]) -> ComparisonResult {
    for (left, right) in zip(self, other) {
      let result = left.compare(right)
      if result != .orderedSame { return result }
    }
    return orderOfValues(count, other.count)
  }

  /// The elements as a set has them: in order, of equal ones only the first.
  var asSet: [PropertyValue] {
    var result: [PropertyValue] = []
    for value in self { _ = result.insertAsSet(value) }
    return result
  }

  /// Inserts a value into a set, and returns whether it was not there.
  mutating func insertAsSet(_ value: PropertyValue) -> Bool {
    let place = firstIndex { $0.compare(value) != .orderedAscending } ?? count
    if place < count, self[place].isSame(as: value) { return false }
    insert(value, at: place)
    return true
  }
}

extension [String: PropertyValue] {
  /// Names and values in turn, by name.
  fileprivate var flattened: [PropertyValue] {
    map { (PropertyValue.string($0.key), $0.value) }
      .sorted { $0.0.compare($1.0) == .orderedAscending }
      .flatMap { [$0.0, $0.1] }
  }

  /// Gives a name a value; the name is spelled as it is given last.
  mutating func replaceValue(_ value: PropertyValue, forKey key: String) {
    removeValue(forKey: key)
    self[key] = value
  }
}

private func orderOfValues<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
  left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
}

private func orderOfValues(_ left: [UInt8], _ right: [UInt8]) -> ComparisonResult {
  left.lexicographicallyPrecedes(right)
    ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
}

/// NaN comes last, and zeros are one.
private func orderOfNumbers(_ left: Double, _ right: Double) -> ComparisonResult {
  left.isNaN || right.isNaN
    ? orderOfValues(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : orderOfValues(left, right)
}

extension String {
  func isExactly(_ other: String) -> Bool {
    utf8.count == other.utf8.count && Data(utf8) == Data(other.utf8)
  }

  /// The bytes that all spellings of the text share.
  fileprivate var canonical: [UInt8] { Array(precomposedStringWithCanonicalMapping.utf8) }
}
