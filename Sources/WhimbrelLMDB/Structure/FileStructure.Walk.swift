extension FileStructure {
  /// One pass over the pages of a file.
  ///
  /// Invariants:
  /// 1. A page is entered only after its number was found in bounds and new, so
  ///    the pass ends, whatever the pages say.
  /// 2. While a page of some level is looked at, the pages above it stay in
  ///    their buffers: the keys that bound it point into them.
  final class Walk {
    let structure: FileStructure
    let scope: Scope
    let seen: PageSet
    var count = PageCount()
    /// Where faults are noted, so that the walk goes on; without it the first one ends it.
    let log: FaultLog?
    /// What is left for several cores, if anything is.
    let subtrees: Subtrees?
    /// Pages that follow each other in the file, read at once where those before did too.
    private let run: Page
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
      run = Page(count: structure.pageSize * Self.longestRun)
      seen = try PageSet(capacity: structure.lastPage + 1)
    }

    /// A walk over a part of what another one walks over.
    init(_ structure: FileStructure, sharing seen: PageSet) {
      (self.structure, self.seen) = (structure, seen)
      (scope, log, subtrees) = (.everything, nil, nil)
      run = Page(count: structure.pageSize * Self.longestRun)
    }

    /// Checks the main database, its tables as far as the scope goes, and the free list.
    func check() throws(Failure) {
      _ = seen.insert(0)
      _ = seen.insert(1)
      try tolerating(in: .main) { () throws(Failure) in
        try checkTree(structure.main, kind: .main, namedBy: structure.metaPage)
      }
      // Last, so that a page both free and in use is reported as such.
      try tolerating(in: .freeList) { () throws(Failure) in
        try checkTree(structure.freeList, kind: .freeList, namedBy: structure.metaPage)
      }
      // Where something is wrong, pages are lost behind it.
      if let log, log.count > 0 { return }
      let (all, accounted) = (structure.lastPage + 1, count.usedPages + count.freePages)
      guard accounted <= all else {
        throw .damaged(
          page: structure.metaPage,
          reason: .tableCount(.leafPages, recorded: accounted, found: all))
      }
      count.lostPages = all - accounted
    }

    /// Runs `body` on pages of a part of the file; a fault is noted, if there is a log, and
    /// ends no more than that.
    func tolerating(
      in part: FaultLog.Part? = nil, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
      guard let log else { return try body() }
      let before = log.part
      if let part { log.part = part }
      defer { log.part = before }
      do throws(Failure) { try body() } catch { try log.note(error) }
    }

    /// Checks one tree against its header, which stands on page `owner`.
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
      // Pages that could not be looked at would be counted as missing.
      if log?.count == faults { try checkCounts(of: tree, namedBy: owner) }
      count.branchPages += tree.branchPages
      count.leafPages += tree.leafPages
      count.overflowPages += tree.overflowPages
      count.unusedBytes += tree.unusedBytes
      if kind != .freeList { count.entries += tree.entries }
    }

    /// Compares what was counted in a tree with what its header says.
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

    /// Notes that `origin` leads to a page, which must be in bounds and new.
    func enter(_ number: UInt64, from origin: UInt64) throws(Failure) {
      guard number >= 2, number <= structure.lastPage else {
        throw .damaged(page: origin, reason: .pageOutOfBounds(number))
      }
      guard seen.insert(number) else { throw .damaged(page: number, reason: .reachedTwice) }
    }

    /// Reads a page and checks the number that it carries.
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
        pageNumber: number, lastPage: structure.lastPage, fileSize: structure.fileSize)
    }

    /// Checks a page that was entered, and all below it.
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

    /// Checks a branch page, and all below it.
    private func checkBranch(
      _ page: Page, _ number: UInt64, level: Int, of tree: Tree, within range: KeyRange
    ) throws(Failure) {
      let nodes = try tree.nodes(of: page, number, isLeaf: false)
      try tree.checkKeys(of: page, number, count: nodes, isLeaf: false, within: range)
      for index in 0..<nodes {
        // LMDB: the first node of a branch page stands for all lower keys,
        // whatever its own key is.
        let bounds = KeyRange(
          lower: index == 0 ? range.lower : Node(page, index).key(in: page),
          upper: index + 1 == nodes ? range.upper : Node(page, index + 1).key(in: page))
        try tolerating { () throws(Failure) in
          let child = Node(page, index).child
          try enter(child, from: number)
          if let subtrees, tree.kind == .table, level + 3 == tree.header.depth {
            try add(Subtree(child, level: level + 1, within: bounds), to: subtrees, of: tree)
          } else {
            try checkPage(child, level: level + 1, of: tree, within: bounds)
          }
        }
      }
    }
  }

  /// The keys that the pages above allow on a page: from `lower`, and before
  /// `upper`.
  struct KeyRange {
    var lower: Key?
    var upper: Key?
  }
}
