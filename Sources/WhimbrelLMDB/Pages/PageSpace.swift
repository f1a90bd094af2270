internal import CWhimbrelLMDB
internal import Foundation

/// The pages that a snapshot may read, with functions to find them.
///
/// Invariants:
/// 1. Only bytes of pages that the file had when the snapshot began are read.
/// 2. A page is used only if it has its own number and the flags that its position requires.
/// 3. A page is verified before it is searched: its nodes fill it without overlap, and its keys
///    ascend within the range that the pages above allow. ``PageMarks`` documents how long that
///    holds.
/// 4. The depth of a tree is limited, and its leaf pages are all at the last level, so each descent
///    ends.
// Safe: invariant 1. The snapshot that created it keeps the map and the marks: rule 1 of
// ``PageBytes``.
@safe
struct PageSpace {
  typealias Failure = FileStructure.Failure
  typealias Layout = FileStructure.PageLayout

  private let base: UnsafeRawPointer
  let pageSize: Int
  /// The number of pages that may be read.
  let pageCount: UInt64
  let lastPage: UInt64
  /// The size of the file at the beginning, in bytes.
  let fileSize: UInt64
  private let marks: UnsafeMutablePointer<UInt64>
  let stamp: UInt64

  /// Creates a space of the first pages of a map: those that lie in the file and are in use. The
  /// map and the marks must outlive it.
  init(
    map: PageMap, fileSize: Int, lastPage: UInt64, transaction: UInt64, marks: PageMarks
  ) throws(Failure) {
    let inFile = UInt64(min(fileSize, map.byteCount) / map.pageSize)
    pageCount = min(inFile, lastPage &+ 1)
    try marks.prepare(pageCount: Int(pageCount), transaction: transaction)
    guard let words = unsafe marks.words else { throw .io(ENOMEM) }
    unsafe base = map.base
    unsafe self.marks = unsafe words
    pageSize = map.pageSize
    self.lastPage = lastPage
    self.fileSize = UInt64(fileSize)
    stamp = PageMarks.stamp(of: transaction)
  }

  // MARK: - Pages

  /// Returns the address of a page that `origin` leads to.
  @inline(__always)
  private func address(_ number: UInt64, from origin: UInt64) throws(Failure) -> UnsafeRawPointer {
    guard number >= 2, number < pageCount else { throw outOfBounds(number, from: origin) }
    // Safe: the page lies in the map and in the file.
    return unsafe base + Int(number) * pageSize
  }

  @inline(never)
  private func outOfBounds(_ number: UInt64, from origin: UInt64) -> Failure {
    guard number >= 2, number <= lastPage else {
      return .damaged(page: origin, reason: .pageOutOfBounds(number))
    }
    return .truncated(
      pageNumber: number, lastPage: lastPage, pageSize: UInt64(pageSize), fileSize: fileSize)
  }

  /// Returns a page whose header was checked.
  @inline(__always)
  func page(
    _ number: UInt64, isLeaf: Bool, from origin: UInt64
  ) throws(Failure) -> MappedPage {
    unsafe try MappedPage(
      at: address(number, from: origin), number, size: pageSize, isLeaf: isLeaf)
  }

