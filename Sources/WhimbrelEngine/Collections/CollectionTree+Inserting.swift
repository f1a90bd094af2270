extension CollectionTree {
  /// Inserts an element before the one at an index, or at the end.
  ///
  /// - Complexity: O(log *n*).
  package mutating func insert(_ element: [UInt8], at index: Int) throws {
    checkWidth(of: element)
    var root = try rootDraft()
    let total = root.total
    precondition(index >= 0 && index <= total, "the index is out of bounds")
    let place: NodePlace = index == total ? .growingAtTheEnd : .last
    try splice(index..<index, with: element, below: &root, place)
    try putRoot(root, place)
  }

  /// Replaces the element at an index.
  ///
  /// - Complexity: O(log *n*). Only the leaf is written, unless it becomes too large or too small.
  package mutating func replace(at index: Int, with element: [UInt8]) throws {
    checkWidth(of: element)
    let view = try leaf(containing: index)
    var leaf = try NodeDraft(view.node)
    let before = leaf.payload
    leaf.replace(index - view.start..<index - view.start + 1, with: element)
    let fits = leaf.payload <= capacity || leaf.count == 1
    if fits, leaf.payload >= before || !isSmall(leaf) || view.node.number == 0 {
      let next = view.node.number == 0 ? view.node.next : 0
      return try nodes.put(view.node.number, leaf.encoded(next: next))
    }
    var root = try rootDraft()
    try splice(index..<index + 1, with: element, below: &root, .last)
    try putRoot(root)
  }

  /// Replaces at most one element with at most one element.
  mutating func splice(
    _ range: Range<Int>, with element: [UInt8]?, below node: inout NodeDraft, _ place: NodePlace
  ) throws {
    guard node.level > 0 else { return node.replace(range, with: element) }
    let (slot, start) = node.slot(of: range.lowerBound)
    let childPlace = place.child(slot, of: node)
    var child = try draft(of: node, at: slot)
    let before = child.payload
    let inChild = range.lowerBound - start..<range.upperBound - start
    try splice(inChild, with: element, below: &child, childPlace)
    try store(child, before: before, at: slot, in: &node, childPlace)
  }

  func checkWidth(of element: [UInt8]) {
    if case .fixed(let width) = format {
      precondition(element.count == width, "the element has the wrong size")
    }
  }

  /// Takes a node number for data that the caller stores beside the nodes.
  ///
  /// - Throws: ``DamagedRecord`` if the collection is damaged or all numbers are taken.
  package mutating func takeNumber() throws -> UInt32 {
    let root = try rootDraft()
    let number = try newNumber()
    try nodes.put(0, root.encoded(next: next))
    return number
  }
}
