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
    case .badMeta(_, let fault): "the meta page is invalid: \(fault.words)"
    case .damaged(_, let damage): damage.words
    case .truncated(_, let last, _, let size):
      "it lies beyond the end of the file, which has \(size) bytes and should have pages up to \(last)"
    case .damagedEntry: "an entry has a wrong checksum"
    case .damagedCount(let count): "it records \(count) entries, but has a different number"
    case .notAFile, .empty, .tooShort, .notLMDB, .unsupportedVersion, .io: "\(self)"
    }
  }
}

extension FileStructure.MetaFault {
  fileprivate var words: String {
    switch self {
    case .magic: "its magic number is missing"
    case .version(let version):
      "its LMDB format is \(version), but that of the other meta page is 1"
    case .otherByteOrder: "it was written on a machine with the other byte order"
    case .narrowPageNumbers: "it was written by a 32-bit program"
    case .pageNumber(let number): "it has the page number \(number)"
    case .pageFlags(let flags): "it has the flags \(flags)"
    case .pageSize(let size): "its page size is \(size)"
    case .lastPage(let page): "its last page is \(page)"
    case .transaction(let number):
      "its transaction is \(number), which does not follow that of the other meta page"
    case .mapSize(let size): "its map size is \(size) bytes, less than the size of the file"
    case .fewerPages(let page, let before):
      "its last page is \(page), but the previous commit had pages up to \(before)"
    case .smallerMap(let size, let before):
      "its map size is \(size) bytes, but that of the previous commit was \(before)"
    case .otherFlags: "its flags differ from those of the other meta page"
    case .otherCommit(let number, let freeList):
      "its transaction is \(number), but its free list belongs to transaction \(freeList)"
    case .otherSeal(let number, let seal):
      "its transaction is \(number), but it refers to the tables of transaction \(seal)"
    case .pageCount(let count, let accounted):
      "it records \(count) pages, but the tables and the free list have \(accounted)"
    }
  }
}

extension FileStructure.Damage {
  fileprivate var words: String {
    switch self {
    case .pageNumber(let number): "it has the page number \(number)"
    case .pageFlags(let flags): "it is not of the kind expected here (flags \(flags))"
    case .pageOutOfBounds(let page): "it refers to page \(page), which does not exist"
    case .reachedTwice: "it is used twice"
    case .freeSpace(let lower, let upper): "its free space cannot extend from \(lower) to \(upper)"
    case .tooFewNodes(let count): "it has too few nodes (\(count))"
    case .nodeOffset(let node, let offset): "its node \(node) cannot start at \(offset)"
    case .nodeSize(let node, let size): "its node \(node) cannot have \(size) bytes"
    case .nodeFlags(let node, let flags): "its node \(node) cannot have the flags \(flags)"
    case .nodesNotContiguous: "its nodes overlap or leave gaps"
    case .keySize(let node, let size): "the key of node \(node) cannot have \(size) bytes"
    case .keyOrder(let node): "the key of node \(node) is out of order"
    case .keyOutOfRange(let node): "the key of node \(node) does not belong on this page"
    case .overflowPages(let node, let count, let needed):
      "the value of node \(node) needs \(needed) pages, but has \(count)"
    case .tableSize(let node, let size): "the table description in node \(node) has \(size) bytes"
    case .tableFlags(let flags): "it describes a table with the flags \(flags)"
    case .tablePad(let number): "it describes a table with padding of \(number) instead of 0"
    case .tableRoot(let root, let depth):
      "it describes a table with root \(root) and \(depth) levels"
    case .tableCount(let what, let recorded, let found):
      "it records \(recorded) \(what.words), but there are \(found)"
    case .checksum(let node): "the entry of node \(node) has a wrong checksum"
    case .freeListTransaction(let number): "pages are listed as free since transaction \(number)"
    case .freeListLength(let node, let length): "node \(node) cannot list \(length) free pages"
    case .freeListOrder(let node): "the free pages of node \(node) are out of order"
    case .freePageInUse(let page): "page \(page) is listed as free, but is in use or listed twice"
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
