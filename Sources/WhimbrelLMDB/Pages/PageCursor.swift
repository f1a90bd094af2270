internal import Foundation

/// A cursor over one table that reads the pages of a snapshot. It works like ``Cursor``.
///
/// It is valid for the commit that its snapshot showed when the cursor was created. Using it later
/// is an error, and the bytes that it returned are no longer valid. A move that finds no entry
/// leaves the cursor without one. ``Cursor/Step/next`` and ``Cursor/Step/previous`` then continue
/// from its last position. After a search for a key that does not exist they move to the first and
/// the last entry.
// Safe: it compares its epoch with that of the snapshot before it moves: rule 1 of ``PageBytes``.
@safe
package final class PageCursor {
  private typealias Failure = FileStructure.Failure

  private let snapshot: PageSnapshot
  /// The tree of the table. Nil for the cursor of ``Table/none``.
  private let tree: PageTree?
  /// The seed of the checksums of the entries, or 0 if they have none.
  private let seed: UInt64
  private let epoch: Int
  private let path = PagePath()
  // Safe: one thread uses a cursor, one call after the other.
  @safe @exclusivity(unchecked) private var leaf: MappedPage?
  @safe @exclusivity(unchecked) private var index = 0
  /// The number of entries visited since the first one if the cursor moved only forward, otherwise
  /// negative.
  @safe @exclusivity(unchecked) private var metForward = PageCursor.unknown
  /// The same since the last entry, moving backward.
  @safe @exclusivity(unchecked) private var metBackward = PageCursor.unknown

  private static var unknown: Int { Int.min / 2 }

  /// The key of the current entry. It is valid while the snapshot shows the same commit.
  @safe @exclusivity(unchecked) package private(set) var key = PageBytes.empty
  /// The value of the current entry. It is valid while the snapshot shows the same commit.
  @safe @exclusivity(unchecked) package private(set) var value = PageBytes.empty

  init(_ snapshot: PageSnapshot, _ tree: PageTree?, seed: UInt64 = 0) {
    self.snapshot = snapshot
    self.tree = tree
    self.seed = seed
    epoch = snapshot.epoch
  }

  /// The key of the current entry if it has eight bytes, otherwise 0.
  package var integerKey: UInt64 { key.count == 8 ? key.load(UInt64.self, at: 0) : 0 }

  /// Returns the pages, if the snapshot still shows the commit of this cursor.
  @inline(__always)
  private func space() throws(LMDBError) -> PageSpace {
    guard snapshot.epoch == epoch, let space = snapshot.space else {
      throw LMDBError(code: .closed, function: "page")
    }
    return space
  }

  // MARK: - Steps

  /// Moves the cursor. Returns whether there is an entry.
  ///
  /// - Throws: ``LMDBError`` with ``PageDamage``. This includes a scan from one end to the other
  ///   that has visited more or fewer entries than the header of the table claims.
  package func move(to step: Cursor.Step) throws(LMDBError) -> Bool {
    guard snapshot.epoch == epoch else { throw LMDBError(code: .closed, function: "page") }
    guard let tree else { return false }
    do throws(FileStructure.Failure) {
      if step == .next, let leaf, index + 1 < leaf.count {
        index += 1
        metForward += 1
        metBackward = Self.unknown
        return try land(on: leaf, tree)
      }
      if step == .previous, let leaf, index > 0 {
        index -= 1
        metBackward += 1
        metForward = Self.unknown
        return try land(on: leaf, tree)
      }
      guard tree.depth > 0, let space = snapshot.space else { return false }
      switch step {
      case .next: return try leave(isNext: true, tree, space)
      case .previous: return try leave(isNext: false, tree, space)
      case .first: return try go(toLast: false, tree, space)
      case .last: return try go(toLast: true, tree, space)
      }
    } catch {
      throw fail(error, tree)
    }
  }

  /// Moves over the following entries of the current page whose keys have eight bytes and whose
  /// values lie in the page, as long as `take` returns true for them. Other entries are left to
  /// ``move(to:)``.
  @inline(__always)
  func moveAlongPage(
    _ take: (_ key: UInt64, _ value: PageBytes) -> Bool
  ) throws(LMDBError) {
    guard snapshot.epoch == epoch, seed == 0, let tree, tree.hasNumberKeys, let leaf else { return }
    let first = index
    do throws(Failure) {
      while index + 1 < leaf.count {
        let node = try leaf.node(index + 1)
        guard node.keySize == 8, node.flags == 0, let bytes = leaf.inlineValue(of: node),
          take(leaf.load(UInt64.self, at: node.keyOffset), bytes)
        else { break }
        index += 1
      }
      guard index > first else { return }
      metForward += index - first
      metBackward = Self.unknown
      _ = try land(on: leaf, tree)
    } catch {
      throw fail(error, tree)
    }
  }

  /// Whether the current page is the first child of its branch page.
  var isOnFirstPageOfBranch: Bool {
    guard snapshot.epoch == epoch, let tree, tree.depth > 1 else { return false }
    return path[tree.depth - 2].index == 0
  }

  /// Moves to the last entry of the current page.
  func moveToEndOfPage() throws(LMDBError) {
    guard snapshot.epoch == epoch else { throw LMDBError(code: .closed, function: "page") }
    guard let tree, let leaf else { return }
    index = leaf.count - 1
    (metForward, metBackward) = (Self.unknown, Self.unknown)
    do throws(Failure) { _ = try land(on: leaf, tree) } catch { throw fail(error, tree) }
  }

  /// Moves to the entry at ``index`` of a leaf page.
  @inline(__always)
  private func land(on leaf: MappedPage, _ tree: PageTree) throws(Failure) -> Bool {
    let node = try leaf.node(index)
    if tree.hasNumberKeys, node.keySize != 8 {
      throw .damaged(page: leaf.number, reason: .keySize(node: index, node.keySize))
    }
    if seed == 0, node.flags == 0, let bytes = leaf.inlineValue(of: node) {
      value = bytes
    } else {
      guard let space = snapshot.space else { return false }
      value = try space.checkedValue(of: node, index, in: leaf, of: tree, seed: seed)
    }
    key = leaf.key(of: node)
    return true
  }

  private func go(toLast: Bool, _ tree: PageTree, _ space: PageSpace) throws(Failure) -> Bool {
    let page = try space.descend(
      toLast: toLast, from: 0, tree.root, origin: tree.owner, node: 0, of: tree, path)
    (leaf, index) = (page, toLast ? page.count - 1 : 0)
    (metForward, metBackward) = toLast ? (Self.unknown, 1) : (1, Self.unknown)
    return try land(on: page, tree)
  }

  /// Moves to the next or the previous leaf page.
  private func leave(isNext: Bool, _ tree: PageTree, _ space: PageSpace) throws(Failure) -> Bool {
    guard leaf != nil else { return try go(toLast: !isNext, tree, space) }
    guard let page = try space.sibling(isNext: isNext, of: tree, path) else {
      let found = isNext ? metForward : metBackward
      lose()
      guard found < 0 || UInt64(found) == tree.entries else {
        throw .damaged(
          page: tree.owner,
          reason: .tableCount(.entries, recorded: tree.entries, found: UInt64(found)))
      }
      return false
    }
    let last = key
    (leaf, index) = (page, isNext ? 0 : page.count - 1)
    metForward = isNext ? metForward + 1 : Self.unknown
    metBackward = isNext ? Self.unknown : metBackward + 1
    let isFound = try land(on: page, tree)
    // Each page was verified when it was first reached. Its content may have been replaced since.
    guard last.count == 0 || (isNext ? precedes(last, key, tree) : precedes(key, last, tree)) else {
      throw .damaged(page: page.number, reason: .keyOrder(node: index))
    }
    return isFound
  }

  private func precedes(_ key: PageBytes, _ other: PageBytes, _ tree: PageTree) -> Bool {
    guard tree.hasNumberKeys else { return key.precedes(other) }
    return key.count == 8 && other.count == 8
      && key.load(UInt64.self, at: 0) < other.load(UInt64.self, at: 0)
  }

  /// Leaves the cursor without an entry.
  private func lose() {
    (key, value) = (.empty, .empty)
    (metForward, metBackward) = (Self.unknown, Self.unknown)
  }

  private func fail(_ failure: Failure, _ tree: PageTree) -> LMDBError {
    lose()
    leaf = nil
    return snapshot.error(failure, in: tree.handle)
  }

  // MARK: - Searches

  /// Moves to the first entry whose key is not less than a key. Returns whether there is one.
  ///
  /// - Parameter isLookup: Whether only this entry is used, and not those that follow.
  package func seek(
    atLeast key: PageBytes, isLookup: Bool = false
  ) throws(LMDBError) -> Bool {
    let space = try space()
    guard let tree else { return false }
    guard key.count > 0, !tree.hasNumberKeys || key.count == 8 else {
      throw LMDBError(code: .badValueSize, function: "page")
    }
    if tree.hasNumberKeys { return try seek(atLeast: key.load(UInt64.self, at: 0)) }
    return try seek(.bytes(key), isExact: false, isLookup: isLookup, tree, space)
  }

  /// Moves to the first entry whose key of eight bytes is not less than a key. Returns whether
  /// there is one.
  package func seek(atLeast key: UInt64) throws(LMDBError) -> Bool {
    try seek(key, isExact: false)
  }

  /// Moves to the entry with a key of eight bytes. Returns whether there is one.
  package func seek(to key: UInt64) throws(LMDBError) -> Bool {
    try seek(key, isExact: true)
  }

  private func seek(_ key: UInt64, isExact: Bool) throws(LMDBError) -> Bool {
    let space = try space()
    guard let tree else { return false }
    if tree.hasNumberKeys {
      return try seek(.number(key), isExact: isExact, tree, space)
    }
    var key = key
    return try PageBytes.with(&key) { key throws(LMDBError) in
      try seek(.bytes(key), isExact: isExact, tree, space)
    }
  }

  @inline(__always)
  private func seek(
    _ key: PageKey, isExact: Bool, isLookup: Bool = false, _ tree: PageTree, _ space: PageSpace
  ) throws(LMDBError) -> Bool {
    guard tree.depth > 0 else { return false }
    do throws(FileStructure.Failure) {
      let page = try page(for: key, tree, space)
      let (place, isFound) = try page.search(
        key, near: space.likelyPlace(of: key, on: page, at: tree.depth - 1, of: tree, path))
      if seed != 0 { try checkEntry(before: place, on: page, key, tree, space) }
      index = place
      (metForward, metBackward) = (Self.unknown, Self.unknown)
      leaf = page
      if isFound { return try land(on: page, tree) }
      if isLookup, seed != 0, index > 0, index < page.count {
        try page.verifyOrder(around: index)
      } else if isExact || seed != 0 || index == 0 || index == page.count {
        try verifyGap(for: key, beside: index, on: page, tree, space)
      }
      if isExact {
        lose()
        leaf = nil
        return false
      }
      if index < page.count { return try land(on: page, tree) }
      self.key = page.key(of: try page.node(page.count - 1))
      return try leave(isNext: true, tree, space)
    } catch {
      throw fail(error, tree)
    }
  }

  /// Checks the entry before the one that a search has found. It may be a damaged entry that
  /// belongs after it.
  private func checkEntry(
    before place: Int, on page: MappedPage, _ key: PageKey, _ tree: PageTree,
    _ space: PageSpace
  ) throws(Failure) {
    if place > 0 { return try space.checkEntry(place - 1, of: page, in: tree, seed: seed) }
    // This uses another path, because the cursor's path must still lead to the leaf page.
    _ = try space.descend(to: key, of: tree, snapshot.path)
    guard let before = try space.sibling(isNext: false, of: tree, snapshot.path) else { return }
    try space.checkEntry(before.count - 1, of: before, in: tree, seed: seed)
  }

  /// Returns the only leaf page that can have a key. Often it is the page of the last search.
  @inline(__always)
  private func page(
    for key: PageKey, _ tree: PageTree, _ space: PageSpace
  ) throws(Failure) -> MappedPage {
    if let leaf, try key.order(of: 0, in: leaf) <= 0,
      try key.order(of: leaf.count - 1, in: leaf) >= 0
    {
      return leaf
    }
    return try space.descend(to: key, of: tree, path)
  }

  /// Verifies that a key is not in a neighbour of its leaf page, see ``PageSpace``.
  private func verifyGap(
    for key: PageKey, beside index: Int, on page: MappedPage, _ tree: PageTree,
    _ space: PageSpace
  ) throws(Failure) {
    if index > 0, index < page.count { return try space.verifyAnew(page, of: tree, path) }
    // This uses another path, because the cursor's path must still lead to the leaf page.
    _ = try space.descend(to: key, of: tree, snapshot.path)
    try space.verifyGap(beside: index, of: page, in: tree, snapshot.path)
  }

  // MARK: - All entries

  /// Calls `body` with the key and the value of each entry of the table. They are valid while the
  /// snapshot shows the same commit. Afterwards the cursor has no entry.
  ///
  /// - Complexity: O(*n*).
  package func forEachEntry(
    _ body: (_ key: PageBytes, _ value: PageBytes) -> Void
  ) throws(LMDBError) {
    let space = try space()
    lose()
    leaf = nil
    guard let tree, tree.depth > 0 else { return }
    do throws(FileStructure.Failure) {
      var next: MappedPage? = try space.descend(
        toLast: false, from: 0, tree.root, origin: tree.owner, node: 0, of: tree, path)
      var found: UInt64 = 0
      var last = PageBytes.empty
      while let page = next {
        // The same check as for a move to another page.
        let first = page.key(of: try page.node(0))
        guard last.count == 0 || precedes(last, first, tree) else {
          throw .damaged(page: page.number, reason: .keyOrder(node: 0))
        }
        last = page.key(of: try page.node(page.count - 1))
        for index in 0..<page.count {
          let node = try page.node(index)
          if tree.hasNumberKeys, node.keySize != 8 {
            throw .damaged(page: page.number, reason: .keySize(node: index, node.keySize))
          }
          let value = try space.checkedValue(of: node, index, in: page, of: tree, seed: seed)
          body(page.key(of: node), value)
        }
        guard snapshot.epoch == epoch else { return }
        found += UInt64(page.count)
        next = try space.sibling(isNext: true, of: tree, path)
      }
      guard found == tree.entries else {
        throw .damaged(
          page: tree.owner, reason: .tableCount(.entries, recorded: tree.entries, found: found))
      }
    } catch {
      throw fail(error, tree)
    }
  }
}
