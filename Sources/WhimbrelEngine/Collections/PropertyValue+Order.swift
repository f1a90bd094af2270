/// The order in which sets keep their elements, and maps their names.
///
/// Two values that neither precedes the other are one element: −0 is 0, all NaNs
/// are one, and so are texts that Unicode calls equivalent, as for Swift's `==`.
extension PropertyValue {
  /// Whether this comes before another in the order of sets: nil first, then by
  /// kind, then by value.
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

  /// Whether both are one element of a set.
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
  /// The elements in the order of their names, whatever their spelling.
  fileprivate var sortedInOrder: [(name: String, value: PropertyValue)] {
    map { ($0.key, $0.value) }.sorted { $0.0.precedesInOrder($1.0) }
  }
}
