extension FileStructure.Walk {
  private typealias NodeFlags = FileStructure.NodeFlags

  /// Checks a leaf page and everything that its values refer to.
  func checkLeaf(
    _ page: FileStructure.Page, _ number: UInt64, of tree: FileStructure.Tree,
    within range: FileStructure.KeyRange
  ) throws(FileStructure.Failure) {
    let nodes = try tree.nodes(of: page, number, isLeaf: true)
    try tree.checkKeys(of: page, number, count: nodes, isLeaf: true, within: range)
    tree.entries += UInt64(nodes)
    guard tree.hasFlags || tree.kind == .freeList else { return }
    for index in 0..<nodes {
      let node = FileStructure.Node(page, index)
      try tolerating { () throws(FileStructure.Failure) in
        if tree.kind == .freeList {
          try checkFreeListEntry(node, index, page, number, of: tree)
        } else if node.flags == NodeFlags.overflow {
          _ = try checkOverflow(node, index, page, number, of: tree)
        } else if node.flags == NodeFlags.table {
          try checkNamedTable(node, index, page, number, of: tree)
        }
      }
    }
  }

  /// Checks the overflow pages of a value, and returns the number of the first.
  private func checkOverflow(
    _ node: FileStructure.Node, _ index: Int, _ page: FileStructure.Page, _ number: UInt64,
    of tree: FileStructure.Tree
  ) throws(FileStructure.Failure) -> UInt64 {
    let first = page.load(UInt64.self, at: node.valueOffset)
    try enter(first, from: number)
    try read(first, into: tree.overflowHeader)
    let flags = tree.overflowHeader.load(UInt16.self, at: 10)
    guard flags == FileStructure.PageFlags.overflow else {
      throw .damaged(page: first, reason: .pageFlags(flags))
    }
    // LMDB: only the first page has a header, of 16 bytes. A value overwritten by a shorter one in
    // the same transaction keeps its pages, so there may be more than needed.
    let count = tree.overflowHeader.load(UInt32.self, at: 12)
    let needed = UInt64((node.valueSize + 15) / structure.pageSize + 1)
    guard count >= needed else {
      throw .damaged(
        page: number, reason: .overflowPages(node: index, count: count, needed: needed))
    }
    let last = first + UInt64(count) - 1
    guard last <= structure.lastPage else {
      throw .damaged(page: first, reason: .pageOutOfBounds(last))
    }
    guard last < structure.fileSize / UInt64(structure.pageSize) else {
      throw truncated(at: last)
    }
    for next in first..<last { try enter(next + 1, from: first) }
    tree.overflowPages += UInt64(count)
    return first
  }

  /// Checks a named table through its entry in the main database.
  private func checkNamedTable(
    _ node: FileStructure.Node, _ index: Int, _ page: FileStructure.Page, _ number: UInt64,
    of tree: FileStructure.Tree
  ) throws(FileStructure.Failure) {
    guard tree.kind == .main else {
      throw .damaged(page: number, reason: .nodeFlags(node: index, node.flags))
    }
    guard node.valueSize == FileStructure.TreeHeader.size else {
      throw .damaged(page: number, reason: .tableSize(node: index, node.valueSize))
    }
    let header = FileStructure.TreeHeader(page, at: node.valueOffset)
    let name = log == nil ? "" : node.key(in: page).text
    log?.add(header, named: name)
    try tolerating(in: .table(name)) { () throws(FileStructure.Failure) in
      if let damage = log?.unusual(header) { throw .damaged(page: number, reason: damage) }
      switch scope {
      case .everything: try checkTree(header, kind: .table, namedBy: number)
      case .catalog, .accounts: try checkOutline(header, namedBy: number)
      }
    }
    count.tables += 1
  }

  /// Checks an entry of the free list. The key is the transaction that freed
  /// the pages; the value is their count, followed by their numbers.
  private func checkFreeListEntry(
    _ node: FileStructure.Node, _ index: Int, _ page: FileStructure.Page, _ number: UInt64,
    of tree: FileStructure.Tree
  ) throws(FileStructure.Failure) {
    let transaction = page.load(UInt64.self, at: node.keyOffset)
    guard transaction >= 1, transaction <= structure.transaction else {
      throw .damaged(page: number, reason: .freeListTransaction(transaction))
    }
    var words: WordReader
    switch node.flags {
    case 0:
      words = WordReader(page: page, offset: node.valueOffset, size: node.valueSize)
    case NodeFlags.overflow:
      let first = try checkOverflow(node, index, page, number, of: tree)
      let start = first * UInt64(structure.pageSize) + 16
      words = WordReader(file: structure.file, start: start, size: node.valueSize)
    default:
      throw .damaged(page: number, reason: .nodeFlags(node: index, node.flags))
    }
    // LMDB: reserved but unused space may follow the numbers.
    let room = node.valueSize / 8
    guard node.valueSize % 8 == 0, room >= 1 else {
      throw .damaged(
        page: number, reason: .freeListLength(node: index, UInt64(node.valueSize)))
    }
    guard let length = try words.next(), length < UInt64(room) else {
      throw .damaged(page: number, reason: .freeListLength(node: index, words.latest))
    }
    var previous = UInt64.max
    var group: FileStructure.PageSet.Group?
    for _ in 0..<length {
      guard let free = try words.next() else { throw truncated(at: number) }
      guard free < previous else {
        throw .damaged(page: number, reason: .freeListOrder(node: index))
      }
      guard free >= 2, free <= structure.lastPage else {
        throw .damaged(page: number, reason: .pageOutOfBounds(free))
      }
      if group?.append(free) != true {
        try addFree(group, namedBy: number)
        group = FileStructure.PageSet.Group(free)
      }
      previous = free
    }
    try addFree(group, namedBy: number)
    count.freePages += length
  }

  /// Records that a page of the free list names pages, which must be new.
  private func addFree(
    _ group: FileStructure.PageSet.Group?, namedBy number: UInt64
  ) throws(FileStructure.Failure) {
    guard let group, let page = seen.insert(group) else { return }
    throw .damaged(page: number, reason: .freePageInUse(page))
  }
}

extension FileStructure.Walk {
  /// A reader of a value that consists of 64-bit numbers. It reads from a page,
  /// or block by block from overflow pages.
  private struct WordReader {
    private let file: FileStructure.DataFile?
    private let start: UInt64
    private let size: Int
    private var page: FileStructure.Page
    /// The start of the value's bytes in the page.
    private var base: Int
    /// The number of filled bytes in the page.
    private var filled: Int
    /// The offset in the value of the page's first byte.
    private var origin = 0
    private var position = 0
    /// The number read last.
    private(set) var latest: UInt64 = 0

    init(page: FileStructure.Page, offset: Int, size: Int) {
      (file, start, self.size, self.page) = (nil, 0, size, page)
      (base, filled) = (offset, size)
    }

    init(file: FileStructure.DataFile, start: UInt64, size: Int) {
      (self.file, self.start, self.size) = (file, start, size)
      page = FileStructure.Page(count: 1 << 16)
      (base, filled) = (0, 0)
    }

    /// Returns the next number, or nil at the end of the value or the file.
    mutating func next() throws(FileStructure.Failure) -> UInt64? {
      guard position + 8 <= size else { return nil }
      if position + 8 > origin + filled {
        guard let file else { return nil }
        origin = position
        filled = try file.read(page, at: start + UInt64(origin))
        guard filled >= 8 else { return nil }
      }
      latest = page.load(UInt64.self, at: base + position - origin)
      position += 8
      return latest
    }
  }
}
