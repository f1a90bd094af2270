package import WhimbrelLMDB

/// A sequence of elements, each a byte string, in a counted B+tree.
///
/// It stores the lists, sets and maps of objects. Lists are accessed by position. The owner of a
/// set or a map keeps the elements in order and searches them with ``partitionPoint(where:)``.
/// Inserting, replacing, removing and finding an element by position each touch O(log *n*) nodes.
///
/// An index out of bounds is a programming error. Damaged bytes are not: reading and changing throw
/// ``DamagedRecord``. If a change throws, its partial writes remain; abort the transaction.
///
/// Invariants, which ``check()`` verifies:
/// 1. The root has number 0. All other numbers are unique and less than the root's `next`.
/// 2. Every child is one level below its parent and holds as many elements as its parent states, at
///    least one.
/// 3. The items of a node do not exceed its capacity, unless it is a leaf with one large element.
/// 4. A node is at least a quarter full. The exceptions are the root, the last node of each level
///    (so that appending leaves full nodes behind), and leaves of any widths, because large
///    elements can prevent a merge.
package struct CollectionTree<Nodes: NodeStore> {
  package var nodes: Nodes
  /// The layout of elements in leaves.
  package let format: ElementFormat
  /// The maximum size of a node's items, in bytes.
  let capacity: Int
  /// The next node number, which is valid during a change.
  var next: UInt32 = 1

  /// Creates a tree from its nodes.
  ///
  /// - Parameter nodeLimit: The maximum size of a node in bytes, unless it is a leaf with a single
  ///   element.
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
  /// Returns the root, or nil if there are no bytes.
  func root() throws -> CollectionNode? {
    guard let bytes = try nodes.node(0, isChecked: true), bytes.count > 0 else { return nil }
    return try CollectionNode(bytes, number: 0, format: format)
  }

  /// Returns a node, after checking that it matches the description in its parent.
  func node(_ child: CollectionNode.Child, level: Int) throws -> CollectionNode {
    let node = try node(child.number, level: level, isChecked: true)
    let total = try node.total()
    guard total == child.below else {
      throw DamagedRecord(
        node: child.number, "has \(total) elements, but its parent records \(child.below)")
    }
    return node
  }

  /// Returns a node whose checksum is not checked, for a search that does not depend on it. The node
  /// has at least one item.
  func uncheckedNode(_ child: CollectionNode.Child, level: Int) throws -> CollectionNode {
    let node = try node(child.number, level: level, isChecked: false)
    guard node.count > 0 else { throw DamagedRecord(node: child.number, "has no elements") }
    return node
  }

  private func node(
    _ number: UInt32, level: Int, isChecked: Bool
  ) throws -> CollectionNode {
    guard let bytes = try nodes.node(number, isChecked: isChecked) else {
      throw DamagedRecord(node: number, "is missing")
    }
    let node = try CollectionNode(bytes, number: number, format: format)
    guard node.level == level else {
      throw DamagedRecord(
        node: number, "has level \(node.level), but its parent expects \(level)")
    }
    return node
  }
}

// MARK: - Reading by position

extension CollectionTree {
  /// Returns the number of elements.
  ///
  /// - Complexity: O(1).
  package func count() throws -> Int {
    try root()?.total() ?? 0
  }

  /// Calls `body` with the element at an index.
  ///
  /// - Complexity: O(log *n*), without allocations.
  package func withElement<Result>(
    at index: Int, _ body: (PageBytes) throws -> Result
  ) throws -> Result {
    let leaf = try leaf(containing: index)
    return try body(leaf.element(index - leaf.start))
  }

  /// Returns the leaf that contains the element at an index. It is valid until the next change.
  ///
  /// - Complexity: O(log *n*), without allocations.
  package func leaf(containing index: Int) throws -> LeafView {
    precondition(index >= 0, "the index is negative")
    guard var node = try root() else { preconditionFailure("the collection is empty") }
    var start = 0
    while !node.isLeaf {
      guard let place = node.slot(of: index - start) else {
        // A child with fewer elements than its parent states has already thrown.
        preconditionFailure("the index is past the end")
      }
      start += place.start
      node = try self.node(node.child(place.slot), level: node.level - 1)
    }
    precondition(index - start < node.count, "the index is past the end")
    return LeafView(node: node, start: start)
  }

  /// Adjacent elements that are stored in one leaf.
  package struct LeafView {
    let node: CollectionNode
    /// The index of the first element.
    package let start: Int

    package var count: Int { node.count }

    /// The indexes of the elements.
    package var indices: Range<Int> { start..<start + count }

    /// Returns the element at an offset from the first one.
    package func element(_ offset: Int) throws(DamagedRecord) -> PageBytes {
      try node.element(offset)
    }
  }
}

/// A store of the nodes of one collection, by number.
package protocol NodeStore {
  /// Returns the bytes of the node with a number, or nil.
  ///
  /// The bytes are valid until the next `put` or `remove`. The root has number 0. A collection
  /// without a root, or whose root has no bytes, is empty.
  ///
  /// - Parameter isChecked: Whether a wrong checksum is an error, if the store keeps checksums.
  func node(_ number: UInt32, isChecked: Bool) throws -> PageBytes?

  /// Stores a node. It replaces a node with the same number.
  ///
  /// - Parameter bytes: The node, whose size is a multiple of eight. The first four bytes are zero;
  ///   the store can keep a checksum there.
  mutating func put(_ number: UInt32, _ bytes: [UInt8]) throws

  mutating func remove(_ number: UInt32) throws
}

/// The layout of elements in the leaves of a collection.
package enum ElementFormat: Hashable, Sendable {
  /// Every element takes the same number of bytes, at least one.
  case fixed(width: Int)
  /// An element takes any number of bytes, including zero.
  case variable

  /// The size of an element in bytes, or zero if sizes differ.
  var width: Int {
    switch self {
    case .fixed(let width): width
    case .variable: 0
    }
  }
}
