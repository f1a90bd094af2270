extension FileStructure {
  /// A pass over the pages of a file.
  ///
  /// Invariants:
  /// 1. A page is entered only if its number is in bounds and new. The walk therefore ends,
  ///   whatever the pages contain.
  /// 2. While a page is checked, the pages above it stay in their buffers, because the keys that
  ///   bound it point into them.
  final class Walk {
    let structure: FileStructure
    let scope: Scope
    let seen: PageSet
    var count = PageCount()
    /// The log of faults, or nil to end the walk at the first fault.
    let log: FaultLog?
    /// The parts postponed for several cores, or nil to walk on one core.
    let subtrees: Subtrees?
    /// A read-ahead buffer for consecutive pages. It is filled after two pages in a row were read
    /// in file order.
    private lazy var run = Page(count: structure.pageSize * Self.longestRun)
    private var runStart: UInt64 = 0
    private var runLength: UInt64 = 0
    private var lastRead: UInt64 = 0

    private static let longestRun = 16

    init(
      _ structure: FileStructure, _ scope: Scope, log: FaultLog? = nil, subtrees: Subtrees? = nil
    ) throws(Failure) {
      self.structure = structure
      self.scope = scope
      self.log = log
      self.subtrees = subtrees
      seen = try PageSet(capacity: structure.lastPage + 1)
    }

    /// Creates a walk over a part of another walk's pages.
    init(_ structure: FileStructure, sharing seen: PageSet) {
      (self.structure, self.seen) = (structure, seen)
      (scope, log, subtrees) = (.everything, nil, nil)
    }

    /// Checks the main database, its tables to the extent of the scope, and the free list.
    func check() throws(Failure) {
      _ = seen.insert(0)
      _ = seen.insert(1)
      try tolerating(in: .main) { () throws(Failure) in
        try checkTree(structure.main, kind: .main, namedBy: structure.metaPage)
      }
      // The free list comes last, so that a page both free and in use is reported as such.
      try tolerating(in: .freeList) { () throws(Failure) in
        try checkTree(structure.freeList, kind: .freeList, namedBy: structure.metaPage)
      }
      // After a fault, the pages below it were not visited and would count as lost.
      if let log, log.count > 0 { return }
      let (all, accounted) = (structure.lastPage + 1, count.usedPages + count.freePages)
      guard accounted <= all else {
        throw .damaged(
          page: structure.metaPage,
          reason: .tableCount(.leafPages, recorded: accounted, found: all))
      }
      count.lostPages = all - accounted
    }

    /// Runs `body` on pages of a part of the file. With a log, records a fault and lets the walk
    /// continue.
    func tolerating(
      in part: FaultLog.Part? = nil, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
      guard let log else { return try body() }
      let before = log.part
      if let part { log.part = part }
      defer { log.part = before }
      do throws(Failure) { try body() } catch { try log.note(error) }
    }

    /// Checks one tree against its header, which is on page `owner`.
    func checkTree(
      _ header: TreeHeader, kind: TreeKind, namedBy owner: UInt64
    ) throws(Failure) {
      if let damage = header.damage(kind: kind, lastPage: structure.lastPage) {
        throw .damaged(page: owner, reason: damage)
      }
      let tree = Tree(header, kind: kind, pageSize: structure.pageSize)
      let faults = log?.count
      if !header.isEmpty {
        try tolerating { () throws(Failure) in
          try enter(header.root, from: owner)
          try checkPage(header.root, level: 0, of: tree, within: KeyRange())
          try finishSubtrees(of: tree)
        }
      }
      // After a fault, pages that were not visited would count as missing.
      if log?.count == faults { try checkCounts(of: tree, namedBy: owner) }
      count.branchPages += tree.branchPages
      count.leafPages += tree.leafPages
      count.overflowPages += tree.overflowPages
      count.unusedBytes += tree.unusedBytes
      if kind != .freeList { count.entries += tree.entries }
    }

    /// Compares the counts of a tree with its header.
    private func checkCounts(of tree: Tree, namedBy owner: UInt64) throws(Failure) {
      let header = tree.header
      let counts: [(TableCount, UInt64, UInt64)] = [
        (.branchPages, header.branchPages, tree.branchPages),
        (.leafPages, header.leafPages, tree.leafPages),
        (.overflowPages, header.overflowPages, tree.overflowPages),
        (.entries, header.entries, tree.entries),
      ]
      for (what, recorded, found) in counts where recorded != found {
        throw .damaged(
          page: owner, reason: .tableCount(what, recorded: recorded, found: found))
      }
    }

    /// Records that `origin` refers to a page, which must be in bounds and new.
    func enter(_ number: UInt64, from origin: UInt64) throws(Failure) {
      guard number >= 2, number <= structure.lastPage else {
        throw .damaged(page: origin, reason: .pageOutOfBounds(number))
      }
      guard seen.insert(number) else { throw .damaged(page: number, reason: .reachedTwice) }
    }

    /// Reads a page and checks its number.
    func read(_ number: UInt64, into page: Page) throws(Failure) {
      try fill(page, number)
      lastRead = number
      try log?.didRead()
      let found = page.load(UInt64.self, at: 0)
      guard found == number else { throw .damaged(page: number, reason: .pageNumber(found)) }
    }

    private func fill(_ page: Page, _ number: UInt64) throws(Failure) {
      let size = UInt64(structure.pageSize)
      if number == lastRead + 1, number < runStart || number >= runStart + runLength {
        runLength = UInt64(try structure.file.read(run, at: number * size)) / size
        runStart = number
      }
      if number >= runStart, number < runStart + runLength {
        return page.fill(from: run, at: Int(number - runStart) * structure.pageSize)
      }
      guard try structure.file.read(page, at: number * size) == page.count else {
        throw truncated(at: number)
      }
    }

    func truncated(at number: UInt64) -> Failure {
      .truncated(
        pageNumber: number, lastPage: structure.lastPage, pageSize: UInt64(structure.pageSize),
        fileSize: structure.fileSize)
    }

    /// Checks an entered page and all pages below it.
    func checkPage(
      _ number: UInt64, level: Int, of tree: Tree, within range: KeyRange
    ) throws(Failure) {
      let page = tree.buffer(level: level)
      try read(number, into: page)
      let isLeaf = level == tree.header.depth - 1
      let flags = page.load(UInt16.self, at: 10)
      guard flags == (isLeaf ? PageFlags.leaf : PageFlags.branch) else {
        throw .damaged(page: number, reason: .pageFlags(flags))
      }
      if isLeaf {
        tree.leafPages += 1
        try checkLeaf(page, number, of: tree, within: range)
      } else {
        tree.branchPages += 1
        try checkBranch(page, number, level: level, of: tree, within: range)
      }
    }

    /// Checks a branch page and all pages below it.
    private func checkBranch(
      _ page: Page, _ number: UInt64, level: Int, of tree: Tree, within range: KeyRange
    ) throws(Failure) {
      let nodes = try tree.nodes(of: page, number, isLeaf: false)
      try tree.checkKeys(of: page, number, count: nodes, isLeaf: false, within: range)
      for index in 0..<nodes {
        // LMDB: the first node of a branch page stands for all lower keys, and its own key is
        // ignored.
        let bounds = KeyRange(
          lower: index == 0 ? range.lower : Node(page, index).key(in: page),
          upper: index + 1 == nodes ? range.upper : Node(page, index + 1).key(in: page))
        try tolerating { () throws(Failure) in
          let child = Node(page, index).child
          try enter(child, from: number)
          // The child is a branch page directly above the leaf pages: one piece of work for a core.
          if let subtrees, tree.kind == .table, level + 3 == tree.header.depth {
            try add(Subtree(child, level: level + 1, within: bounds), to: subtrees, of: tree)
          } else {
            try checkPage(child, level: level + 1, of: tree, within: bounds)
          }
        }
      }
    }
  }

  /// The keys that the pages above allow on a page: from `lower` up to, but not including, `upper`.
  struct KeyRange {
    var lower: Key?
    var upper: Key?
  }
}
