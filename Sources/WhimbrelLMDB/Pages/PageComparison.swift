/// A comparison that finds the entries of a table that differ between two snapshots.
///
/// LMDB copies the pages that it writes, and does not reuse pages that a live snapshot can see. Two
/// snapshots therefore share each unchanged page under the same number, and all pages below it. The
/// comparison descends both trees level by level and leaves out the pages that both have. The
/// remaining leaf pages have changed, and their entries are compared.
///
/// The older snapshot must have been held without a gap since the commit that it shows. Otherwise
/// one number may stand for two different pages.
struct PageComparison {
  typealias Failure = FileStructure.Failure

  /// One of the two trees, down to a level.
  private struct Side {
    let space: PageSpace
    let tree: PageTree
    let seed: UInt64
    /// The pages at this level that the other tree does not have, in the order of their keys.
    var pages: [(number: UInt64, parent: UInt64)]
    /// The number of levels from the pages to the leaf pages, 1 for leaf pages.
    var height: Int

    init(_ space: PageSpace, _ tree: PageTree, seed: UInt64) {
      (self.space, self.tree, self.seed) = (space, tree, seed)
      pages = tree.depth == 0 ? [] : [(tree.root, tree.owner)]
      height = tree.depth
    }

    /// Descends one level.
    mutating func descend() throws(Failure) {
      var children: [(number: UInt64, parent: UInt64)] = []
      for (number, parent) in pages {
        let page = try space.page(number, isLeaf: false, from: parent)
        // A tree has each page once. The nodes of a damaged tree could outnumber the pages of the
        // file.
        guard children.count + page.count <= space.pageCount else {
          throw .damaged(page: number, reason: .pageOutOfBounds(number))
        }
        for index in 0..<page.count {
          children.append((number: try page.node(index).child, parent: number))
        }
      }
      pages = children
      height -= 1
    }
  }

  private var old: Side
  private var new: Side

  /// - Parameter seed: The seed of the checksums of the entries, or 0 if they have none.
  init(
    from old: PageSpace, _ oldTree: PageTree, to new: PageSpace, _ newTree: PageTree, seed: UInt64
  ) {
    self.old = Side(old, oldTree, seed: seed)
    self.new = Side(new, newTree, seed: seed)
  }

  /// Calls `body` with the key and the values of each entry that differs, in order. A value is nil
  /// if the snapshot does not have the key. Stops when `body` returns false.
  ///
  /// - Complexity: O(*k* log *n*) for *k* changed entries among *n*.
  mutating func forEachChange(
    _ body: (_ key: PageBytes, _ old: PageBytes?, _ new: PageBytes?) -> Bool
  ) throws(Failure) {
    while old.height > max(new.height, 1) { try old.descend() }
    while new.height > max(old.height, 1) { try new.descend() }
    while max(old.height, new.height) > 1 {
      removeSharedPages()
      if old.pages.isEmpty, new.pages.isEmpty { return }
      try old.descend()
      try new.descend()
    }
    removeSharedPages()
    try compareEntries(body)
  }

  private mutating func removeSharedPages() {
    if old.pages.isEmpty || new.pages.isEmpty { return }
    let known = Set(old.pages.lazy.map(\.number))
    let shared = Set(new.pages.lazy.map(\.number).filter(known.contains))
    if shared.isEmpty { return }
    old.pages.removeAll { shared.contains($0.number) }
    new.pages.removeAll { shared.contains($0.number) }
  }

  /// Merges the entries of the leaf pages that only one of the trees has.
  private func compareEntries(
    _ body: (_ key: PageBytes, _ old: PageBytes?, _ new: PageBytes?) -> Bool
  ) throws(Failure) {
    var left = Entries(old.space, old.tree, old.pages)
    var right = Entries(new.space, new.tree, new.pages)
    try left.advance()
    try right.advance()
    while true {
      let order: Int
      switch (left.key, right.key) {
      case (nil, nil): return
      case (.some, nil): order = -1
      case (nil, .some): order = 1
      case (let first?, let second?): order = left.compare(first, second)
      }
      if order < 0, let key = left.key {
        if !body(key, try left.value(seed: old.seed), nil) { return }
        try left.advance()
      } else if order > 0, let key = right.key {
        if !body(key, nil, try right.value(seed: new.seed)) { return }
        try right.advance()
      } else if let key = right.key {
        if try !left.hasSameValue(as: right) {
          let (before, after) = (
            try left.value(seed: old.seed), try right.value(seed: new.seed)
          )
          if !body(key, before, after) { return }
        }
        try left.advance()
        try right.advance()
      }
    }
  }
}

