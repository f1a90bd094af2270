internal import CWhimbrelLMDB
internal import Synchronization

extension PageSnapshot {
  /// The content of a meta page for the commit that a transaction sees.
  struct Roots {
    let meta: FileStructure.MetaPage
    /// Whether the next commit had already been made: the one after that overwrites the page.
    let mayBeOverwritten: Bool

    /// Reads the meta page of a transaction. Returns nil if it now belongs to another transaction.
    ///
    /// LMDB: transaction N writes meta page N modulo 2.
    init?(
      of transaction: UInt64, in map: PageMap, fileSize: Int, buffer: FileStructure.Page
    ) throws(FileStructure.Failure) {
      let (page, offset) = (transaction & 1, FileStructure.MetaPage.transactionOffset)
      guard fileSize >= map.pageSize * 2, map.byteCount >= fileSize else {
        throw .tooShort(fileSize: UInt64(fileSize))
      }
      // Safe: both meta pages lie in the file, and each read stays within a page.
      let base = unsafe map.base + Int(page) * map.pageSize
      let other = unsafe map.base + Int(1 - page) * map.pageSize
      let before = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      atomicMemoryFence(ordering: .acquiring)
      unsafe buffer.fill(from: base)
      atomicMemoryFence(ordering: .acquiring)
      let after = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let next = unsafe other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard before == transaction, after == transaction else { return nil }
      meta = try FileStructure.MetaPage.parse(buffer, page: page)
      guard meta.transaction == transaction else { return nil }
      guard meta.pageSize == map.pageSize else {
        throw .badMeta(page: page, reason: .pageSize(UInt32(meta.pageSize)))
      }
      guard meta.lastPage >= 1, meta.lastPage < UInt64.max >> 16 else {
        throw .badMeta(page: page, reason: .lastPage(meta.lastPage))
      }
      mayBeOverwritten = next == transaction &+ 1
    }
  }
}
