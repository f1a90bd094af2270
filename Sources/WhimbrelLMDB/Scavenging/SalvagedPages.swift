/// The pages of a file with any kind of damage, read one by one without LMDB.
///
/// Nothing in the file is trusted. An entry is only guaranteed to be inside the file. The caller
/// must verify it with its own checksums.
package final class SalvagedPages {
  /// The page size from a meta page, or otherwise the one that most pages suggest.
  package let pageSize: Int
  /// The number of pages in the file, including a truncated last one.
  package let pageCount: UInt64
  /// The roots in the readable meta pages, newest first.
  package let roots: [Roots]
  /// Whether both meta pages are readable and belong to two commits in a row, so that the newer one
  /// belongs to the last commit.
  package let hasAllRoots: Bool
  /// The first fault of the file's structure, or nil if all pages are sound.
  package let fault: FileStructure.Failure?
  private let file: FileStructure.DataFile
  private let page: FileStructure.Page
  /// The position of the page read last.
  package private(set) var position: UInt64 = 0
  private var valueBuffer = ByteBuffer()

  /// The roots of the trees in a meta page.
  package struct Roots: Hashable, Sendable {
    package let main: Root
    package let freeList: Root
    /// The number of the meta page, 0 or 1.
    package let page: UInt64
    /// The transaction number in the meta page.
    package let transaction: UInt64
    /// The highest transaction number in the free list, or nil if it has none. LMDB: it is that of
    /// the commit.
    package let lastFreed: UInt64?
  }

  /// The root of a tree.
  package struct Root: Hashable, Sendable {
    /// The number of the root page, or nil if the tree is empty.
    package let page: UInt64?
    /// The number of entries that the tree's header records.
    package let entries: UInt64

    init(_ header: FileStructure.TreeHeader) {
      page = header.isEmpty ? nil : header.root
      entries = header.entries
    }
  }

  /// - Throws: ``FileStructure/Failure`` with `notAFile`, `empty` or `io`.
  package init(path: String) throws(FileStructure.Failure) {
    file = try FileStructure.DataFile(path: path)
    let size = try file.size()
    guard size > 0 else { throw .empty }
    pageSize = try Self.pageSize(of: file, fileSize: size)
    pageCount = (size - 1) / UInt64(pageSize) + 1
    page = FileStructure.Page(count: pageSize)
    let found = try Self.roots(of: file, pageSize: pageSize, pageCount: pageCount)
    let newest = Self.newest(of: found)
    hasAllRoots = newest != nil
    roots = found.sorted { first, second in
      newest.map { first.page == $0 && second.page != $0 }
        ?? (first.transaction > second.transaction)
    }
    do throws(FileStructure.Failure) {
      try FileStructure.inspect(path: path).checkPagesAndAccounts()
      // Either the number has changed, or the disk has refused the commit. These cannot be told
      // apart.
      fault = found.first { $0.lastFreed ?? 0 > $0.transaction }.map {
        .badMeta(
          page: $0.page, reason: .otherCommit($0.transaction, freeList: $0.lastFreed ?? 0))
      }
    } catch {
      fault = error
    }
  }
}

// MARK: - Meta pages

extension SalvagedPages {
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let metaSize = 152

  private static func pageSize(
    of file: FileStructure.DataFile, fileSize: UInt64
  ) throws(FileStructure.Failure) -> Int {
    let bytes = FileStructure.Page(count: metaSize)
    let sizes = (9...15).map { 1 << $0 }
    for offset in [0] + sizes {
      guard try file.read(bytes, at: UInt64(offset)) == metaSize,
        bytes.load(UInt32.self, at: 16) == magic
      else { continue }
      let size = Int(bytes.load(UInt32.self, at: 40))
      if sizes.contains(size) { return size }
    }
    // Pages carry their numbers, so the right size matches most often.
    var best = (size: 4_096, count: 0)
    for size in sizes {
      var count = 0
      for number in 2..<max(2, min(fileSize / UInt64(size), 2_048)) {
        guard try file.read(bytes, at: number * UInt64(size)) >= 16 else { break }
        if bytes.load(UInt64.self, at: 0) == number { count += 1 }
      }
      if count > best.count { best = (size, count) }
    }
    return best.size
  }

  private static func roots(
    of file: FileStructure.DataFile, pageSize: Int, pageCount: UInt64
  ) throws(FileStructure.Failure) -> [Roots] {
    let bytes = FileStructure.Page(count: metaSize)
    var found: [Roots] = []
    for number in 0...1 {
      guard try file.read(bytes, at: UInt64(number * pageSize)) == metaSize else { continue }
      let hasMagic = bytes.load(UInt32.self, at: 16) == magic
      guard hasMagic || bytes.load(UInt32.self, at: 40) == UInt32(pageSize) else { continue }
      let freeList = Root(FileStructure.TreeHeader(bytes, at: 40))
      found.append(
        Roots(
          main: Root(FileStructure.TreeHeader(bytes, at: 88)), freeList: freeList,
          page: UInt64(number), transaction: bytes.load(UInt64.self, at: 144),
          lastFreed: try lastFreed(freeList, file, pageSize, pageCount)))
    }
    return found
  }

