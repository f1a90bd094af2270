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

  /// Replaces all elements of a set. If it has exactly these elements already, nothing is written.
  package mutating func replaceAllInSet(with values: [PropertyValue]) throws {
    if try isSet(of: values) { return }
    try removeSubrange(0..<count())
    for value in values { _ = try insertIntoSet(value) }
  }

  /// Returns whether the set has all of some elements, which may occur more than once, and no other.
  private func isSet(of values: [PropertyValue]) throws -> Bool {
    guard try count() <= values.count else { return false }
    var positions: Set<Int> = []
    for value in values {
      let place = try place(of: value)
      guard try place.isThere && self.value(at: place.position).isIdentical(to: value) else {
        return false
      }
      positions.insert(place.position)
    }
    return try positions.count == count()
  }

  /// Replaces all entries of a map. If it has exactly these entries already, nothing is written.
  ///
  /// - Parameter entries: The entries. Each name occurs once.
  package mutating func replaceAllInMap(with entries: [(name: String, value: PropertyValue)]) throws
  {
    if try hasEntries(entries) { return }
    try removeSubrange(0..<count())
    for entry in entries { try set(entry.value, forName: entry.name) }
  }

  private func hasEntries(_ entries: [(name: String, value: PropertyValue)]) throws -> Bool {
    guard try count() == entries.count else { return false }
    for entry in entries {
      let place = try place(ofName: entry.name)
      guard try place.isThere && value(at: place.position).isIdentical(to: entry.value) else {
        return false
      }
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
