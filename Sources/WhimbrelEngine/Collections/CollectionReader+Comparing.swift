internal import WhimbrelLMDB

extension CollectionReader {
  /// Returns whether another collection of the same type has the same elements in the same order. In
  /// maps, the names must be the same, too. The nodes of the two collections may differ.
  ///
  /// - Complexity: O(*n*), but leaves with the same bytes are compared as a whole.
  func hasSameElements(as other: CollectionReader) throws -> Bool {
    guard coding == other.coding, count == other.count else { return false }
    var position = 0
    while position < count {
      let (left, right) = (try leaf(containing: position), try other.leaf(containing: position))
      let end = min(left.range.upperBound, right.range.upperBound)
      if !left.hasSameBytes(as: right) {
        for place in position..<end where try !left.hasSameElement(as: right, at: place) {
          return false
        }
      }
      position = end
    }
    return true
  }
}

extension CollectionReader.Leaf {
  /// Returns whether both leaves have the same bytes, which contain all of their elements.
  fileprivate func hasSameBytes(as other: Self) -> Bool {
    // Long texts and data are stored in chunks outside of the leaf.
    guard !reader.coding.element.type.isVariable, range == other.range else { return false }
    return view.node.bytes.isEqual(to: other.view.node.bytes)
  }

  fileprivate func hasSameElement(as other: Self, at position: Int) throws -> Bool {
    let left = try view.element(position - view.start)
    let right = try other.view.element(position - other.view.start)
    if left.isEqual(to: right), try reader.coding.chunks(of: left) == nil { return true }
    if reader.coding.isMap {
      let name = try reader.coding.nameBytes(left)
      guard try name.isEqual(to: reader.coding.nameBytes(right)) else { return false }
    }
    return try value(at: position).isIdentical(to: other.value(at: position))
  }
}
