internal import WhimbrelLMDB

// The words for faults in the structure of a file.
extension FileStructure.Failure {
  /// The damaged page, if the failure concerns one.
  var page: UInt64? {
    switch self {
    case .badMeta(let page, _), .damaged(let page, _): page
    case .truncated(let page, _, _, _): page
    case .notAFile, .empty, .tooShort, .notLMDB, .unsupportedVersion, .damagedEntry, .damagedCount,
      .io:
      nil
    }
  }

  var words: String {
    switch self {
    case .badMeta(_, let fault): "the meta page is impossible: \(fault.words)"
    case .damaged(_, let damage): damage.words
    case .truncated(_, let last, _, let size):
      "it lies behind the end of the file, which has \(size) bytes and should have pages up to \(last)"
    case .damagedEntry: "an entry has a wrong checksum"
    case .damagedCount(let count): "it says that it has \(count) entries, and others were counted"
    case .notAFile, .empty, .tooShort, .notLMDB, .unsupportedVersion, .io: "\(self)"
    }
  }
}

extension FileStructure.MetaFault {
  fileprivate var words: String {
    switch self {
    case .magic: "its magic number is missing"
    case .otherByteOrder: "it is of a machine of the other byte order"
    case .narrowPageNumbers: "it is of a 32-bit program"
    case .pageNumber(let number): "it carries the number \(number)"
    case .pageFlags(let flags): "it has the flags \(flags)"
    case .pageSize(let size): "its page size is \(size)"
    case .lastPage(let page): "the last page is \(page)"
    case .transaction(let number):
      "its transaction is \(number), which does not follow that of the other meta page"
    case .mapSize(let size): "its map has \(size) bytes, fewer than the file"
    case .fewerPages(let page, let before):
      "the last page is \(page), and the commit before it had pages up to \(before)"
    case .smallerMap(let size, let before):
      "its map has \(size) bytes, and the commit before it had \(before)"
    case .otherFlags: "its flags are not those of the other meta page"
    case .otherCommit(let number, let freeList):
      "its transaction is \(number), and its free list is that of transaction \(freeList)"
    case .otherSeal(let number, let seal):
      "its transaction is \(number), and it leads to the tables of transaction \(seal)"
    case .pageCount(let count, let accounted):
      "it claims \(count) pages, and the tables and the free list have \(accounted)"
    }
  }
}

extension FileStructure.Damage {
  fileprivate var words: String {
    switch self {
    case .pageNumber(let number): "it carries the number \(number)"
    case .pageFlags(let flags): "it is of another kind than expected here (flags \(flags))"
    case .pageOutOfBounds(let page): "it leads to page \(page), which there is not"
    case .reachedTwice: "it is in use twice"
    case .freeSpace(let lower, let upper): "its free space cannot be from \(lower) to \(upper)"
    case .tooFewNodes(let count): "it has \(count) nodes, too few"
    case .nodeOffset(let node, let offset): "its node \(node) cannot start at \(offset)"
    case .nodeSize(let node, let size): "its node \(node) cannot have \(size) bytes"
    case .nodeFlags(let node, let flags): "its node \(node) cannot have the flags \(flags)"
    case .nodesNotContiguous: "its nodes overlap or leave gaps"
    case .keySize(let node, let size): "the key of node \(node) cannot have \(size) bytes"
    case .keyOrder(let node): "the key of node \(node) is out of order"
    case .keyOutOfRange(let node): "the key of node \(node) does not belong on it"
    case .overflowPages(let node, let count, let needed):
      "the value of node \(node) needs \(needed) pages and has \(count)"
    case .tableSize(let node, let size): "the table of node \(node) is described by \(size) bytes"
    case .tableFlags(let flags): "it describes a table with the flags \(flags)"
    case .tablePad(let number): "it describes a table with the number \(number) where there is none"
    case .tableRoot(let root, let depth):
      "it describes a table with root \(root) and \(depth) levels"
    case .tableCount(let what, let recorded, let found):
      "it says \(recorded) \(what.words), and there are \(found)"
    case .checksum(let node): "the entry of node \(node) has a wrong checksum"
    case .freeListTransaction(let number): "pages are said to be free since transaction \(number)"
    case .freeListLength(let node, let length): "the free pages of node \(node) cannot be \(length)"
    case .freeListOrder(let node): "the free pages of node \(node) are out of order"
    case .freePageInUse(let page): "page \(page) is said to be free, and is in use or free twice"
    }
  }
}

extension FileStructure.TableCount {
  fileprivate var words: String {
    switch self {
    case .branchPages: "branch pages"
    case .leafPages: "leaf pages"
    case .overflowPages: "overflow pages"
    case .entries: "entries"
    }
  }
}
