extension FileStructure {
  /// Returns the value of a key in the main table, or nil. A value outside its leaf page counts as
  /// nil.
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
      guard node.flags == 0, !wanted.precedes(key), !key.precedes(wanted) else { return nil }
      return Key(page: page, offset: node.valueOffset, count: node.valueSize).bytes
    }
    return nil
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