  /// Returns the number of the newer of two meta pages of commits in a row, or nil if they
  /// contradict each other.
  ///
  /// Each names its commit twice, so one wrong number does no harm. If both orders are possible, it
  /// is the one with the higher commit.
  private static func newest(of roots: [Roots]) -> UInt64? {
    guard roots.count == 2 else { return nil }
    if roots.allSatisfy({ $0.transaction == 0 && $0.main.page == nil }) { return 0 }
    var best: (commit: UInt64, page: UInt64)?
    for (newer, older) in [(roots[0], roots[1]), (roots[1], roots[0])] {
      let numbers = [older.transaction] + (older.lastFreed.map { [$0] } ?? [])
      for commit in [newer.transaction] + (newer.lastFreed.map { [$0] } ?? [])
      where commit & 1 == newer.page && numbers.contains(commit &- 1) && commit > best?.commit ?? 0
      {
        best = (commit, newer.page)
      }
    }
    return best?.page
  }

  /// Returns the highest transaction number in a free list, or nil if it is empty or unreadable.
  private static func lastFreed(
    _ root: Root, _ file: FileStructure.DataFile, _ pageSize: Int, _ pageCount: UInt64
  ) throws(FileStructure.Failure) -> UInt64? {
    let page = FileStructure.Page(count: pageSize)
    var number = root.page
    for _ in 0..<FileStructure.TreeHeader.greatestDepth {
      guard let current = number, current >= 2, current < pageCount,
        try file.read(page, at: current * UInt64(pageSize)) == pageSize,
        page.load(UInt64.self, at: 0) == current,
        case let lower = Int(page.load(UInt16.self, at: 12)), lower >= 18, lower <= pageSize,
        case let offset = FileStructure.Node.offset(page, (lower - 16) / 2 - 1),
        offset >= lower, offset + FileStructure.Node.headerSize + 8 <= pageSize
      else { return nil }
      let node = FileStructure.Node(page, (lower - 16) / 2 - 1)
      switch page.load(UInt16.self, at: 10) {
      case FileStructure.PageFlags.branch: number = node.child
      case FileStructure.PageFlags.leaf:
        return node.keySize == 8 ? page.load(UInt64.self, at: node.keyOffset) : nil
      default: return nil
      }
    }
    return nil
  }
}

// MARK: - Entries

/// An entry of a leaf page. Its bytes are valid until another page or value is read.
package struct LooseEntry {
  package let key: PageBytes
  package let content: Content

  /// The content of an entry.
  package enum Content {
    case inline(PageBytes)
    /// The value is in overflow pages.
    case outside(page: UInt64, count: Int)
    /// The value is the header of a named table, in these bytes.
    case table(SalvagedPages.Root, PageBytes)
  }
}

extension SalvagedPages {
  /// The kind of a page according to its flags.
  package enum Kind {
    case branch, leaf, other
  }

  /// Reads a page and returns its kind. A page with its own number but unknown flags counts as a
  /// leaf.
  package func read(_ number: UInt64) throws(FileStructure.Failure) -> Kind {
    let offset = number.multipliedReportingOverflow(by: UInt64(pageSize))
    guard !offset.overflow, number < pageCount else { return .other }
    position = number
    let count = try file.read(page, at: offset.partialValue)
    page.clear(from: count)
    let flags = page.load(UInt16.self, at: 10)
    if flags == FileStructure.PageFlags.branch { return .branch }
    if flags == FileStructure.PageFlags.leaf { return .leaf }
    let isOther =
      flags == FileStructure.PageFlags.overflow || flags == FileStructure.PageFlags.meta
    return !isOther && page.load(UInt64.self, at: 0) == number ? .leaf : .other
  }

  /// Whether the page read last has the number of another position in its header. It has come from
  /// there, perhaps from an earlier commit, or the number is damaged.
  package var isMisplaced: Bool { page.load(UInt64.self, at: 0) != position }

  /// Whether the count of entries of the page read last is possible. If not, entries that were
  /// removed from the page may reappear.
  package var hasPlausibleCount: Bool {
    let lower = Int(page.load(UInt16.self, at: 12))
    let upper = Int(page.load(UInt16.self, at: 14))
    return lower >= 16 && lower <= upper && upper <= pageSize && lower % 2 == 0
  }

