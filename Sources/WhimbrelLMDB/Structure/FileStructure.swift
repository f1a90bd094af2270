/// The structure of an LMDB data file, read from its meta pages without LMDB,
/// and the check of all pages.
///
/// LMDB trusts its file: a damaged page crashes the process that follows it.
/// ``inspect(path:)`` reads only the two meta pages. ``checkPages()`` follows
/// every page, and guarantees that LMDB can read and write the file without an
/// access outside it. It does not check values: they need their own checksums.
///
/// Only files of 64-bit little-endian machines are supported. Others are
/// rejected with ``Failure/badMeta(page:reason:)``. Tables with sorted
/// duplicates or reversed keys are rejected with ``Damage/tableFlags(_:)``.
///
/// **A live file.** Writers reuse the pages that no reader can see. Begin a
/// read transaction, *then* inspect, and keep the transaction until the check
/// is done; or keep writers out. The order matters: the reader pins its own
/// snapshot and newer ones, but not older ones.
///
/// The file is read through a separate descriptor with `pread`, so a file that
/// shrinks meanwhile causes an error and not a signal. Closing the descriptor
/// does not release a lock of LMDB, whose locks are on the lock file.
package struct FileStructure: Sendable {
  /// The size of a page in bytes.
  package let pageSize: Int
  /// The size of the map in bytes, as the last writer recorded it.
  package let mapSize: UInt64
  /// The highest page number ever used. The file may end before it if the last pages are free.
  package let lastPage: UInt64
  /// The number of the newest committed transaction.
  package let transaction: UInt64
  /// The environment flags recorded in the file.
  package let environmentFlags: UInt16
  /// The size of the file in bytes when it was inspected.
  package let fileSize: UInt64

  let newest: MetaPage
  /// The meta page of the commit before the newest.
  let older: MetaPage
  let file: DataFile
}

extension FileStructure {
  /// The number of the newer meta page.
  var metaPage: UInt64 { newest.page }
  var freeList: TreeHeader { newest.freeList }
  var main: TreeHeader { newest.main }

  /// The size limit of a file, given by the platform's 47-bit addresses. It
  /// also limits the bitmap of the check.
  private static let largestFile: UInt64 = 1 << 47

  /// Reads the meta pages of a data file.
  ///
  /// It rejects every file that `mdb_env_open` rejects.
  ///
  /// - Complexity: O(1), regardless of the size of the file.
  package static func inspect(path: String) throws(Failure) -> FileStructure {
    let file = try DataFile(path: path)
    let metas = try stableMetas(of: file)
    // LMDB: transaction N writes meta page N modulo 2. A live environment finds
    // the newest page by that rule, while opening compares the numbers.
    let newest = metas.0.transaction < metas.1.transaction ? metas.1 : metas.0
    guard newest.transaction & 1 == newest.page, newest.transaction < UInt64.max / 2 else {
      throw .badMeta(page: newest.page, reason: .transaction(newest.transaction))
    }
    let older = newest.page == 0 ? metas.1 : metas.0
    try requireConsecutive(newest, older)
    let size = try file.size()
    try checkLastPage(of: newest, fileSize: size)
    try compareSizes(newest, older)
    let structure = FileStructure(
      pageSize: newest.pageSize, mapSize: newest.mapSize, lastPage: newest.lastPage,
      transaction: newest.transaction, environmentFlags: newest.freeList.flags, fileSize: size,
      newest: newest, older: older, file: file)
    for (tree, kind) in [(newest.freeList, TreeKind.freeList), (newest.main, .main)] {
      if let damage = tree.damage(kind: kind, lastPage: newest.lastPage) {
        throw .damaged(page: newest.page, reason: damage)
      }
    }
    try compareFlags(newest, older)
    return structure
  }

  /// Reads both meta pages until two reads agree, because a commit may be
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

  /// Rejects a last page so high that the free list inside the file could not
  /// name all pages beyond its end.
  ///
  /// This bounds the bitmap of the check by the size of the file.
  private static func checkLastPage(of meta: MetaPage, fileSize: UInt64) throws(Failure) {
    let pageSize = UInt64(meta.pageSize)
    guard meta.lastPage >= 1, meta.lastPage < largestFile / pageSize else {
      throw .badMeta(page: meta.page, reason: .lastPage(meta.lastPage))
    }
    let pagesInFile = fileSize / pageSize
    // Each free page takes eight bytes in the free list.
    guard meta.lastPage < pagesInFile + fileSize / 8 else {
      throw .truncated(
        pageNumber: meta.lastPage, lastPage: meta.lastPage, pageSize: pageSize, fileSize: fileSize)
    }
  }

  /// Walks every page reachable from the newest meta page.
  ///
  /// It checks the number, the flags and the bounds of every page; the position, the size and the
  /// flags of every node; that the nodes of a page neither overlap nor leave gaps; the order of the
  /// keys within and between pages; the runs of overflow pages; that each page is reached once; the
  /// depth, the entries and the page counts of every table; and that the free list is well formed,
  /// descending, in bounds, and without a page that is in use or listed twice.
  ///
  /// - Returns: The numbers of pages, by kind.
  /// - Throws: ``Failure/truncated(pageNumber:lastPage:pageSize:fileSize:)`` if a page in use is beyond the
  ///   end of the file, ``Failure/damaged(page:reason:)`` for the first fault, or
  ///   ``Failure/io(_:)``.
  /// - Complexity: O(*pages*), without the contents of overflow pages, in memory for one bit per
  ///   page and one page per level.
  package func checkPages() throws(Failure) -> PageCount {
    let walk = try Walk(self, .everything)
    try walk.check()
    return walk.count
  }

  /// Checks the free list as ``checkPages()`` does: its own pages are sound, and the pages that it
  /// lists are in bounds and listed once.
  ///
  /// - Complexity: O(*free pages*), in memory for one bit per page.
  package func checkFreeList() throws(Failure) {
    let walk = try Walk(self, .everything)
    try walk.checkTree(freeList, kind: .freeList, namedBy: metaPage)
  }
}
