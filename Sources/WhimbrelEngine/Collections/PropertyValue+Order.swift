/// The order of the elements of sets and of the names of maps.
///
/// Two values are the same element if neither precedes the other. −0 is the same as 0, all NaNs are
/// the same, and canonically equivalent strings are the same, as with Swift's `==`.
extension PropertyValue {
  /// Returns whether this value precedes another in the order of sets: nil first, then by kind,
  /// then by value.
  package func precedes(_ other: PropertyValue) -> Bool {
    switch (self, other) {
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
    default: scalarPrecedes(other) ?? (rank < other.rank)
    }
  }

  /// Returns whether two values are the same element of a set.
  package func isSameElement(as other: PropertyValue) -> Bool {
    !precedes(other) && !other.precedes(self)
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .link: 11
    case .object: 12
    case .list: 13
    case .map: 14
    default: scalar.map { type(of: $0).marks.rank } ?? 0
    }
  }
}

extension [String: PropertyValue] {
  /// The elements, sorted by their names, which are compared in normal form.
  fileprivate var sortedInOrder: [(name: String, value: PropertyValue)] {
    map { ($0.key, $0.value) }.sorted { $0.0.precedesInOrder($1.0) }
  }
}
