package import WhimbrelLMDB

/// A sequence of elements, each a byte string, in a counted B+tree.
///
/// Lists, sets and maps of an object are kept like this: lists are addressed by
/// position, the others are kept in order by their owner and searched with
/// ``partitionPoint(where:)``. Inserting, replacing, removing and finding an
/// element by its position all touch O(log *n*) nodes.
///
/// Indices out of bounds are errors of the program. Bytes that do not fit
/// together are not: reading and changing throw ``DamagedCollection``. When a
/// change throws, what it had put is left as it is; undo the transaction.
///
/// Invariants, which ``check()`` verifies:
/// 1. The root is number 0. No other number is given out twice, and all are less
///    than the root's `next`.
/// 2. Every child is one level below its parent and holds as many elements as its
///    parent says, at least one.
/// 3. A node has room for its items, unless it is a leaf of one large element.
/// 4. A node is at least a quarter full, but for the root, the last node of each
///    level (so that appending leaves full nodes behind), and leaves of any sizes,
///    which may be held apart by large elements.
package struct CollectionTree<Nodes: NodeStore> {
  /// Where the nodes are kept.
  package var nodes: Nodes
  /// How elements are laid out.
  package let format: ElementFormat
  /// How many bytes of items a node has room for.
  let capacity: Int
  /// The root's next number, while a change is under way.
  var next: UInt32 = 1

  /// Makes a tree from its nodes.
  ///
  /// - Parameter nodeLimit: how many bytes a node takes at most, unless it is a
  ///   leaf with a single element.
  package init(_ nodes: Nodes, _ format: ElementFormat, nodeLimit: Int = 1_900) {
    self.nodes = nodes
    self.format = format
    capacity = nodeLimit & ~7 - CollectionNode.headerSize
    precondition(capacity >= 6 * CollectionNode.childSize, "the nodes are too small")
    if case .fixed(let width) = format {
      precondition(width > 0 && 2 * width <= capacity, "two elements must fit into a node")
    }
  }
}

// MARK: - Nodes

extension CollectionTree {
  /// The root, or nil when there are no bytes.
  func root() throws -> CollectionNode? {
    guard let bytes = try nodes.node(0), bytes.count > 0 else { return nil }
    return try CollectionNode(bytes, number: 0, format: format)
  }

  /// A node, after making sure that it is what its parent says.
  func node(_ child: CollectionNode.Child, level: Int) throws -> CollectionNode {
    guard let bytes = try nodes.node(child.number) else {
      throw DamagedCollection(child.number, "is missing")
    }
    let node = try CollectionNode(bytes, number: child.number, format: format)
    guard node.level == level else {
      throw DamagedCollection(
        child.number, "has level \(node.level) where its parent asks for \(level)")
    }
    let total = try node.total()
    guard total == child.below else {
      throw DamagedCollection(
        child.number, "has \(total) elements where its parent counts \(child.below)")
    }
    return node
  }
}

// MARK: - Reading by position

extension CollectionTree {
  /// How many elements there are.
  ///
  /// - Complexity: O(1).
  package func count() throws -> Int {
    try root()?.total() ?? 0
  }

  /// Calls `body` with the element at an index.
  ///
  /// - Complexity: O(log *n*), and nothing is allocated.
  package func withElement<Result>(
    at index: Int, _ body: (PageBytes) throws -> Result
  ) throws -> Result {
    let leaf = try leaf(containing: index)
    return try body(leaf.element(index - leaf.start))
  }

  /// The leaf that holds the element at an index, valid until the next change.
  ///
  /// - Complexity: O(log *n*), and nothing is allocated.
  package func leaf(containing index: Int) throws -> LeafView {
    precondition(index >= 0, "the index is negative")
    guard var node = try root() else { preconditionFailure("the collection is empty") }
    var start = 0
    while !node.isLeaf {
      guard let place = node.slot(of: index - start) else {
        // A child that does not have what its parent says was refused before.
        preconditionFailure("the index is past the end")
      }
      start += place.start
      node = try self.node(node.child(place.slot), level: node.level - 1)
    }
    precondition(index - start < node.count, "the index is past the end")
    return LeafView(node: node, start: start)
  }

  /// Neighbouring elements that are stored in one leaf.
  package struct LeafView {
    let node: CollectionNode
    /// The index of the first.
    package let start: Int

    /// How many there are.
    package var count: Int { node.count }

    /// The element at an offset from the first.
    package func element(_ offset: Int) throws(DamagedCollection) -> PageBytes {
      try node.element(offset)
    }
  }
}
