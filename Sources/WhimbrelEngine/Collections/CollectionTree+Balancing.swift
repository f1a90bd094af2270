/// The position of a changed node in its level.
enum NodePlace {
  /// Other nodes of the level follow.
  case inside
  /// The node is the last of its level.
  case last
  /// The node is the last of its level, and items are added at its end.
  case growingAtTheEnd

  /// Returns the position of a child.
  func child(_ slot: Int, of node: NodeDraft) -> NodePlace {
    slot == node.count - 1 ? self : .inside
  }
}

// MARK: - Loading and storing

extension CollectionTree {
  /// Begins a change: returns a draft of the root, and loads the next node number.
  mutating func rootDraft() throws -> NodeDraft {
    guard let root = try root() else {
      next = 1
      return NodeDraft(leafOf: format)
    }
    guard root.next > 0 else {
      throw DamagedRecord(node: 0, "does not record which numbers are in use")
    }
    next = root.next
    _ = try root.total()
    return try NodeDraft(root)
  }

  func draft(of node: NodeDraft, at slot: Int) throws -> NodeDraft {
    try NodeDraft(self.node(node.child(slot), level: node.level - 1))
  }

  /// Takes a node number during a change.
  mutating func newNumber() throws -> UInt32 {
    let number = next
    guard number < .max else {
      throw DamagedRecord(detail: "a collection has used up its node numbers")
    }
    guard try nodes.node(number, isChecked: true) == nil else {
      throw DamagedRecord(node: number, "exists, although its number was never assigned")
    }
    next = number + 1
    return number
  }

  /// Stores a node that is not the root.
  mutating func put(_ number: UInt32, _ node: NodeDraft) throws -> CollectionNode.Child {
    try nodes.put(number, node.encoded())
    return CollectionNode.Child(number: number, below: node.total)
  }

  /// Ends a change: stores the root, and adds or removes levels if needed.
  mutating func putRoot(_ draft: NodeDraft, _ place: NodePlace = .last) throws {
    var root = draft.count == 0 ? NodeDraft(leafOf: format) : draft
    while root.level > 0, root.count == 1 {
      let only = try self.draft(of: root, at: 0)
      try nodes.remove(root.child(0).number)
      root = only
    }
    let parts = parts(of: root, place)
    if parts.count > 1 { root = try inner(above: parts) }
    try nodes.put(0, root.encoded(next: next))
  }

  /// Stores nodes under new numbers, and returns their parent.
  private mutating func inner(above parts: [NodeDraft]) throws -> NodeDraft {
    let level = parts[0].level + 1
    guard level <= CollectionNode.maximumLevel else {
      throw DamagedRecord(node: 0, "is already at level \(level - 1)")
    }
    var inner = NodeDraft(innerAt: level)
    for part in parts { inner.append(try put(newNumber(), part)) }
    return inner
  }

  /// Splits a node that is too large.
  ///
  /// The parts are even, except when appending: then only the last item is split off, so that full
  /// nodes are left behind.
  private func parts(of node: NodeDraft, _ place: NodePlace) -> [NodeDraft] {
    guard place == .growingAtTheEnd, node.payload > capacity, node.count > 1 else {
      return node.parts(capacity: capacity)
    }
    return node.cut(at: node.count - 1)
  }
}

// MARK: - Keeping nodes filled

extension CollectionTree {
  /// Returns whether a node should be merged with a sibling.
  func isSmall(_ node: NodeDraft) -> Bool {
    4 * node.payload < capacity || node.level > 0 && node.count == 1
  }

  /// Stores a changed child and updates its parent. The child can be split, merged or removed.
  ///
  /// - Parameter before: The payload before the change. Only a node that shrank is merged.
  mutating func store(
    _ child: NodeDraft, before: Int, at slot: Int, in node: inout NodeDraft, _ place: NodePlace
  ) throws {
    let number = node.child(slot).number
    if child.count == 0 {
      try nodes.remove(number)
      node.replace(slot..<slot + 1, with: nil)
    } else if child.payload < before, isSmall(child), node.count > 1 {
      try merge(child, at: slot, in: &node, place)
    } else {
      let parts = parts(of: child, place)
      var children = [try put(number, parts[0])]
      for part in parts.dropFirst() { children.append(try put(newNumber(), part)) }
      node.replace(slot..<slot + 1, with: children)
    }
  }

  /// Merges a small child with a sibling, or moves items from a sibling to it. If neither helps,
  /// stores the child unchanged.
  mutating func merge(
    _ child: NodeDraft, at slot: Int, in node: inout NodeDraft, _ place: NodePlace
  ) throws {
    for left in [slot, slot - 1] where left >= 0 && left + 1 < node.count {
      let other = try draft(of: node, at: left == slot ? slot + 1 : slot - 1)
      let (first, second) = left == slot ? (child, other) : (other, child)
      var joined = first
      joined.append(itemsOf: second)
      guard isWorthSharing(joined, place) else { continue }
      try mendSeam(in: &joined, first.count, second.count)
      return try share(joined, at: left, in: &node, place)
    }
    let number = node.child(slot).number
    node.replace(slot..<slot + 1, with: [try put(number, child)])
  }

  /// Returns whether the items of two siblings fit into one node, or are enough for two.
  ///
  /// The last node of a level does not take items from its sibling, because appending will fill it.
  private func isWorthSharing(_ joined: NodeDraft, _ place: NodePlace) -> Bool {
    if joined.payload <= capacity { return true }
    guard place == .inside else { return false }
    return joined.cut(at: joined.evenCut).allSatisfy {
      !isSmall($0) && ($0.payload <= capacity || $0.count == 1)
    }
  }

  /// Stores the items of two siblings in one or both of them.
  private mutating func share(
    _ joined: NodeDraft, at left: Int, in node: inout NodeDraft, _ place: NodePlace
  ) throws {
    let (first, second) = (node.child(left).number, node.child(left + 1).number)
    guard joined.payload <= capacity else {
      let parts = joined.cut(at: joined.evenCut)
      let children = [try put(first, parts[0]), try put(second, parts[1])]
      return node.replace(left..<left + 2, with: children)
    }
    try nodes.remove(second)
    let merged = CollectionNode.Child(number: first, below: joined.total)
    node.replace(left..<left + 2, with: [merged])
    if isSmall(joined), node.count > 1 {
      try merge(joined, at: left, in: &node, place)
    } else {
      _ = try put(first, joined)
    }
  }

  /// Merges small children where two nodes were joined.
  ///
  /// An only child can be small, because it does not have a sibling. After the join it has one.
  private mutating func mendSeam(
    in joined: inout NodeDraft, _ firstCount: Int, _ secondCount: Int
  ) throws {
    guard joined.level > 0 else { return }
    if secondCount == 1 { try mend(at: firstCount, in: &joined, .inside) }
    if firstCount == 1 { try mend(at: 0, in: &joined, .inside) }
  }

  /// Merges a child with a sibling if the child is small.
  mutating func mend(at slot: Int, in node: inout NodeDraft, _ place: NodePlace) throws {
    guard slot < node.count, node.count > 1 else { return }
    let child = try draft(of: node, at: slot)
    if isSmall(child) { try merge(child, at: slot, in: &node, place) }
  }
}