  /// Returns the value of a node whose value is in overflow pages.
  ///
  /// LMDB: a value that is overwritten by a shorter one in the same transaction keeps its pages, so
  /// there may be more pages than it needs.
  func overflow(
    _ node: MappedPage.Node, _ index: Int, of page: MappedPage
  ) throws(Failure) -> PageBytes {
    guard node.valueOffset <= pageSize - 8 else {
      throw .damaged(
        page: page.number, reason: .nodeSize(node: index, node.valueOffset + 8 - node.offset))
    }
    let first = page.load(UInt64.self, at: node.valueOffset)
    let start = unsafe try address(first, from: page.number)
    // Safe: the header lies in the page.
    let found = unsafe start.loadUnaligned(fromByteOffset: Layout.number, as: UInt64.self)
    guard found == first else { throw .damaged(page: first, reason: .pageNumber(found)) }
    let flags = unsafe start.loadUnaligned(fromByteOffset: Layout.flags, as: UInt16.self)
    guard flags == FileStructure.PageFlags.overflow else {
      throw .damaged(page: first, reason: .pageFlags(flags))
    }
    let count = unsafe start.loadUnaligned(fromByteOffset: Layout.overflowCount, as: UInt32.self)
    let needed = UInt64((node.valueSize + Layout.headerSize - 1) / pageSize + 1)
    guard UInt64(count) >= needed else {
      throw .damaged(
        page: page.number, reason: .overflowPages(node: index, count: count, needed: needed))
    }
    guard UInt64(count) <= pageCount - first else {
      throw outOfBounds(first + UInt64(count) - 1, from: first)
    }
    // Safe: the value lies in the pages, which lie in the file.
    return unsafe PageBytes(base: start + Layout.headerSize, count: node.valueSize)
  }

  /// Returns the value of a node of a leaf page.
  @inline(__always)
  func value(
    of node: MappedPage.Node, _ index: Int, in page: MappedPage, of tree: PageTree
  ) throws(Failure) -> PageBytes {
    if node.flags == 0 || node.flags == FileStructure.NodeFlags.table && tree.isMain {
      guard let value = page.inlineValue(of: node) else {
        throw .damaged(
          page: page.number,
          reason: .nodeSize(node: index, node.valueOffset + node.valueSize - node.offset))
      }
      return value
    }
    guard node.flags == FileStructure.NodeFlags.overflow else {
      throw .damaged(page: page.number, reason: .nodeFlags(node: index, node.flags))
    }
    return try overflow(node, index, of: page)
  }

  /// Verifies the checksum after the value of a node of a leaf page, and returns the value without
  /// it.
  ///
  /// - Parameter seed: The seed of the checksums of the table, or 0 if it has none.
  @inline(__always)
  func checkedValue(
    of node: MappedPage.Node, _ index: Int, in page: MappedPage, of tree: PageTree, seed: UInt64
  ) throws(Failure) -> PageBytes {
    let stored = try value(of: node, index, in: page, of: tree)
    if seed == 0 { return stored }
    guard let value = EntryChecksum.value(in: stored, of: page.key(of: node), seed: seed) else {
      throw .damaged(page: page.number, reason: .checksum(node: index))
    }
    return value
  }

  /// Checks an entry of a table whose entries have checksums.
  func checkEntry(
    _ index: Int, of page: MappedPage, in tree: PageTree, seed: UInt64
  ) throws(Failure) {
    _ = try checkedValue(of: page.node(index), index, in: page, of: tree, seed: seed)
  }

  // MARK: - Descending

  /// Returns the page at a level of a path, verified.
  ///
  /// - Parameter isAnew: Whether to verify the page again even if it was verified before. It may
  ///   have been damaged since, while the file is open.
  @inline(__always)
  func verifiedPage(
    _ number: UInt64, at level: Int, from origin: UInt64, node: Int, of tree: PageTree,
    _ path: PagePath, isAnew: Bool = false
  ) throws(Failure) -> MappedPage {
    let page = try page(number, isLeaf: level == tree.depth - 1, from: origin)
    let edge =
      level == 0
      ? PageMarks.rootEdge(of: tree.handle, stamp: stamp)
      : PageMarks.edge(from: origin, node: node, stamp: stamp)
    // Safe: there is a word for each page.
    if unsafe isAnew || marks[Int(number)] != edge {
      try verify(page, edge, at: level, of: tree, path, isAnew: isAnew)
    }
    return page
  }

