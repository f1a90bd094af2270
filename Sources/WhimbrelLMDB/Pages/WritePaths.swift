internal import CWhimbrelLMDB

/// A verifier of the pages of the last commit that LMDB is about to use in a write.
///
/// LMDB trusts the pages that it changes, and aborts the process if they are damaged. It changes
/// copies of pages of the last commit: those on the path to a key, and those beside them, with
/// which it merges a page that has become too empty. These pages are verified here before LMDB uses
/// them. The pages that a write has already changed are copies of verified ones.
///
/// A file that was checked as a whole before its first write does not need this.
final class WritePaths {
  private typealias Failure = FileStructure.Failure

  private let snapshot: PageSnapshot
  private let beside = PagePath()
  /// The leaf page that was reached last. Its neighbours were verified.
  // Safe: one thread uses a write transaction, one call after the other.
  @safe @exclusivity(unchecked) private var last: Place?

  private struct Place {
    let tree: PageTree
    let leaf: MappedPage
    /// The first and the last key if they are numbers. No other page has keys between them.
    let numbers: ClosedRange<UInt64>?

    init(_ tree: PageTree, _ leaf: MappedPage) throws(Failure) {
      self.tree = tree
      self.leaf = leaf
      guard tree.hasNumberKeys else {
        numbers = nil
        return
      }
      let (first, end) = (try leaf.number(of: 0), try leaf.number(of: leaf.count - 1))
      numbers = first <= end ? first...end : nil
    }
  }

  /// Prepares to verify pages of the commit that a write transaction begins with.
  ///
  /// The transaction pins that commit: its pages are not reused before it ends.
  init(_ environment: Environment, _ handle: OpaquePointer) throws(LMDBError) {
    snapshot = unsafe PageSnapshot(environment, marks: environment.writer.marks)
    let commit = unsafe UInt64(mdb_txn_id(handle)) - 1
    guard try snapshot.take(commit) else {
      throw LMDBError(code: .corrupted, function: "page")
    }
  }

  func end() { snapshot.end() }

  /// Verifies the pages that LMDB uses to find or change a key of eight bytes.
  @inline(never)
  func verify(_ table: Table, _ key: UInt64) throws(LMDBError) {
    if let last, last.tree.handle == table.handle, last.numbers?.contains(key) == true {
      return try verifyValue(of: .number(key), on: last.leaf, last.tree)
    }
    guard let tree = try tree(table) else { return }
    if tree.hasNumberKeys { return try verify(.number(key), tree) }
    var key = key
    try PageBytes.with(&key) { key throws(LMDBError) in
      try verify(.bytes(key), tree)
    }
  }

  /// Verifies the pages that LMDB uses to find or change a key.
  @inline(never)
  func verify(_ table: Table, _ key: PageBytes) throws(LMDBError) {
    guard key.count > 0, let tree = try tree(table) else { return }
    if !tree.hasNumberKeys { return try verify(.bytes(key), tree) }
    guard key.count == 8 else { return }
    try verify(.number(key.load(UInt64.self, at: 0)), tree)
  }

  /// Verifies the path to the first or the last entry of a table.
  @inline(never)
  func verify(_ table: Table, end step: Cursor.Step) throws(LMDBError) {
    guard step == .first || step == .last, let tree = try tree(table), tree.depth > 0,
      let space = snapshot.space
    else { return }
    do throws(Failure) {
      _ = try space.descend(
        toLast: step == .last, from: 0, tree.root, origin: tree.owner, node: 0, of: tree, beside,
        isAnew: false)
    } catch {
      throw snapshot.error(error, in: tree.handle)
    }
  }

  /// Verifies all pages of a table, and the path to its name if that is given.
  ///
  /// - Complexity: O(*n*).
  func verifyAll(_ table: Table, named name: String? = nil) throws(LMDBError) {
    if let name {
      try PageBytes.with(Array(name.utf8)) { key throws(LMDBError) in try verify(.main, key) }
    }
    guard let tree = try tree(table, named: name) else { return }
    try PageCursor(snapshot, tree).forEachEntry { _, _ in }
  }

  /// Returns the tree of a table in the last commit, or nil if the transaction has created it.
  private func tree(_ table: Table, named name: String? = nil) throws(LMDBError) -> PageTree? {
    if table == .none { return nil }
    do throws(LMDBError) {
      if let name { return try snapshot.find(table, named: name) }
      return try snapshot.tree(table)
    } catch {
      if error.code == .badTable { return nil }
      throw error
    }
  }

  private func verify(_ key: PageKey, _ tree: PageTree) throws(LMDBError) {
    guard tree.depth > 0, let space = snapshot.space else { return }
    let page: MappedPage
    do throws(Failure) {
      page = try space.descend(to: key, of: tree, snapshot.path)
      if last?.tree.handle != tree.handle || last?.leaf.number != page.number {
        try verifyNeighbors(of: tree, space)
        last = try Place(tree, page)
      }
    } catch {
      throw snapshot.error(error, in: tree.handle)
    }
    try verifyValue(of: key, on: page, tree)
  }

  /// Verifies that the value of a key, if the key is on a leaf page, lies in pages of the file.
  @inline(__always)
  private func verifyValue(
    of key: PageKey, on page: MappedPage, _ tree: PageTree
  ) throws(LMDBError) {
    guard let space = snapshot.space else { return }
    do throws(Failure) {
      let (index, isFound) = try page.search(key)
      if isFound { _ = try space.value(of: page.node(index), index, in: page, of: tree) }
    } catch {
      throw snapshot.error(error, in: tree.handle)
    }
  }

  /// Verifies the pages beside those of the path, two on each side, on each level.
  ///
  /// LMDB: a page that has become less than a quarter full takes an entry from the page beside it,
  /// or is merged with that page if it is as empty. Later removals from the first page alone may
  /// make the merged page too empty again. Then the next page is used, too.
  private func verifyNeighbors(of tree: PageTree, _ space: PageSpace) throws(Failure) {
    let path = snapshot.path
    for isNext in [false, true] {
      beside.copy(path, count: tree.depth - 1)
      if try space.sibling(isNext: isNext, of: tree, beside, isAnew: false) != nil {
        _ = try space.sibling(isNext: isNext, of: tree, beside, isAnew: false)
      }
      guard tree.depth > 2 else { continue }
      for level in 1..<(tree.depth - 1) {
        beside.copy(path, count: level)
        var step = path[level - 1]
        for _ in 0..<2 {
          step.index += isNext ? 1 : -1
          guard step.index >= 0, step.index < step.count else { break }
          beside[level - 1] = step
          let parent = try space.page(step.number, isLeaf: false, from: step.number)
          _ = try space.verifiedPage(
            parent.node(step.index).child, at: level, from: step.number, node: step.index,
            of: tree, beside)
        }
      }
    }
  }
}
