extension FileStructure {
  /// Rejects meta pages whose numbers are not consecutive.
  ///
  /// LMDB: transaction N writes meta page N modulo 2, also after a crash. If the numbers are not
  /// consecutive, one of them is damaged, and the newest commit may be lost.
  static func requireConsecutive(_ newest: MetaPage, _ older: MetaPage) throws(Failure) {
    guard newest.transaction - older.transaction == 1 || isUnwritten(newest, older) else {
      throw .badMeta(page: older.page, reason: .transaction(older.transaction))
    }
  }

  /// Rejects meta pages whose sizes cannot be those of two commits in a row.
  ///
  /// LMDB: a commit never gives pages back to the system and never makes the map smaller than the
  /// previous meta page says.
  static func compareSizes(_ newest: MetaPage, _ older: MetaPage) throws(Failure) {
    guard newest.lastPage >= older.lastPage else {
      throw .badMeta(
        page: newest.page, reason: .fewerPages(newest.lastPage, before: older.lastPage))
    }
    guard newest.mapSize >= older.mapSize else {
      throw .badMeta(
        page: newest.page, reason: .smallerMap(newest.mapSize, before: older.mapSize))
    }
  }

  /// Rejects meta pages with different flags. LMDB: they are set once, when the file is created.
  static func compareFlags(_ newest: MetaPage, _ older: MetaPage) throws(Failure) {
    guard newest.freeList.flags == older.freeList.flags, newest.main.flags == older.main.flags
    else { throw .badMeta(page: newest.page, reason: .otherFlags) }
  }

  /// Returns whether the meta pages are those of a file without a commit.
  private static func isUnwritten(_ first: MetaPage, _ second: MetaPage) -> Bool {
    [first, second].allSatisfy {
      $0.transaction == 0 && $0.lastPage == 1 && $0.main.isEmpty && $0.freeList.isEmpty
    }
  }

  /// Checks that both meta pages carry the numbers of the commits that wrote their free lists.
  ///
  /// LMDB: a commit frees at least the root of the main database, which it replaces, and lists it
  /// under its own number. So the highest number in a free list is that of its commit, unless the
  /// main database was empty before. A changed bit in the number of a meta page, which would make
  /// LMDB take the commit before the last, does not pass, with the exception noted below.
  ///
  /// The caller holds a snapshot. It also keeps the pages of the commit before it.
  func checkTransactions() throws(Failure) {
    let freed = try lastFreed(by: newest) ?? 0
    guard freed == newest.transaction || (older.main.isEmpty && freed < newest.transaction) else {
      throw .badMeta(
        page: newest.page, reason: .otherCommit(newest.transaction, freeList: freed))
    }
    // The free list of the older meta page proves nothing, and the next commit replaces that page.
    //
    // LMDB: if the disk refuses a meta page, the page gets its former number and last page back and
    // keeps the roots of the refused commit. A changed bit that lowers a number by two looks the
    // same unless the file grew, so this state is accepted here. A salvage reports it.
    //
    // LMDB: without a sync of meta pages, a power loss may leave those of commits N - 1 and N while
    // the pages of N + 2 are being written. These reuse what N freed, which commit N - 1 had: any
    // page may be where its free list was.
  }

  /// Returns the highest transaction number in the free list of a meta page, or nil if the list is
  /// empty.
  private func lastFreed(by meta: MetaPage) throws(Failure) -> UInt64? {
    if meta.freeList.isEmpty { return nil }
    if let damage = meta.freeList.damage(kind: .freeList, lastPage: meta.lastPage) {
      throw .damaged(page: meta.page, reason: damage)
    }
    let tree = Tree(meta.freeList, kind: .freeList, pageSize: pageSize)
    var (number, owner) = (meta.freeList.root, meta.page)
    for level in 0..<meta.freeList.depth {
      guard number >= 2, number <= lastPage else {
        throw .damaged(page: owner, reason: .pageOutOfBounds(number))
      }
      let isLeaf = level == meta.freeList.depth - 1
      let page = tree.buffer(level: level)
      try read(number, into: page, isLeaf: isLeaf)
      let node = Node(page, try tree.nodes(of: page, number, isLeaf: isLeaf) - 1)
      guard isLeaf else {
        (number, owner) = (node.child, number)
        continue
      }
      guard node.keySize == 8 else {
        throw .damaged(page: number, reason: .keySize(node: 0, node.keySize))
      }
      return page.load(UInt64.self, at: node.keyOffset)
    }
    return nil
  }
}