  /// Returns the nodes of the page read last that are inside it.
  private func nodes() -> [FileStructure.Node] {
    let lower = Int(page.load(UInt16.self, at: 12))
    let isPlausible = lower >= 16 && lower <= pageSize && lower % 2 == 0
    var nodes: [FileStructure.Node] = []
    for index in 0..<((isPlausible ? lower : pageSize) - 16) / 2 {
      let offset = FileStructure.Node.offset(page, index)
      let isInside =
        offset >= 18 + 2 * index && offset + FileStructure.Node.headerSize <= pageSize
      // If the count of nodes is damaged, the first invalid offset ends them.
      if !isInside, !isPlausible { break }
      if isInside, case let node = FileStructure.Node(page, index), node.valueOffset <= pageSize {
        nodes.append(node)
      }
    }
    return nodes
  }

  /// Returns the children of the branch page read last.
  package func children() -> [UInt64] { nodes().map(\.child).filter { $0 >= 2 && $0 < pageCount } }

  /// Calls `body` with each entry of the leaf page read last. `body` may read values, but not other
  /// pages.
  package func forEachEntry(_ body: (LooseEntry) throws -> Void) throws {
    for node in nodes() where node.keySize > 0 {
      guard let key = page.bytes.slice(at: node.keyOffset, count: node.keySize),
        let content = content(of: node)
      else { continue }
      try body(LooseEntry(key: key, content: content))
    }
  }

  private func content(of node: FileStructure.Node) -> LooseEntry.Content? {
    if node.flags == FileStructure.NodeFlags.overflow {
      guard node.valueOffset + 8 <= pageSize else { return nil }
      let first = page.load(UInt64.self, at: node.valueOffset)
      return first < pageCount ? .outside(page: first, count: node.valueSize) : nil
    }
    guard let value = page.bytes.slice(at: node.valueOffset, count: node.valueSize) else {
      return nil
    }
    guard node.flags == FileStructure.NodeFlags.table else { return .inline(value) }
    guard value.count == FileStructure.TreeHeader.size else { return nil }
    return .table(Root(FileStructure.TreeHeader(page, at: node.valueOffset)), value)
  }

  /// Returns the bytes of an entry's value, or nil if they are not completely in the file. They
  /// are valid until the next value is read.
  package func value(of content: LooseEntry.Content) throws(FileStructure.Failure) -> PageBytes? {
    switch content {
    case .inline(let bytes), .table(_, let bytes): return bytes
    case .outside(let first, let count):
      let start = first * UInt64(pageSize) + 16
      guard UInt64(count) <= (pageCount - first) * UInt64(pageSize) else { return nil }
      let value = FileStructure.Page(count: max(count, 1))
      guard try file.read(value, at: start) >= count else { return nil }
      valueBuffer.reset(zeros: 0)
      if let bytes = value.bytes.slice(at: 0, count: count) { valueBuffer.append(bytes) }
      return valueBuffer.bytes
    }
  }

  /// Returns whether an entry's value is in its leaf page, or in pages that begin with the header of
  /// such pages. Without a checksum, nothing else tells that they are those of the value.
  package func hasHeader(
    _ content: LooseEntry.Content
  ) throws(FileStructure.Failure) -> Bool {
    guard case .outside(let first, _) = content else { return true }
    let header = FileStructure.Page(count: 16)
    guard try file.read(header, at: first * UInt64(pageSize)) == 16 else { return false }
    return header.load(UInt64.self, at: 0) == first
      && header.load(UInt16.self, at: 10) == FileStructure.PageFlags.overflow
  }

  /// Reads the leaf pages of a tree in order, and calls `body` with each number. Leaves out the
  /// pages below a damaged page.
  ///
  /// - Complexity: O(*pages*), in memory for the waiting page numbers and for `seen`.
  package func forEachLeaf(
    from root: UInt64, seen: LoosePageSet, _ body: (UInt64) throws -> Void
  ) throws {
    var line = [root]
    while let number = line.popLast() {
      guard number < pageCount, number >= 2, seen.insert(number) else { continue }
      switch try read(number) {
      case .branch: line += children().reversed()
      case .leaf: try body(number)
      case .other: break
      }
    }
  }
}

/// A set of pages of a file.
package final class LoosePageSet {
  private let set: FileStructure.PageSet

  package init(for file: SalvagedPages) throws(FileStructure.Failure) {
    set = try FileStructure.PageSet(capacity: file.pageCount)
  }

  /// Adds a page, and returns whether it was new.
  @discardableResult
  package func insert(_ page: UInt64) -> Bool { set.insert(page) }

  package func contains(_ page: UInt64) -> Bool { set.contains(page) }
}

extension FileStructure.Page {
  /// The bytes. They are valid until the page is filled again.
  var bytes: PageBytes { unsafe PageBytes(base: base, count: count) }

  /// Fills the page with zeros from an offset to its end.
  func clear(from offset: Int) {
    guard offset < count, offset >= 0 else { return }
    // Safe: the guard checks the range.
    unsafe (base + offset).initializeMemory(as: UInt8.self, repeating: 0, count: count - offset)
  }
}
