extension FileStructure {
  /// Returns the value of a key in the main table, or nil.
  ///
  /// A writer may reuse the pages during the search. The caller must verify the value with its own
  /// checksum, and retry after a fault.
  ///
  /// - Complexity: O(log *n*).
  package func mainValue(_ name: String) throws(Failure) -> [UInt8]? {
    if main.isEmpty { return nil }
    let wanted = Key(Array(name.utf8))
    let tree = Tree(main, kind: .main, pageSize: pageSize)
    var number = main.root
    for level in 0..<main.depth {
      let isLeaf = level == main.depth - 1
      let page = tree.buffer(level: level)
      try read(number, into: page, isLeaf: isLeaf)
      let count = try tree.nodes(of: page, number, isLeaf: isLeaf)
      // Find the last node not above the key. LMDB: the first node of a branch page stands for all
      // lower keys.
      var index = 0
      while index + 1 < count, !wanted.precedes(Node(page, index + 1).key(in: page)) { index += 1 }
      let node = Node(page, index)
      guard isLeaf else {
        number = node.child
        continue
      }
      let key = node.key(in: page)
      guard !wanted.precedes(key), !key.precedes(wanted) else { return nil }
      switch node.flags {
      case 0: return Key(page: page, offset: node.valueOffset, count: node.valueSize).bytes
      case NodeFlags.overflow: return try overflowValue(of: node, in: page, number)
      default: return nil
      }
    }
    return nil
  }

  /// Returns a value that is in overflow pages.
  private func overflowValue(
    of node: Node, in page: Page, _ number: UInt64
  ) throws(Failure) -> [UInt8] {
    let first = page.load(UInt64.self, at: node.valueOffset)
    let count = Tree.headerSize + node.valueSize
    guard first >= 2, first <= lastPage, UInt64(count) <= fileSize else {
      throw .damaged(page: number, reason: .pageOutOfBounds(first))
    }
    let value = Page(count: count)
    guard try file.read(value, at: first * UInt64(pageSize)) == count else {
      throw .truncated(
        pageNumber: first, lastPage: lastPage, pageSize: UInt64(pageSize), fileSize: fileSize)
    }
    let found = value.load(UInt64.self, at: 0)
    guard found == first else { throw .damaged(page: first, reason: .pageNumber(found)) }
    let flags = value.load(UInt16.self, at: 10)
    guard flags == PageFlags.overflow else {
      throw .damaged(page: first, reason: .pageFlags(flags))
    }
    return Key(page: value, offset: Tree.headerSize, count: node.valueSize).bytes
  }

  func read(_ number: UInt64, into page: Page, isLeaf: Bool) throws(Failure) {
    guard number >= 2, number <= lastPage else {
      throw .damaged(page: metaPage, reason: .pageOutOfBounds(number))
    }
    guard try file.read(page, at: number * UInt64(pageSize)) == page.count else {
      throw .truncated(
        pageNumber: number, lastPage: lastPage, pageSize: UInt64(pageSize), fileSize: fileSize)
    }
    let found = page.load(UInt64.self, at: 0)
    guard found == number else { throw .damaged(page: number, reason: .pageNumber(found)) }
    let flags = page.load(UInt16.self, at: 10)
    guard flags == (isLeaf ? PageFlags.leaf : PageFlags.branch) else {
      throw .damaged(page: number, reason: .pageFlags(flags))
    }
  }
}
