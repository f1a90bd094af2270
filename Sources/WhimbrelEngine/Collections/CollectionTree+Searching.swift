package import WhimbrelLMDB

extension CollectionTree {
  /// Calls `body` with each element in turn, until it returns false.
  package func forEach(_ body: (PageBytes) throws -> Bool) throws {
    guard let root = try root() else { return }
    var seen: Set<UInt32> = []
    _ = try visit(root, &seen) { leaf in
      for slot in 0..<leaf.count where try !body(leaf.element(slot)) { return false }
      return true
    }
  }

  /// Calls `body` with each element in a range of positions.
  func forEach(in range: Range<Int>, _ body: (PageBytes) throws -> Void) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      let leaf = try leaf(containing: position)
      let end = min(leaf.start + leaf.count, range.upperBound)
      for place in position..<end { try body(leaf.element(place - leaf.start)) }
      position = end
    }
  }

  /// Returns the numbers of all nodes, starting with the root.
  ///
  /// - Complexity: O(*n*). Leaves are not read.
  package func nodeNumbers() throws -> [UInt32] {
    guard let root = try root() else { return try nodes.node(0, isChecked: true) == nil ? [] : [0] }
    var seen: Set<UInt32> = [0]
    var numbers: [UInt32] = [0]
    try collectNumbers(below: root, &seen, &numbers)
    return numbers
  }

  private func collectNumbers(
    below node: CollectionNode, _ seen: inout Set<UInt32>, _ numbers: inout [UInt32]
  ) throws {
    guard !node.isLeaf else { return }
    for slot in 0..<node.count {
      let child = try node.child(slot)
      try see(child, &seen)
      numbers.append(child.number)
      guard node.level > 1 else { continue }
      let inner = try self.node(child, level: node.level - 1)
      try collectNumbers(below: inner, &seen, &numbers)
    }
  }

  /// Calls `body` with the leaves in order, until it returns false.
  private func visit(
    _ node: CollectionNode, _ seen: inout Set<UInt32>, _ body: (CollectionNode) throws -> Bool
  ) throws -> Bool {
    guard !node.isLeaf else { return try body(node) }
    for slot in 0..<node.count {
      let child = try node.child(slot)
      try see(child, &seen)
      let node = try self.node(child, level: node.level - 1)
      guard try visit(node, &seen, body) else { return false }
    }
    return true
  }

  /// Throws if a node was already visited. Without the check, damaged nodes that share children
  /// could form an endless number of elements.
  private func see(_ child: CollectionNode.Child, _ seen: inout Set<UInt32>) throws {
    guard seen.insert(child.number).inserted else {
      throw DamagedRecord(node: child.number, "is the child of two nodes")
    }
  }
}

// MARK: - Searching

extension CollectionTree {
  /// The place of an element, or the end.
  package struct Place {
    package let index: Int
    /// The element at the index, or nil at the end. It is valid until the next change.
    package let element: PageBytes?
  }

  /// Returns the place of the first element that satisfies a condition, or the end.
  ///
  /// The collection must be partitioned: if an element satisfies the condition, all later elements
  /// must satisfy it too.
  ///
  /// - Complexity: O(log *n*) elements are read.
  package func partitionPoint(where isInSecondHalf: (PageBytes) throws -> Bool) throws -> Place {
    guard var node = try root() else { return Place(index: 0, element: nil) }
    let count = try node.total()
    var start = 0
    while !node.isLeaf {
      // The partition point is in the last child whose first element is in the first half. It is
      // after that element, at the latest at the end of the child.
      let second = try (1..<node.count).partitionPoint { slot in
        try isInSecondHalf(firstElement(below: node, slot))
      }
      for slot in 0..<second - 1 { start += try node.child(slot).below }
      node = try self.node(node.child(second - 1), level: node.level - 1)
    }
    let slot = try (0..<node.count).partitionPoint { slot in try isInSecondHalf(node.element(slot))
    }
    let index = start + slot
    if slot < node.count { return Place(index: index, element: try node.element(slot)) }
    guard index < count else { return Place(index: index, element: nil) }
    // A damaged first element can lead the search to a child that is too far left. The first element
    // of the next leaf, which is checked now, shows that.
    let element = try leaf(containing: index).element(0)
    guard try isInSecondHalf(element) else {
      throw DamagedRecord(detail: "a set or a map is out of order")
    }
    return Place(index: index, element: element)
  }

  /// Returns the first element below a child. Checksums are not checked: the child that a search
  /// chooses is read again.
  private func firstElement(below parent: CollectionNode, _ slot: Int) throws -> PageBytes {
    var node = try uncheckedNode(parent.child(slot), level: parent.level - 1)
    while !node.isLeaf { node = try uncheckedNode(node.child(0), level: node.level - 1) }
    return try node.element(0)
  }
}