extension PageComparison {
  /// The entries of some leaf pages of a tree, in order.
  private struct Entries {
    let space: PageSpace
    let tree: PageTree
    let pages: [(number: UInt64, parent: UInt64)]
    private var next = 0
    private var page: MappedPage?
    private var index = 0
    private var node: MappedPage.Node?
    /// The key of the current entry, or nil after the last one.
    private(set) var key: PageBytes?

    init(_ space: PageSpace, _ tree: PageTree, _ pages: [(number: UInt64, parent: UInt64)]) {
      (self.space, self.tree, self.pages) = (space, tree, pages)
    }

    mutating func advance() throws(Failure) {
      index += 1
      if page.map({ index >= $0.count }) ?? true {
        guard next < pages.count else {
          (key, node, page) = (nil, nil, nil)
          return
        }
        page = try space.page(pages[next].number, isLeaf: true, from: pages[next].parent)
        (next, index) = (next + 1, 0)
        if next < pages.count { space.prefetch(pages[next].number) }
      }
      guard let page else { return }
      let node = try page.node(index)
      guard node.keySize >= 1, !tree.hasNumberKeys || node.keySize == 8 else {
        throw .damaged(page: page.number, reason: .keySize(node: index, node.keySize))
      }
      let key = page.key(of: node)
      if let last = self.key, compare(last, key) >= 0 {
        throw .damaged(page: page.number, reason: .keyOrder(node: index))
      }
      (self.node, self.key) = (node, key)
    }

    @inline(__always)
    func compare(_ left: PageBytes, _ right: PageBytes) -> Int {
      if tree.hasNumberKeys {
        let (first, second) = (left.load(UInt64.self, at: 0), right.load(UInt64.self, at: 0))
        return first < second ? -1 : first == second ? 0 : 1
      }
      return left.order(to: right)
    }

    func value(seed: UInt64) throws(Failure) -> PageBytes? {
      guard let page, let node else { return nil }
      return try space.checkedValue(of: node, index, in: page, of: tree, seed: seed)
    }

    /// Returns whether the current entry has the same bytes as that of another snapshot.
    func hasSameValue(as other: Entries) throws(Failure) -> Bool {
      guard let page, let node, let otherPage = other.page, let otherNode = other.node else {
        return false
      }
      guard node.valueSize == otherNode.valueSize else { return false }
      let value = try space.value(of: node, index, in: page, of: tree)
      let otherValue = try other.space.value(
        of: otherNode, other.index, in: otherPage, of: other.tree)
      return value.isEqual(to: otherValue)
    }
  }
}

extension PageSnapshot {
  /// Returns the number of the root page of a table.
  func root(of table: Table) throws(LMDBError) -> UInt64 { try tree(table).root }

  /// Calls `body` with each entry of a table that differs from that of an older snapshot.
  func forEachChange(
    of table: Table, since old: PageSnapshot,
    _ body: (_ key: PageBytes, _ old: PageBytes?, _ new: PageBytes?) -> Bool
  ) throws(LMDBError) {
    if table == .none { return }
    let (oldTree, newTree) = (try old.tree(table), try tree(table))
    if oldTree.root == newTree.root { return }
    guard let oldSpace = old.space, let newSpace = space else {
      throw LMDBError(code: .closed, function: "page")
    }
    var comparison = PageComparison(
      from: oldSpace, oldTree, to: newSpace, newTree, seed: table.seed)
    do throws(FileStructure.Failure) {
      try comparison.forEachChange(body)
    } catch {
      throw self.error(error, in: newTree.handle)
    }
  }
}
