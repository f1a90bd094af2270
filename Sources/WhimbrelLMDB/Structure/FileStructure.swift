/// What the meta pages of an LMDB data file say, read without LMDB, and the
/// check of everything that hangs from them.
///
/// LMDB trusts its file: a damaged page kills the process that follows it.
/// ``inspect(path:)`` reads the two meta pages only; ``checkPages()`` follows
/// every page and promises that LMDB can read and write the file without
/// leaving it. It does not vouch for the values: they need a checksum of their
/// own.
///
/// Files of machines with 64-bit words and little-endian byte order are
/// understood; others are refused with ``Failure/badMeta(page:reason:)``, and so
/// are tables with sorted duplicates or reversed keys, with
/// ``Damage/tableFlags(_:)``.
///
/// **A live file.** Writers reuse the pages that no reader can see. Begin a read
/// transaction, *then* inspect, and keep the transaction until the check is
/// done; or keep writers out. The order matters: a snapshot that is newer than
/// the reader is pinned by it, an older one is not.
///
/// The file is read through a descriptor of its own, with `pread`: a file that
/// shrinks meanwhile is an error and not a signal. Closing the descriptor
/// releases no lock of LMDB, whose locks are on the lock file.
package struct FileStructure: Sendable {
  /// The size of a page in bytes.
  package let pageSize: Int
  /// The size of the map in bytes, as the last writer recorded it.
  package let mapSize: UInt64
  /// The highest page number ever given out; the file may end before it, when
  /// the last pages are free.
  package let lastPage: UInt64
  /// The number of the newest committed transaction.
  package let transaction: UInt64
  /// The flags of the environment that the file keeps.
  package let environmentFlags: UInt16
  /// The size of the file in bytes when it was inspected.
  package let fileSize: UInt64

  /// Which of the two meta pages is the newer one.
  let metaPage: UInt64
  let freeList: TreeHeader
  let main: TreeHeader
  let file: DataFile
}

extension FileStructure {
  /// The largest file that this platform's 47-bit addresses can map; what lies
  /// beyond it is not worth a bitmap.
  private static let largestFile: UInt64 = 1 << 47

  /// Reads the meta pages of a data file.
  ///
  /// The corresponding reading of LMDB is that of `mdb_env_open`; whatever
  /// `mdb_env_open` refuses is refused here too.
  ///
  /// - Complexity: O(1), whatever the size of the file.
  package static func inspect(path: String) throws(Failure) -> FileStructure {
    let file = try DataFile(path: path)
    let metas = try stableMetas(of: file)
    // LMDB: transaction N writes meta page N modulo 2, and a live environment
    // finds the page by that rule, whereas opening finds it by comparing.
    let newest = metas.0.transaction < metas.1.transaction ? metas.1 : metas.0
    guard newest.transaction & 1 == newest.page, newest.transaction < UInt64.max / 2 else {
      throw .badMeta(page: newest.page, reason: .transaction(newest.transaction))
    }
    // LMDB: the other one is that of the commit before, also after a crash. If it
    // is not, one of them is damaged, and the newest commit may be the lost one.
    let other = newest.page == 0 ? metas.1 : metas.0
    // Only in a file without a commit do both have the same number.
    let distance = newest.transaction - other.transaction
    guard distance == 1 || newest.transaction == 0 else {
      throw .badMeta(page: other.page, reason: .transaction(other.transaction))
    }
    let size = try file.size()
    try checkLastPage(of: newest, fileSize: size)
    let structure = FileStructure(
      pageSize: newest.pageSize, mapSize: newest.mapSize, lastPage: newest.lastPage,
      transaction: newest.transaction, environmentFlags: newest.freeList.flags, fileSize: size,
      metaPage: newest.page, freeList: newest.freeList, main: newest.main, file: file)
    for (tree, kind) in [(newest.freeList, TreeKind.freeList), (newest.main, .main)] {
      if let damage = tree.damage(kind: kind, lastPage: newest.lastPage) {
        throw .damaged(page: newest.page, reason: damage)
      }
    }
    return structure
  }

  /// Reads both meta pages until they are the same twice: a commit may be
  /// writing one of them.
  private static func stableMetas(of file: DataFile) throws(Failure) -> (MetaPage, MetaPage) {
    var previous = try MetaPage.readBoth(from: file)
    for _ in 0..<16 {
      let current = try MetaPage.readBoth(from: file)
      let distance =
        max(current.0.transaction, current.1.transaction)
        - min(current.0.transaction, current.1.transaction)
      if current == previous, distance <= 1 { break }
      previous = current
    }
    return previous
  }

  /// Refuses a last page so high that the pages behind the file's end could
  /// never all be listed as free inside it.
  ///
  /// This bounds the bitmap of the check by the size of the file.
  private static func checkLastPage(of meta: MetaPage, fileSize: UInt64) throws(Failure) {
    let pageSize = UInt64(meta.pageSize)
    guard meta.lastPage >= 1, meta.lastPage < largestFile / pageSize else {
      throw .badMeta(page: meta.page, reason: .lastPage(meta.lastPage))
    }
    let pagesInFile = fileSize / pageSize
    guard meta.lastPage < pagesInFile + fileSize / 8 else {
      throw .truncated(pageNumber: meta.lastPage, lastPage: meta.lastPage, fileSize: fileSize)
    }
  }

  /// Walks every page that the newest meta page leads to.
  ///
  /// Checked are: page numbers, flags and bounds of every page; place, size and
  /// flags of every node, and that the nodes of a page neither overlap nor leave
  /// gaps; the order of the keys in a page and between pages; the runs of
  /// overflow pages; that each page is reached once; depth, entries and page
  /// counts of every table; and the free list: well formed, in descending order,
  /// in bounds, and without a page that is in use or listed twice.
  ///
  /// - Returns: How many pages of each kind there are.
  /// - Throws: ``Failure/truncated(pageNumber:lastPage:fileSize:)`` when a page
  ///   in use lies behind the end of the file,
  ///   ``Failure/damaged(page:reason:)`` for the first fault found, or
  ///   ``Failure/io(_:)``.
  /// - Complexity: O(*pages*), without the overflow pages' contents, in memory
  ///   for one bit a page and one page a level.
  package func checkPages() throws(Failure) -> PageCount {
    let walk = try Walk(self, .everything)
    try walk.check()
    return walk.count
  }

  /// Whether a page in use lies behind the end of the file.
  ///
  /// A file that reaches to ``lastPage`` is complete, and this returns at once. A
  /// shorter file is healthy all the same when the missing pages are free, which
  /// takes the whole check to find out.
  ///
  /// - Throws: What ``checkPages()`` throws for faults found before the missing
  ///   page.
  package func isTruncated() throws(Failure) -> Bool {
    if fileSize / UInt64(pageSize) > lastPage { return false }
    do {
      _ = try checkPages()
      return false
    } catch .truncated {
      return true
    }
  }
}
