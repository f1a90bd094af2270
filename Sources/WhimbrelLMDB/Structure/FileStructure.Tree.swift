extension FileStructure {
  /// A tree during a walk: its buffers and counters.
  final class Tree {
    let header: TreeHeader
    let kind: TreeKind
    let overflowHeader = Page(count: 16)
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    var entries: UInt64 = 0
    /// The bytes between the nodes and their offsets, in all pages.
    private(set) var unusedBytes: UInt64 = 0
    /// Whether values of the last leaf page refer to other pages.
    private(set) var hasFlags = false

    private let pageSize: Int
    private var buffers: [Page] = []
    /// The length of the node at each offset in the page, indexed by half the offset. All zero
    /// between two pages.
    // Safe: its uses do not overlap.
    @safe @exclusivity(unchecked) private var nodeLengths: [UInt16]

    // LMDB: two nodes must fit in a page, with their two-byte offsets.
    private var greatestNode: Int { (pageSize - 16) / 2 & ~1 - 2 }
    private static let greatestKey = Environment.maximumKeySize
    static let headerSize = 16

    init(_ header: TreeHeader, kind: TreeKind, pageSize: Int) {
      self.header = header
      self.kind = kind
      self.pageSize = pageSize
      nodeLengths = [UInt16](repeating: 0, count: pageSize / 2)
    }

    func buffer(level: Int) -> Page {
      while level >= buffers.count { buffers.append(Page(count: pageSize)) }
      return buffers[level]
    }

    /// Adds the counts of a part of the tree.
    func add(_ part: PageCount) {
      branchPages += part.branchPages
      leafPages += part.leafPages
      overflowPages += part.overflowPages
      unusedBytes += part.unusedBytes
      entries += part.entries
    }

    var count: PageCount {
      var count = PageCount()
      count.branchPages = branchPages
      count.leafPages = leafPages
      count.overflowPages = overflowPages
      count.unusedBytes = unusedBytes
      count.entries = entries
      return count
    }

    /// Checks the bounds and all nodes of a page, and returns the number of nodes.
    ///
    /// Afterwards every node with its key and inline value is known to be inside the page, and no
    /// two nodes overlap.
    func nodes(of page: Page, _ number: UInt64, isLeaf: Bool) throws(Failure) -> Int {
      let lower = Int(page.load(UInt16.self, at: 12))
      let upper = Int(page.load(UInt16.self, at: 14))
      guard lower >= Self.headerSize, lower % 2 == 0, upper % 2 == 0, lower <= upper,
        upper <= pageSize
      else {
        throw .damaged(page: number, reason: .freeSpace(lower: lower, upper: upper))
      }
      let count = (lower - Self.headerSize) / 2
      guard count >= (isLeaf ? 1 : 2) else {
        throw .damaged(page: number, reason: .tooFewNodes(count))
      }
      var flags: UInt16 = 0
      var isWhole = false
      defer { if !isWhole { forgetNodes() } }
      for index in 0..<count {
        let offset = Node.offset(page, index)
        guard offset >= upper, offset % 2 == 0, offset + Node.headerSize <= pageSize else {
          throw .damaged(page: number, reason: .nodeOffset(node: index, offset))
        }
        let node = Node(page, index)
        flags |= node.flags
        let length = try length(of: node, index, number, isLeaf: isLeaf)
        guard offset + length <= pageSize else {
          throw .damaged(page: number, reason: .nodeSize(node: index, length))
        }
        nodeLengths[offset / 2] = UInt16(length)
      }
      hasFlags = isLeaf && flags != 0
      try checkContiguity(number, from: upper, count: count)
      unusedBytes += UInt64(upper - lower)
      isWhole = true
      return count
    }

    /// Resets the node lengths after a page with a fault.
    private func forgetNodes() {
      for index in nodeLengths.indices { nodeLengths[index] = 0 }
    }

    /// Returns the length of a node in its page, including padding.
    private func length(
      of node: Node, _ index: Int, _ number: UInt64, isLeaf: Bool
    ) throws(Failure) -> Int {
      var length = Node.headerSize + node.keySize
      if isLeaf {
        switch node.flags {
        case 0, NodeFlags.table: length += node.valueSize
        case NodeFlags.overflow: length += 8
        default: throw .damaged(page: number, reason: .nodeFlags(node: index, node.flags))
        }
      }
      guard length <= greatestNode else {
        throw .damaged(page: number, reason: .nodeSize(node: index, length))
      }
      return length + length % 2
    }

    /// Checks that the nodes fill the page from `upper` to its end, because LMDB closes the gap of
    /// each removed node.
    private func checkContiguity(_ number: UInt64, from upper: Int, count: Int) throws(Failure) {
      var offset = upper
      var found = 0
      while offset < pageSize {
        let length = Int(nodeLengths[offset / 2])
        guard length > 0 else { break }
        nodeLengths[offset / 2] = 0
        offset += length
        found += 1
      }
      guard offset == pageSize, found == count else {
        throw .damaged(page: number, reason: .nodesNotContiguous)
      }
    }

    /// Checks the sizes, the order and the range of a page's keys.
    func checkKeys(
      of page: Page, _ number: UInt64, count: Int, isLeaf: Bool, within range: KeyRange
    ) throws(Failure) {
      if header.hasIntegerKeys {
        return try checkIntegerKeys(of: page, number, count: count, isLeaf: isLeaf, within: range)
      }
      var previous: Key?
      for index in (isLeaf ? 0 : 1)..<count {
        let key = Node(page, index).key(in: page)
        guard (1...Self.greatestKey).contains(key.count) else {
          throw .damaged(page: number, reason: .keySize(node: index, key.count))
        }
        if let previous {
          guard previous.precedes(key) else {
            throw .damaged(page: number, reason: .keyOrder(node: index))
          }
        } else if let lower = range.lower, key.precedes(lower) {
          throw .damaged(page: number, reason: .keyOutOfRange(node: index))
        }
        previous = key
      }
      if let upper = range.upper, let previous, !previous.precedes(upper) {
        throw .damaged(page: number, reason: .keyOutOfRange(node: count - 1))
      }
    }

    /// Checks the keys of a page in a table with integer keys.
    private func checkIntegerKeys(
      of page: Page, _ number: UInt64, count: Int, isLeaf: Bool, within range: KeyRange
    ) throws(Failure) {
      var previous: UInt64?
      for index in (isLeaf ? 0 : 1)..<count {
        let offset = Node.offset(page, index)
        let size = Int(page.load(UInt16.self, at: offset + 6))
        guard size == 8 else { throw .damaged(page: number, reason: .keySize(node: index, size)) }
        let key = page.load(UInt64.self, at: offset + Node.headerSize)
        if let previous {
          guard previous < key else {
            throw .damaged(page: number, reason: .keyOrder(node: index))
          }
        } else if let lower = range.lower, key < lower.number {
          throw .damaged(page: number, reason: .keyOutOfRange(node: index))
        }
        previous = key
      }
      if let upper = range.upper, let previous, previous >= upper.number {
        throw .damaged(page: number, reason: .keyOutOfRange(node: count - 1))
      }
    }
  }

  /// A node in its page. Its position has been checked or is being checked.
  struct Node {
    /// The number of bytes before the key.
    static let headerSize = 8

    /// The start of the node in its page.
    let offset: Int
    let keySize: Int
    let flags: UInt16
    private let low: UInt32

    static func offset(_ page: Page, _ index: Int) -> Int {
      Int(page.load(UInt16.self, at: 16 + 2 * index))
    }

    init(_ page: Page, _ index: Int) {
      offset = Self.offset(page, index)
      low = page.load(UInt32.self, at: offset)
      flags = page.load(UInt16.self, at: offset + 4)
      keySize = Int(page.load(UInt16.self, at: offset + 6))
    }

    var keyOffset: Int { offset + Self.headerSize }
    var valueOffset: Int { keyOffset + keySize }
    /// The size of the value, inline or in overflow pages. Valid in leaf pages only.
    var valueSize: Int { Int(low) }
    /// The page that the node refers to. Valid in branch pages only.
    var child: UInt64 { UInt64(low) | UInt64(flags) << 32 }

    func key(in page: Page) -> Key {
      Key(page: page, offset: keyOffset, count: keySize)
    }
  }
}