  /// Verifies a page, unless a recent snapshot has verified it.
  @inline(never)
  private func verify(
    _ page: MappedPage, _ edge: UInt64, at level: Int, of tree: PageTree, _ path: PagePath,
    isAnew: Bool
  ) throws(Failure) {
    // Safe: the page was found in bounds, and there is a word for each.
    let word = unsafe marks[Int(page.number)]
    // The bounds for the keys of a first or last child may come from a page further up, which may
    // be new.
    let isBoundByParent =
      level < 2 || path[level - 1].index > 0 && path[level - 1].index < path[level - 1].count - 1
    if isAnew || !isBoundByParent || !PageMarks.isRecent(word, wanted: edge) {
      let lower = try separator(above: level, isUpper: false, path)
      let upper = try separator(above: level, isUpper: true, path)
      try page.verify(isLeaf: level == tree.depth - 1, of: tree, from: lower, before: upper)
    }
    unsafe marks[Int(page.number)] = edge
  }

  /// Returns the lower or the upper bound that the pages above set for the keys below a level of a
  /// path, or nil if there is none.
  private func separator(
    above level: Int, isUpper: Bool, _ path: PagePath
  ) throws(Failure) -> PageBytes? {
    var level = level
    while level > 0 {
      level -= 1
      let step = path[level]
      let index = isUpper ? step.index + 1 : step.index
      let page = try page(step.number, isLeaf: false, from: step.number)
      // The first node of a branch page stands for all lower keys, whatever its own key is.
      guard index > 0, index < page.count else { continue }
      return page.key(of: try page.node(index))
    }
    return nil
  }

  /// Descends from a level to a leaf page, always to the first node or always to the last.
  ///
  /// - Parameter isAnew: Whether to verify the leaf page again. Nothing else would show a scan that
  ///   the page lacks entries.
  func descend(
    toLast: Bool, from level: Int, _ number: UInt64, origin: UInt64, node: Int, of tree: PageTree,
    _ path: PagePath, isAnew: Bool = true
  ) throws(Failure) -> MappedPage {
    var (level, number, origin, node) = (level, number, origin, node)
    while true {
      let page = try verifiedPage(
        number, at: level, from: origin, node: node, of: tree, path,
        isAnew: isAnew && level == tree.depth - 1)
      guard level < tree.depth - 1 else { return page }
      node = toLast ? page.count - 1 : 0
      path[level] = PagePath.Level(number: number, index: node, count: page.count)
      origin = number
      number = try page.node(node).child
      level += 1
    }
  }

  /// Descends to the only leaf page that can have a key. The tree is not empty.
  @inline(__always)
  func descend(
    to key: PageKey, of tree: PageTree, _ path: PagePath
  ) throws(Failure) -> MappedPage {
    var (level, number, origin, node) = (0, tree.root, tree.owner, 0)
    while true {
      let page = try verifiedPage(number, at: level, from: origin, node: node, of: tree, path)
      guard level < tree.depth - 1 else { return page }
      node = try page.childIndex(
        for: key, near: likelyPlace(of: key, on: page, at: level, of: tree, path))
      path[level] = PagePath.Level(number: number, index: node, count: page.count)
      origin = number
      number = try page.node(node).child
      level += 1
    }
  }

  /// Returns the node that is likely to have a key, in the page at a level of a path. Returns nil
  /// if that cannot be determined.
  ///
  /// Numbers, such as object IDs, are often spread evenly between the keys in the page above.
  @inline(__always)
  func likelyPlace(
    of key: PageKey, on page: MappedPage, at level: Int, of tree: PageTree, _ path: PagePath
  ) throws(Failure) -> Int? {
    guard tree.hasNumberKeys, level > 0 else { return nil }
    let step = path[level - 1]
    guard step.index > 0 else { return nil }
    let parent = try self.page(step.number, isLeaf: false, from: step.number)
    guard step.index + 1 < parent.count,
      let share = try key.share(from: step.index, to: step.index + 1, in: parent)
    else { return nil }
    return min(Int(share * Double(page.count)), page.count - 1)
  }

