/// The tree of a table in a snapshot: its root, and the sizes that its header claims.
struct PageTree {
  /// LMDB's handle of the table.
  let handle: UInt32
  /// The page that refers to the root: a meta page, or a page of the main table.
  let owner: UInt64
  let root: UInt64
  /// The number of levels, or 0 if the table is empty.
  let depth: Int
  let entries: UInt64
  /// The number of pages that the header claims.
  let pages: UInt64
  let hasNumberKeys: Bool
  /// Whether values may be the headers of tables.
  var isMain: Bool { handle == Table.main.handle }

  init(
    _ header: FileStructure.TreeHeader, _ table: Table, owner: UInt64, lastPage: UInt64
  ) throws(FileStructure.Failure) {
    let kind: FileStructure.TreeKind =
      switch table {
      case .main: .main
      case .freeList: .freeList
      default: .table
      }
    if let damage = header.damage(kind: kind, lastPage: lastPage) {
      throw .damaged(page: owner, reason: damage)
    }
    guard header.hasIntegerKeys == (table.keys == .integers) else {
      throw .damaged(page: owner, reason: .tableFlags(header.flags))
    }
    guard header.isEmpty == (header.entries == 0) else {
      throw .damaged(
        page: owner,
        reason: .tableCount(.entries, recorded: header.entries, found: header.isEmpty ? 0 : 1))
    }
    handle = table.handle
    self.owner = owner
    (root, depth, entries) = (header.root, header.depth, header.entries)
    pages = header.branchPages &+ header.leafPages &+ header.overflowPages
    hasNumberKeys = header.hasIntegerKeys
  }
}
