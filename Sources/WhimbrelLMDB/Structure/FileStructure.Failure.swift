extension FileStructure {
  /// Why a data file could not be inspected or checked: the facts, from which
  /// others make sentences.
  package enum Failure: Error, Hashable, Sendable {
    /// The path names a directory, or something else that is not a regular file.
    case notAFile(isDirectory: Bool)
    /// The file has no bytes; LMDB takes it for a new one.
    case empty
    /// The file ends inside its meta pages.
    case tooShort(fileSize: UInt64)
    /// Neither meta page has LMDB's magic number.
    case notLMDB
    /// The file is of another version of LMDB's format than 1.
    case unsupportedVersion(UInt32)
    /// A meta page cannot be used.
    case badMeta(page: UInt64, reason: MetaFault)
    /// A page in use lies behind the end of the file.
    case truncated(pageNumber: UInt64, lastPage: UInt64, fileSize: UInt64)
    /// A page contradicts itself or the pages that lead to it.
    case damaged(page: UInt64, reason: Damage)
    /// The system refused to open or read the file, with this `errno`.
    case io(Int32)
  }

  /// What is wrong with a meta page.
  package enum MetaFault: Hashable, Sendable {
    /// The magic number is missing, though the other meta page has it.
    case magic
    /// The file was made on a machine of the other byte order.
    case otherByteOrder
    /// The file was made by a 32-bit program, whose page numbers are narrower.
    case narrowPageNumbers
    /// The page does not carry its own number.
    case pageNumber(UInt64)
    /// The page is not marked as a meta page, and as nothing else.
    case pageFlags(UInt16)
    /// The page size is not a power of two from 512 to 32,768, or not that of
    /// the other meta page.
    case pageSize(UInt32)
    /// The highest page number is impossible.
    case lastPage(UInt64)
    /// The transaction number is impossible, or belongs to the other meta page.
    case transaction(UInt64)
    /// The map is smaller than the pages in use.
    case mapSize(UInt64)
  }

  /// What is wrong with a page. Nodes are counted from 0.
  package enum Damage: Hashable, Sendable {
    /// The page carries this number instead of its own.
    case pageNumber(UInt64)
    /// The flags are not those of the kind of page expected here.
    case pageFlags(UInt16)
    /// The page leads to a page number outside the file's.
    case pageOutOfBounds(UInt64)
    /// The page is in use twice.
    case reachedTwice
    /// The bounds of the free space are impossible.
    case freeSpace(lower: Int, upper: Int)
    /// The page has fewer nodes than its kind must have.
    case tooFewNodes(Int)
    /// The node starts outside the space for nodes.
    case nodeOffset(node: Int, Int)
    /// The node ends behind the page, or is longer than a node may be.
    case nodeSize(node: Int, Int)
    /// The node's flags are unknown or do not belong here.
    case nodeFlags(node: Int, UInt16)
    /// The nodes overlap, or leave a gap between them.
    case nodesNotContiguous
    /// The key's size is not allowed, or not that of the table's integers.
    case keySize(node: Int, Int)
    /// The key does not stand behind the one before.
    case keyOrder(node: Int)
    /// The key is outside the range that the pages above give this page.
    case keyOutOfRange(node: Int)
    /// The value needs more overflow pages than its first one counts.
    case overflowPages(node: Int, count: UInt32, needed: UInt64)
    /// The value that describes a table has the wrong size.
    case tableSize(node: Int, Int)
    /// The table's flags are unknown or not supported.
    case tableFlags(UInt16)
    /// The table's header has a number where it must have none.
    case tablePad(UInt32)
    /// Root and depth of the table contradict each other or are impossible.
    case tableRoot(root: UInt64, depth: Int)
    /// The table has another number of pages or entries than it says.
    case tableCount(TableCount, recorded: UInt64, found: UInt64)
    /// The transaction number of an entry of the free list is impossible.
    case freeListTransaction(UInt64)
    /// The length of an entry of the free list is impossible.
    case freeListLength(node: Int, UInt64)
    /// The page numbers of an entry of the free list do not descend.
    case freeListOrder(node: Int)
    /// A page is listed as free that is in use, or listed twice.
    case freePageInUse(UInt64)
  }

  /// What a table counts.
  package enum TableCount: Hashable, Sendable {
    case branchPages
    case leafPages
    case overflowPages
    case entries
  }
}
