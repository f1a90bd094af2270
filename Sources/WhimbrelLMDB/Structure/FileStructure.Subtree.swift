extension FileStructure {
  /// A part of a tree that can be walked separately: one branch page and the leaf pages below it.
  struct Subtree: Sendable {
    let root: UInt64
    let level: Int
    private let lower: [UInt8]?
    private let upper: [UInt8]?

    init(_ root: UInt64, level: Int, within range: KeyRange) {
      (self.root, self.level) = (root, level)
      // Copies, because the pages with the keys will be filled again.
      lower = range.lower?.bytes
      upper = range.upper?.bytes
    }

    var range: KeyRange {
      KeyRange(lower: lower.map { Key($0) }, upper: upper.map { Key($0) })
    }
  }

  /// The parts of a tree that wait until there are enough of them for several cores.
  final class Subtrees {
    fileprivate var waiting: [Subtree] = []
    /// The limit of waiting parts.
    fileprivate static let limit = 1_024
  }
}

extension FileStructure.Walk {
  /// Postpones a part of a tree.
  func add(
    _ subtree: FileStructure.Subtree, to subtrees: FileStructure.Subtrees,
    of tree: FileStructure.Tree
  ) throws(FileStructure.Failure) {
    subtrees.waiting.append(subtree)
    if subtrees.waiting.count == FileStructure.Subtrees.limit { try finishSubtrees(of: tree) }
  }

  /// Checks the postponed parts of a tree on several cores.
  ///
  /// - Throws: Any fault in them.
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

  /// Checks a part of a tree, and returns its numbers of pages and entries.
  private func count(
    of subtree: FileStructure.Subtree, _ header: FileStructure.TreeHeader
  ) throws(FileStructure.Failure) -> FileStructure.PageCount {
    let tree = FileStructure.Tree(header, kind: .table, pageSize: structure.pageSize)
    try checkPage(subtree.root, level: subtree.level, of: tree, within: subtree.range)
    return tree.count
  }
}