  /// Returns the leaf page after or before that of a path, or nil if there is none.
  func sibling(
    isNext: Bool, of tree: PageTree, _ path: PagePath, isAnew: Bool = true
  ) throws(Failure) -> MappedPage? {
    var level = tree.depth - 1
    while level > 0 {
      level -= 1
      var step = path[level]
      let page = try page(step.number, isLeaf: false, from: step.number)
      step.index += isNext ? 1 : -1
      guard step.index >= 0, step.index < page.count else { continue }
      path[level] = step
      let found = try descend(
        toLast: !isNext, from: level + 1, page.node(step.index).child, origin: step.number,
        node: step.index, of: tree, path, isAnew: isAnew)
      if level == tree.depth - 2, step.index + 1 < page.count, isNext {
        prefetch(try page.node(step.index + 1).child)
      }
      return found
    }
    return nil
  }

  /// Begins to load a page that is likely to be next. Otherwise a scan would wait for each of its
  /// records.
  @inline(__always)
  func prefetch(_ number: UInt64) {
    guard number < pageCount else { return }
    // Safe: the page lies in the map.
    unsafe whimbrel_prefetch(base + Int(number) * pageSize, pageSize)
  }

  /// Returns the value of a key, or nil.
  ///
  /// - Parameter seed: The seed of the checksums of the table, or 0 if it has none. If the key is
  ///   not found, the adjacent entries are checked, because one of them may be the key, damaged.
  @inline(__always)
  func value(
    of key: PageKey, in tree: PageTree, _ path: PagePath, seed: UInt64 = 0
  ) throws(Failure) -> PageBytes? {
    guard tree.depth > 0 else { return nil }
    let page = try descend(to: key, of: tree, path)
    let (index, isFound) = try page.search(
      key, near: likelyPlace(of: key, on: page, at: tree.depth - 1, of: tree, path))
    guard isFound else {
      let sibling = try verifyGap(beside: index, of: page, in: tree, path)
      if seed != 0 { try checkNeighbors(of: index, on: page, sibling, in: tree, seed: seed) }
      return nil
    }
    return try checkedValue(of: page.node(index), index, in: page, of: tree, seed: seed)
  }

  /// Checks the entries between which a key would be.
  private func checkNeighbors(
    of index: Int, on page: MappedPage, _ sibling: MappedPage?, in tree: PageTree, seed: UInt64
  ) throws(Failure) {
    if index > 0 { try checkEntry(index - 1, of: page, in: tree, seed: seed) }
    if index < page.count { try checkEntry(index, of: page, in: tree, seed: seed) }
    guard let sibling else { return }
    try checkEntry(index > 0 ? 0 : sibling.count - 1, of: sibling, in: tree, seed: seed)
  }

  /// Verifies that a key that would precede a node of a leaf page is in no other page. Afterwards
  /// the path leads elsewhere.
  ///
  /// If the key would be the first or the last of the page, a damaged key further up may have led
  /// to the wrong one of two neighbours. The other neighbour then does not fit.
  ///
  /// - Returns: The second leaf page that was checked: the previous one if the key would be the
  ///   first of its page, the next one if it would be the last.
  @discardableResult @inline(__always)
  func verifyGap(
    beside index: Int, of page: MappedPage, in tree: PageTree, _ path: PagePath
  ) throws(Failure) -> MappedPage? {
    try verifyAnew(page, of: tree, path)
    if index > 0, index < page.count { return nil }
    return try sibling(isNext: index > 0, of: tree, path)
  }

  /// Verifies the leaf page of a path again. It may have been damaged since it was verified, while
  /// the file is open.
  func verifyAnew(
    _ page: MappedPage, of tree: PageTree, _ path: PagePath
  ) throws(Failure) {
    let level = tree.depth - 1
    let lower = try separator(above: level, isUpper: false, path)
    let upper = try separator(above: level, isUpper: true, path)
    try page.verify(isLeaf: true, of: tree, from: lower, before: upper)
  }
}
