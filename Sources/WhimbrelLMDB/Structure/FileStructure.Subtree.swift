extension FileStructure {
  /// A part of a tree that can be walked by itself: a branch page above leaf pages, and these.
  struct Subtree: Sendable {
    let root: UInt64
    let level: Int
    private let lower: [UInt8]?
    private let upper: [UInt8]?

    init(_ root: UInt64, level: Int, within range: KeyRange) {
      (self.root, self.level) = (root, level)
      // The pages that the keys are in will be filled anew.
      lower = range.lower?.bytes
      upper = range.upper?.bytes
    }

    var range: KeyRange {
      KeyRange(lower: lower.map { Key($0) }, upper: upper.map { Key($0) })
    }
  }

  /// Parts of a tree that wait until there are enough of them for several cores.
  final class Subtrees {
    fileprivate var waiting: [Subtree] = []
    /// How many wait at most.
    fileprivate static let limit = 1_024
  }
}

extension FileStructure.Walk {
  /// Leaves a part of a tree for later.
  func add(
    _ subtree: FileStructure.Subtree, to subtrees: FileStructure.Subtrees,
    of tree: FileStructure.Tree
  ) throws(FileStructure.Failure) {
    subtrees.waiting.append(subtree)
    if subtrees.waiting.count == FileStructure.Subtrees.limit { try finishSubtrees(of: tree) }
  }

  /// Checks the parts of a tree that were left for later, on several cores.
  ///
  /// - Throws: any fault in them.
  func finishSubtrees(of tree: FileStructure.Tree) throws(FileStructure.Failure) {
    guard let subtrees, !subtrees.waiting.isEmpty else { return }
    let waiting = subtrees.waiting
    subtrees.waiting = []
    let (structure, seen, header) = (structure, seen, tree.header)
    do {
      try ParallelMap<FileStructure.PageCount>.run(waiting.count) { pieces in
        let walk = FileStructure.Walk(structure, sharing: seen)
        pieces.work { try walk.count(of: waiting[$0], header) }
      } taking: { _, count in
        tree.add(count)
        try log?.didRead(count.branchPages + count.leafPages)
      }
    } catch let failure as FileStructure.Failure {
      throw failure
    } catch {
      preconditionFailure("A walk fails with \(error).")
    }
  }

  /// Checks a part of a tree, and says what is in it.
  private func count(
    of subtree: FileStructure.Subtree, _ header: FileStructure.TreeHeader
  ) throws(FileStructure.Failure) -> FileStructure.PageCount {
    let tree = FileStructure.Tree(header, kind: .table, pageSize: structure.pageSize)
    try checkPage(subtree.root, level: subtree.level, of: tree, within: subtree.range)
    return tree.count
  }
}
