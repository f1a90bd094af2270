extension FileStructure {
  /// The extent of a walk.
  enum Scope {
    /// All pages.
    case everything
    /// The main database, the free list, and the root of each named table.
    case catalog
    /// The main database and the free list.
    case accounts
  }

  /// Checks the pages that are read to open the tables of a file and count their entries: the main
  /// database, the free list, and the root of each named table.
  ///
  /// Afterwards values of the main database can be read, and tables can be opened and counted. Do
  /// not read below the roots of the tables. The recorded numbers of pages and entries are then
  /// known to be possible, but not to be correct.
  ///
  /// - Returns: The numbers of pages by kind, as recorded in the headers of the tables.
  /// - Throws: As ``checkPages()``.
  /// - Complexity: O(*tables* + *free pages*), in memory for one bit per page. O(*pages*) if the
  ///   file ends before its last page and the missing pages are not all listed as free.
  package func checkCatalog() throws(Failure) -> PageCount {
    let walk = try Walk(self, .catalog)
    try walk.check()
    let pagesInFile = fileSize / UInt64(pageSize)
    // Pages that were read are in the file, so a page seen beyond its end is listed as free.
    for page in pagesInFile..<max(pagesInFile, lastPage + 1) where !walk.seen.contains(page) {
      return try checkPages()
    }
    return walk.count
  }

  /// Checks the main database and the free list, and that the meta pages match them.
  ///
  /// The seal shows that the main database belongs to the newest commit, and the last number in the
  /// free list shows the same for the list. No page may be both in use and free. Without a seal,
  /// tables and free list must account for exactly the pages that the newest meta page claims,
  /// because those of another commit add up to another number. Pages below the main database are
  /// not read.
  ///
  /// - Throws: As ``checkPages()``, and ``Failure/badMeta(page:reason:)``.
  /// - Complexity: O(*tables* + *free pages*), in memory for one bit per page. O(*pages*) if the
  ///   file ends before its last page and the missing pages are not all listed as free.
  package func checkAccounts() throws(Failure) {
    try checkTransactions()
    let isSealed = try checkSeal()
    let walk = try Walk(self, .accounts)
    try walk.check()
    if !isSealed { try checkLostPages(walk.count) }
    let pagesInFile = fileSize / UInt64(pageSize)
    for page in pagesInFile..<max(pagesInFile, lastPage + 1) where !walk.seen.contains(page) {
      _ = try checkPages()
      return
    }
  }

  /// Checks all pages as ``checkPages()`` does, and that the meta pages match them.
  package func checkPagesAndAccounts() throws(Failure) {
    try checkTransactions()
    let isSealed = try checkSeal()
    let count = try checkPages()
    if !isSealed { try checkLostPages(count) }
  }

  /// Throws if pages are neither in use nor free. LMDB is not known to leave any.
  private func checkLostPages(_ count: PageCount) throws(Failure) {
    if count.lostPages == 0 { return }
    throw .badMeta(
      page: metaPage,
      reason: .pageCount(lastPage + 1, accounted: lastPage + 1 - count.lostPages))
  }
}

extension FileStructure.Walk {
  /// Checks a named table's header and root.
  ///
  /// - Parameter owner: The page with the header.
  func checkOutline(
    _ header: FileStructure.TreeHeader, namedBy owner: UInt64
  ) throws(FileStructure.Failure) {
    typealias Count = FileStructure.TableCount
    typealias Sum = WritableKeyPath<FileStructure.PageCount, UInt64>
    func impossible(
      _ what: Count, _ recorded: UInt64, _ most: UInt64
    ) -> FileStructure.Failure {
      .damaged(page: owner, reason: .tableCount(what, recorded: recorded, found: most))
    }
    if let damage = header.damage(kind: .table, lastPage: structure.lastPage) {
      throw .damaged(page: owner, reason: damage)
    }
    let counts: [(what: Count, recorded: UInt64, sum: Sum)] = [
      (.branchPages, header.branchPages, \.branchPages),
      (.leafPages, header.leafPages, \.leafPages),
      (.overflowPages, header.overflowPages, \.overflowPages),
    ]
    for (what, recorded, sum) in counts {
      // All tables together cannot have more pages than the file. The limit also keeps sums from
      // overflowing.
      let room = structure.lastPage + 1 - min(count.usedPages, structure.lastPage + 1)
      guard recorded <= room else { throw impossible(what, recorded, room) }
      count[keyPath: sum] += recorded
    }
    // An entry takes at least ten bytes of a page.
    let most = header.leafPages * UInt64(structure.pageSize / 10)
    guard header.entries <= most else { throw impossible(.entries, header.entries, most) }
    count.entries += header.entries
    if !header.isEmpty, scope == .catalog { try checkRoot(header, namedBy: owner) }
  }

  private func checkRoot(
    _ header: FileStructure.TreeHeader, namedBy owner: UInt64
  ) throws(FileStructure.Failure) {
    try enter(header.root, from: owner)
    let page = FileStructure.Page(count: structure.pageSize)
    try read(header.root, into: page)
    let flags = page.load(UInt16.self, at: 10)
    let isLeaf = header.depth == 1
    guard flags == (isLeaf ? FileStructure.PageFlags.leaf : FileStructure.PageFlags.branch) else {
      throw .damaged(page: header.root, reason: .pageFlags(flags))
    }
  }
}
