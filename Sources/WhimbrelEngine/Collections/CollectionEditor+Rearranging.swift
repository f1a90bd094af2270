internal import WhimbrelLMDB

extension CollectionEditor {
  /// Replaces elements with others.
  package mutating func replaceSubrange(
    _ range: Range<Int>, with values: [PropertyValue]
  ) throws {
    try removeSubrange(range)
    if try range.lowerBound == count() { return try append(contentsOf: values) }
    for (offset, value) in values.enumerated() {
      try insert(value, at: range.lowerBound + offset)
    }
  }

  /// Swaps two elements of a list. The owners of embedded objects do not change.
  package mutating func swapAt(_ first: Int, _ second: Int) throws {
    guard first != second else { return }
    let firstBytes = try tree.withElement(at: first) { $0.array }
    let secondBytes = try tree.withElement(at: second) { $0.array }
    try tree.replace(at: first, with: secondBytes)
    try tree.replace(at: second, with: firstBytes)
  }

  /// Reorders the elements of a list. The owners of embedded objects do not change.
  ///
  /// - Parameter order: The current position of each element, in the new order.
  /// - Complexity: O(*n*).
  package mutating func rearrange(_ order: [Int]) throws {
    var elements: [[UInt8]] = []
    elements.reserveCapacity(order.count)
    try tree.forEach { bytes in
      elements.append(bytes.array)
      return true
    }
    precondition(elements.count == order.count, "an order has every position once")
    try tree.removeAll()
    try tree.append(contentsOf: order.lazy.map { elements[$0] })
  }
}
