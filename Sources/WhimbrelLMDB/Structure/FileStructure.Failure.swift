extension FileStructure {
  /// The reason why a data file could not be inspected or checked. It contains
  /// the facts; other code puts them into words.
  package enum Failure: Error, Hashable, Sendable {
    /// The path leads to a directory or another file that is not regular.
    case notAFile(isDirectory: Bool)
    /// The file is empty. LMDB would treat it as new.
    case empty
    /// The file ends inside its meta pages.
    case tooShort(fileSize: UInt64)
    /// Neither meta page has LMDB's magic number.
    case notLMDB
    /// The version of the file's LMDB format is not 1.
    case unsupportedVersion(UInt32)
    /// A meta page is unusable.
    case badMeta(page: UInt64, reason: MetaFault)
    /// A page in use is beyond the end of the file.
    case truncated(pageNumber: UInt64, lastPage: UInt64, pageSize: UInt64, fileSize: UInt64)
    /// A page contradicts itself or the pages that lead to it.
    case damaged(page: UInt64, reason: Damage)
    /// An entry of a table does not have its checksum.
    case damagedEntry
    /// A table has a number of entries other than the one that is stored separately.
    case damagedCount(UInt64)
    /// The system refused to open or read the file, with this `errno`.
    case io(Int32)
  }

  /// A fault of a meta page.
  package enum MetaFault: Hashable, Sendable {
    /// The magic number is missing, although the other meta page has it.
    case magic
    /// The version is not LMDB's, although that of the other meta page is.
    case version(UInt32)
    /// The file was created on a machine with the other byte order.
    case otherByteOrder
    /// The file was created by a 32-bit program, whose page numbers are narrower.
    case narrowPageNumbers
    /// The page does not carry its own number.
    case pageNumber(UInt64)
    /// The page's flags are not exactly those of a meta page.
    case pageFlags(UInt16)
    /// The page size is not a power of two from 512 to 32,768, or differs from
    /// that of the other meta page.
    case pageSize(UInt32)
    /// The highest page number is impossible.
    case lastPage(UInt64)
    /// The transaction number is impossible, or belongs to the other meta page.
    case transaction(UInt64)
    /// The map is smaller than the pages in use.
    case mapSize(UInt64)
    /// The newer meta page has a lower last page than the one before it.
    case fewerPages(UInt64, before: UInt64)
    /// The newer meta page has a smaller map than the one before it.
    case smallerMap(UInt64, before: UInt64)
    /// The meta pages have different flags.
    case otherFlags
    /// The transaction number is not the one that the free list ends with.
    case otherCommit(UInt64, freeList: UInt64)
    /// The transaction number is not the one that its commit wrote into the main table.
    case otherSeal(UInt64, seal: UInt64)
    /// The tables and the free list account for another number of pages.
    case pageCount(UInt64, accounted: UInt64)
  }

  /// A fault of a page. Nodes are counted from 0.
  package enum Damage: Hashable, Sendable {
    /// The page carries this number instead of its own.
    case pageNumber(UInt64)
    /// The flags are not those of the kind of page expected here.
    case pageFlags(UInt16)
    /// The page refers to a page number outside the file.
    case pageOutOfBounds(UInt64)
    /// The page is in use twice.
    case reachedTwice
    /// The bounds of the free space are impossible.
    case freeSpace(lower: Int, upper: Int)
    /// The page has fewer nodes than its kind must have.
    case tooFewNodes(Int)
    /// The node starts outside the space for nodes.
    case nodeOffset(node: Int, Int)
    /// The node ends beyond the page, or exceeds the size limit of a node.
    case nodeSize(node: Int, Int)
    /// The node's flags are unknown or not allowed here.
    case nodeFlags(node: Int, UInt16)
    /// The nodes overlap, or leave a gap between them.
    case nodesNotContiguous
    /// The key's size is not allowed, or not that of an integer key.
    case keySize(node: Int, Int)
    /// The key is not above the previous one.
    case keyOrder(node: Int)
    /// The key is outside the range that the pages above give this page.
    case keyOutOfRange(node: Int)
    /// The value needs more overflow pages than its first page records.
    case overflowPages(node: Int, count: UInt32, needed: UInt64)
    /// The value of a table's header has the wrong size.
    case tableSize(node: Int, Int)
    /// The table's flags are unknown or not supported.
    case tableFlags(UInt16)
    /// The table's header has a number where it must have zero.
    case tablePad(UInt32)
    /// Root and depth of the table contradict each other or are impossible.
    case tableRoot(root: UInt64, depth: Int)
    /// The table's number of pages or entries differs from the recorded one.
    case tableCount(TableCount, recorded: UInt64, found: UInt64)
    /// The entry does not have its checksum.
    case checksum(node: Int)
    /// The transaction number of an entry of the free list is impossible.
    case freeListTransaction(UInt64)
    /// The length of an entry of the free list is impossible.
    case freeListLength(node: Int, UInt64)
    /// The page numbers of an entry of the free list do not descend.
    case freeListOrder(node: Int)
    /// A page in the free list is in use, or listed twice.
    case freePageInUse(UInt64)
  }

  /// A number that a table's header records.
  package enum TableCount: Hashable, Sendable {
    case branchPages
    case leafPages
    case overflowPages
    case entries
  }
}
