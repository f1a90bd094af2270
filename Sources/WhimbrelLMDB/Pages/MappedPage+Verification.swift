extension MappedPage {
  /// Verifies the properties of the page that do not depend on how it is used: the nodes fill their
  /// space without overlap or gap, their flags and sizes are allowed, and the keys ascend. The keys
  /// must be at least `lower` and less than `upper`.
  ///
  /// - Complexity: O(*nodes*).
  func verify(
    isLeaf: Bool, of tree: PageTree, from lower: PageBytes?, before upper: PageBytes?
  ) throws(Failure) {
    if tree.hasNumberKeys {
      try verifyNumbers(isLeaf: isLeaf, from: lower, before: upper)
    } else {
      try verifyBytes(isLeaf: isLeaf, isMain: tree.isMain, from: lower, before: upper)
    }
  }

  private func verifyNumbers(
    isLeaf: Bool, from lower: PageBytes?, before upper: PageBytes?
  ) throws(Failure) {
    let upper = try separator(upper)
    var least = try separator(lower) ?? 0
    // A scan verifies each leaf page, and nearly all of them are sound.
    if isLeaf, isPlainlySound(from: least, before: upper) { return }
    var chain = NodeChain(end: size)
    var mayBeLeast = true
    for index in 0..<count {
      let node = try node(index)
      try chain.add(node.offset, length(of: node, index, isLeaf: isLeaf, isMain: false))
      // LMDB: the first node of a branch page has no key.
      if index == 0, !isLeaf { continue }
      let key = try number(of: index)
      guard key > least || mayBeLeast && key == least else {
        throw .damaged(
          page: number,
          reason: mayBeLeast ? .keyOutOfRange(node: index) : .keyOrder(node: index))
      }
      (least, mayBeLeast) = (key, false)
    }
    try check(chain)
    if let upper, !mayBeLeast, least >= upper {
      throw .damaged(page: number, reason: .keyOutOfRange(node: count - 1))
    }
  }

  /// Returns whether this is certainly a leaf page without faults whose values all lie in it. If it
  /// returns false, ``verifyNumbers`` must decide.
  private func isPlainlySound(from lower: UInt64, before upper: UInt64?) -> Bool {
    let lastOffset = size - Layout.nodeHeaderSize - 8
    let greatestValue = Layout.greatestNode(pageSize: size) - Layout.nodeHeaderSize - 8
    var chain = NodeChain(end: size)
    var least = lower
    for index in 0..<count {
      let offset = Int(load(UInt16.self, at: Layout.headerSize + 2 * index))
      guard offset & 1 == 0, offset >= self.upper, offset <= lastOffset else { return false }
      let node = Node(offset: offset, header: load(UInt64.self, at: offset))
      guard node.flags == 0, node.keySize == 8, node.valueSize <= greatestValue else {
        return false
      }
      chain.add(offset, Layout.nodeHeaderSize &+ 8 &+ node.valueSize &+ node.valueSize & 1)
      let key = load(UInt64.self, at: offset &+ Layout.nodeHeaderSize)
      guard key >= least, key < .max else { return false }
      least = key &+ 1
    }
    if let upper, least > upper { return false }
    return chain.isContiguous(from: self.upper)
  }

  /// Returns a key of a page above as a number. The key was verified, but may have changed since.
  private func separator(_ key: PageBytes?) throws(Failure) -> UInt64? {
    guard let key else { return nil }
    guard key.count == 8 else { throw .damaged(page: number, reason: .keyOutOfRange(node: 0)) }
    return key.load(UInt64.self, at: 0)
  }

  private func verifyBytes(
    isLeaf: Bool, isMain: Bool, from lower: PageBytes?, before upper: PageBytes?
  ) throws(Failure) {
    // Each search of an index verifies a leaf page, whose keys are nearly always in order.
    if isLeaf, isPlainlySound(from: lower, before: upper) { return }
    var chain = NodeChain(end: size)
    var previous: PageBytes?
    for index in 0..<count {
      let node = try node(index)
      try chain.add(node.offset, length(of: node, index, isLeaf: isLeaf, isMain: isMain))
      if index == 0, !isLeaf { continue }
      guard node.keySize >= 1, node.keySize <= Environment.maximumKeySize else {
        throw .damaged(page: number, reason: .keySize(node: index, node.keySize))
      }
      let key = key(of: node)
      if let previous {
        guard previous.precedes(key) else {
          throw .damaged(page: number, reason: .keyOrder(node: index))
        }
      } else if let lower, key.precedes(lower) {
        throw .damaged(page: number, reason: .keyOutOfRange(node: index))
      }
      previous = key
    }
    try check(chain)
    if let upper, let previous, !previous.precedes(upper) {
      throw .damaged(page: number, reason: .keyOutOfRange(node: count - 1))
    }
  }

  /// Returns whether this is certainly a leaf page without faults whose values all lie in it. If it
  /// returns false, ``verifyBytes`` must decide.
  private func isPlainlySound(from lower: PageBytes?, before upper: PageBytes?) -> Bool {
    let lastOffset = size - Layout.nodeHeaderSize
    let greatestLength = Layout.greatestNode(pageSize: size)
    var chain = NodeChain(end: size)
    var previous = PageBytes.empty
    for index in 0..<count {
      let offset = Int(load(UInt16.self, at: Layout.headerSize + 2 * index))
      guard offset & 1 == 0, offset >= self.upper, offset <= lastOffset else { return false }
      let node = Node(offset: offset, header: load(UInt64.self, at: offset))
      let length = Layout.nodeHeaderSize &+ node.keySize &+ node.valueSize
      guard node.flags == 0, node.keySize >= 1, node.keySize <= Environment.maximumKeySize,
        node.valueOffset <= size, length <= greatestLength
      else { return false }
      chain.add(offset, length &+ length & 1)
      let key = key(of: node)
      if index > 0 {
        guard previous.precedesByWords(key) else { return false }
      } else if let lower, key.precedes(lower) {
        return false
      }
      previous = key
    }
    if let upper, !previous.precedes(upper) { return false }
    return chain.isContiguous(from: self.upper)
  }

  /// Verifies the order of the two nodes before and the two nodes after a gap of a leaf page, in
  /// which a search has ended.
  ///
  /// This shows that the key is not on the page, if the entries on both sides have sound checksums.
  /// The search has compared both, so no other entry, even a damaged one, can have misled it. The
  /// offset of the entry that it looks for may have been replaced by that of another sound entry.
  /// That entry is then beside the gap, and out of order.
  func verifyOrder(around gap: Int) throws(Failure) {
    for index in max(gap - 1, 1)..<min(gap + 2, count) {
      guard try key(of: node(index - 1)).precedes(key(of: node(index))) else {
        throw .damaged(page: number, reason: .keyOrder(node: index))
      }
    }
  }

  /// Returns the length of a node, including padding.
  @inline(__always)
  private func length(
    of node: Node, _ index: Int, isLeaf: Bool, isMain: Bool
  ) throws(Failure) -> Int {
    var length = Layout.nodeHeaderSize + node.keySize
    if isLeaf {
      if node.flags == 0 {
        length += node.valueSize
      } else if node.flags == FileStructure.NodeFlags.overflow {
        length += 8
      } else if node.flags == FileStructure.NodeFlags.table, isMain {
        length += node.valueSize
      } else {
        throw .damaged(page: number, reason: .nodeFlags(node: index, node.flags))
      }
    }
    guard length <= Layout.greatestNode(pageSize: size) else {
      throw .damaged(page: number, reason: .nodeSize(node: index, length))
    }
    return length + length & 1
  }

  private func check(_ chain: NodeChain) throws(Failure) {
    guard chain.isContiguous(from: upper) else {
      throw .damaged(page: number, reason: .nodesNotContiguous)
    }
  }
}

