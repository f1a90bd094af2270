internal import Foundation

/// The order in which sets keep their elements, and maps their names.
///
/// Two values that neither precedes the other are one element: −0 is 0, all NaNs
/// are one, and so are texts that Unicode calls equivalent, as for Swift's `==`.
extension PropertyValue {
  /// Whether this comes before another in the order of sets: nil first, then by
  /// kind, then by value.
  package func precedes(_ other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.int(let left), .int(let right)): left < right
    case (.float(let left), .float(let right)): Double(left).precedesInOrder(Double(right))
    case (.double(let left), .double(let right)): left.precedesInOrder(right)
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.precedesInOrder(right.timeIntervalSinceReferenceDate)
    case (.string(let left), .string(let right)): left.precedesInOrder(right)
    case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
    case (.uuid(let left), .uuid(let right)): left.bytes.lexicographicallyPrecedes(right.bytes)
    case (.decimal(let left), .decimal(let right)):
      left.isNaN ? false : right.isNaN || left < right
    case (.objectId(let left), .objectId(let right)): left < right
    case (.link(let left), .link(let right)): left < right
    case (.object(let left), .object(let right)):
      (left.classID, left.id) < (right.classID, right.id)
    case (.list(let left), .list(let right)):
      left.lexicographicallyPrecedes(right) { $0.precedes($1) }
    case (.map(let left), .map(let right)):
      left.sortedInOrder.lexicographicallyPrecedes(right.sortedInOrder) { left, right in
        if left.name.precedesInOrder(right.name) { return true }
        return left.name == right.name && left.value.precedes(right.value)
      }
    default: rank < other.rank
    }
  }

  /// Whether both are one element of a set.
  package func isSameElement(as other: PropertyValue) -> Bool {
    !precedes(other) && !other.precedes(self)
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .float: 3
    case .double: 4
    case .decimal: 5
    case .date: 6
    case .string: 7
    case .data: 8
    case .uuid: 9
    case .objectId: 10
    case .link: 11
    case .object: 12
    case .list: 13
    case .map: 14
    }
  }
}

extension Double {
  /// The order of numbers, with NaN behind them all.
  fileprivate func precedesInOrder(_ other: Double) -> Bool {
    isNaN ? false : other.isNaN || self < other
  }
}

extension String {
  /// The order of the UTF-8 of both in Unicode's normal form C.
  package func precedesInOrder(_ other: String) -> Bool {
    // Not `<` for all: it gives some texts that are not in the form, such as U+0344, no
    // order.
    if isPlain, other.isPlain { return self < other }
    return precomposedStringWithCanonicalMapping.utf8.lexicographicallyPrecedes(
      other.precomposedStringWithCanonicalMapping.utf8)
  }

  /// Whether no character is U+0300 or above, so that the text is in normal form C.
  private var isPlain: Bool {
    // Safe: the bytes of the string, inside of the closure.
    let isPlain = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bytes.allSatisfy { $0 < 0xCC }
    }
    return isPlain ?? utf8.allSatisfy { $0 < 0xCC }
  }
}

extension [String: PropertyValue] {
  /// The elements in the order of their names, whatever their spelling.
  fileprivate var sortedInOrder: [(name: String, value: PropertyValue)] {
    map { ($0.key, $0.value) }.sorted { $0.0.precedesInOrder($1.0) }
  }
}

extension UUID {
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    KeyEncoding.append(self, to: &bytes)
    return bytes
  }
}
