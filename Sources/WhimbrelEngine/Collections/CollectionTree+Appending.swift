extension CollectionTree {
  /// Appends elements. Each leaf is filled before the next one is begun.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* elements.
  package mutating func append(contentsOf elements: some Sequence<[UInt8]>) throws {
    var iterator = elements.makeIterator()
    guard var element = iterator.next() else { return }
    var edge = try openEdge()
    while true {
      checkWidth(of: element)
      if !hasRoom(edge[0].node, for: element.count) { try close(0, of: &edge) }
      edge[0].node.append(element)
      guard let following = iterator.next() else { break }
      element = following
    }
    try finish(&edge)
  }

  private func hasRoom(_ node: NodeDraft, for length: Int) -> Bool {
    node.count == 0 || node.payload + length + (node.width == 0 ? 4 : 0) <= capacity
  }

  /// Returns the last nodes of all levels, from the leaf to the root.
  private mutating func openEdge() throws -> [OpenNode] {
    var edge = [OpenNode(number: 0, node: try rootDraft())]
    while edge[0].node.level > 0 {
      let slot = edge[0].node.count - 1
      let child = try draft(of: edge[0].node, at: slot)
      let number = edge[0].node.child(slot).number
      edge[0].node.replace(slot..<slot + 1, with: nil)
      edge.insert(OpenNode(number: number, node: child), at: 0)
    }
    return edge
  }

  /// Stores the open node of a level and begins the next one.
  private mutating func close(_ level: Int, of edge: inout [OpenNode]) throws {
    if level == edge.count - 1 { try raise(&edge) }
    try addToParent(level, of: &edge)
    let empty =
      level == 0 ? NodeDraft(leafOf: format) : NodeDraft(innerAt: level)
    edge[level] = OpenNode(number: try newNumber(), node: empty)
  }

  /// Adds a new root above the current one, which gets a new number.
  private mutating func raise(_ edge: inout [OpenNode]) throws {
    let level = edge.count
    guard level <= CollectionNode.maximumLevel else {
      throw DamagedRecord(node: 0, "is already at level \(level - 1)")
    }
    edge[level - 1].number = try newNumber()
    edge.append(OpenNode(number: 0, node: NodeDraft(innerAt: level)))
  }

  /// Stores the open node of a level and adds it to its parent.
  private mutating func addToParent(_ level: Int, of edge: inout [OpenNode]) throws {
    let child = try put(edge[level].number, edge[level].node)
    if !hasRoom(edge[level + 1].node, for: CollectionNode.childSize) {
      try close(level + 1, of: &edge)
    }
    edge[level + 1].node.append(child)
  }

  private mutating func finish(_ edge: inout [OpenNode]) throws {
    var level = 0
    // The count is read again in each round: adding to a full parent can add a level.
    while level < edge.count - 1 {
      try addToParent(level, of: &edge)
      level += 1
    }
    try nodes.put(0, edge[level].node.encoded(next: next))
  }
}

/// The last node of a level while elements are appended.
///
/// Invariant: The last child of an open node is open too, and is not among its items until it is
/// stored. A node is opened only if an item follows.
private struct OpenNode {
  var number: UInt32
  var node: NodeDraft
}