/// A test whether nodes are adjacent, in any order.
///
/// Consider each node as an arc from its begin to its end. The nodes are adjacent if the ends,
/// together with the begin of the first node, are the same positions as the begins, together with
/// the end of the last node. Each position except the outermost two is then left as often as it is
/// reached. All arcs lead forward, so they form a single path. The positions are compared by the
/// sums of their hashes. Nodes that LMDB places one after the other cost nothing.
struct NodeChain {
  private var sum: UInt64 = 0
  private var begin: Int

  init(end: Int) { begin = end }

  @inline(__always)
  mutating func add(_ offset: Int, _ length: Int) {
    if offset + length != begin { sum &+= Self.hash(offset + length) &- Self.hash(begin) }
    begin = offset
  }

  func isContiguous(from upper: Int) -> Bool {
    sum &+ Self.hash(upper) &- Self.hash(begin) == 0
  }

  private static func hash(_ place: Int) -> UInt64 {
    let mixed = UInt64(truncatingIfNeeded: place) &* 0x9E37_79B9_7F4A_7C15
    return (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9
  }
}

extension PageBytes {
  /// Returns the same as ``precedes(_:)``. It is meant for keys that differ in their first bytes.
  @inline(__always)
  fileprivate func precedesByWords(_ other: PageBytes) -> Bool {
    let shared = min(count, other.count)
    var offset = 0
    while offset &+ 8 <= shared {
      let (word, next) = (loadBigEndian(at: offset), other.loadBigEndian(at: offset))
      if word != next { return word < next }
      offset &+= 8
    }
    while offset < shared {
      let (byte, next) = (load(UInt8.self, at: offset), other.load(UInt8.self, at: offset))
      if byte != next { return byte < next }
      offset &+= 1
    }
    return count < other.count
  }
}
