extension CollectionTree {
  /// Removes the element at an index.
  ///
  /// - Complexity: O(log *n*).
  package mutating func remove(at index: Int) throws {
    var root = try rootDraft()
    precondition(index >= 0 && index < root.total, "the index is out of bounds")
    try splice(index..<index + 1, with: nil, below: &root, .last)
    try putRoot(root)
  }

  /// Removes a range of elements.
  ///
  /// - Complexity: O(*k* + log *n*) for *k* elements. Leaves that lose all elements are not read.
  package mutating func removeSubrange(_ range: Range<Int>) throws {
    var root = try rootDraft()
    precondition(
      range.lowerBound >= 0 && range.upperBound <= root.total, "the range is out of bounds")
    guard !range.isEmpty else { return }
    guard range.count < root.total else { return try removeAll() }
    try removeElements(range, below: &root, .last)
    try putRoot(root)
  }

  /// Removes the elements at increasing indices. Each node on the way is changed once.
  ///
  /// - Complexity: O(*m* log *n*) for *m* leaves. Leaves that lose all elements are not read.
  package mutating func remove(at indices: [Int]) throws {
    guard let first = indices.first, let last = indices.last else { return }
    var root = try rootDraft()
    precondition(first >= 0 && last < root.total, "an index is out of bounds")
    guard indices.count < root.total else { return try removeAll() }
    try removeElements(at: indices[...], from: 0, below: &root, .last)
    try putRoot(root)
  }

  /// Removes some but not all of the elements below a node.
  ///
  /// - Parameter start: The index of the first element below the node.
  private mutating func removeElements(
    at indices: ArraySlice<Int>, from start: Int, below node: inout NodeDraft, _ place: NodePlace
  ) throws {
    guard node.level > 0 else { return node.removeItems(at: indices, from: start) }
    var (rest, end) = (indices, start + node.total)
    var changed: Set<UInt32> = []
    // The loop goes from last to first, so that earlier slots do not change.
    for slot in (0..<node.count).reversed() {
      let child = node.child(slot)
      end -= child.below
      let below = rest[(rest.lastIndex { $0 < end } ?? rest.startIndex - 1) + 1..<rest.endIndex]
      rest = rest[..<below.startIndex]
      if below.isEmpty { continue }
      guard below.count < child.below else {
        try removeNodes(child, level: node.level - 1)
        node.replace(slot..<slot + 1, with: nil)
        continue
      }
      var draft = try draft(of: node, at: slot)
      try removeElements(at: below, from: end, below: &draft, place.child(slot, of: node))
      node.replace(slot..<slot + 1, with: [try put(child.number, draft)])
      changed.insert(child.number)
    }
    for slot in (0..<node.count).reversed()
    where slot < node.count && changed.contains(node.child(slot).number) {
      try mend(at: slot, in: &node, place.child(slot, of: node))
    }
  }

  /// Removes all elements. An empty root remains, which keeps the next node number.
  ///
  /// - Complexity: O(*n*). Leaves are not read.
  package mutating func removeAll() throws {
    let root = try rootDraft()
    if root.level > 0 {
      for slot in 0..<root.count { try removeNodes(root.child(slot), level: root.level - 1) }
    }
    try nodes.put(0, NodeDraft(leafOf: format).encoded(next: next))
  }

  /// Removes a node with all nodes below it.
  private mutating func removeNodes(_ child: CollectionNode.Child, level: Int) throws {
    if level > 0 {
      let node = try NodeDraft(self.node(child, level: level))
      for slot in 0..<node.count { try removeNodes(node.child(slot), level: level - 1) }
    }
    try nodes.remove(child.number)
  }

  /// Removes some but not all of the elements below a node.
  ///
  /// The children at the ends of the range lose some elements, unless they are removed entirely.
  /// They are merged with a sibling after all children between them are removed.
  private mutating func removeElements(
    _ range: Range<Int>, below node: inout NodeDraft, _ place: NodePlace
  ) throws {
    guard node.level > 0 else { return node.replace(range, with: nil) }
    let (first, firstStart) = node.slot(of: range.lowerBound)
    let (last, lastStart) = node.slot(of: range.upperBound - 1)
    let lastEnd = lastStart + node.child(last).below
    let cutsFirst = range.lowerBound > firstStart || first == last && range.upperBound < lastEnd
    let cutsLast = first < last && range.upperBound < lastEnd

    let whole = first + (cutsFirst ? 1 : 0)..<max(last + (cutsLast ? 0 : 1), first + 1)
    if cutsLast { try cut(0..<range.upperBound - lastStart, at: last, in: &node, place) }
    if cutsFirst {
      let end = min(range.upperBound - firstStart, node.child(first).below)
      try cut(range.lowerBound - firstStart..<end, at: first, in: &node, place)
    }
    for slot in whole { try removeNodes(node.child(slot), level: node.level - 1) }
    node.replace(whole, with: nil)

    if cutsLast {
      try mend(at: whole.lowerBound, in: &node, place.child(whole.lowerBound, of: node))
    }
    if cutsFirst { try mend(at: first, in: &node, place.child(first, of: node)) }
  }

  /// Removes some but not all of the elements of a child.
  private mutating func cut(
    _ range: Range<Int>, at slot: Int, in node: inout NodeDraft, _ place: NodePlace
  ) throws {
    var child = try draft(of: node, at: slot)
    try removeElements(range, below: &child, place.child(slot, of: node))
    let stored = try put(node.child(slot).number, child)
    node.replace(slot..<slot + 1, with: [stored])
  }
}
