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

  /// Replaces all elements of a list. If it has these elements already, nothing is written, because
  /// observers would get it as a change.
  package mutating func replaceAll(with values: [PropertyValue]) throws {
    if try hasElements(values) { return }
    try replaceSubrange(0..<count(), with: values)
  }

  private func hasElements(_ values: [PropertyValue]) throws -> Bool {
    guard try count() == values.count else { return false }
    for (position, value) in values.enumerated() {
      guard try self.value(at: position).isIdentical(to: value) else { return false }
    }
    return true
  }

  /// Swaps two elements of a list. The owners of embedded objects do not change.
  package mutating func swapAt(_ first: Int, _ second: Int) throws {
    guard first != second else { return }
    let firstBytes = try tree.withElement(at: first) { $0.array }
    let secondBytes = try tree.withElement(at: second) { $0.array }
    try tree.replace(at: first, with: secondBytes)
    try tree.replace(at: second, with: firstBytes)
  }

  /// Reorders the elements of a list. The owners of embedded objects do not change. If the order is
  /// the present one, nothing is written, because observers would get it as a change.
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
    if order.indices.allSatisfy({ elements[order[$0]] == elements[$0] }) { return }
    try tree.removeAll()
    try tree.append(contentsOf: order.lazy.map { elements[$0] })
  }
}
