extension FileStructure {
  /// The purpose of a tree, which decides the allowed kinds of nodes.
  enum TreeKind {
    /// LMDB's list of free pages, by the transaction that freed them.
    case freeList
    /// The main database: values, and the headers of the named tables.
    case main
    /// A named table.
    case table
  }

  /// The header of a tree, in a meta page or in a node of the main database.
  struct TreeHeader: Hashable {
    /// The size of the header in the file, in bytes.
    static let size = 48
    /// The root of an empty tree.
    static let noPage = UInt64.max
    /// The depth limit of LMDB's cursors.
    static let greatestDepth = 32

    /// LMDB: the size of values in tables of fixed-size values, which this library does not use. In
    /// the free list's header, the size of a page.
    let pad: UInt32
    let flags: UInt16
    let depth: Int
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    let entries: UInt64
    let root: UInt64

    init(_ page: Page, at offset: Int) {
      pad = page.load(UInt32.self, at: offset)
      flags = page.load(UInt16.self, at: offset + 4)
      depth = Int(page.load(UInt16.self, at: offset + 6))
      branchPages = page.load(UInt64.self, at: offset + 8)
      leafPages = page.load(UInt64.self, at: offset + 16)
      overflowPages = page.load(UInt64.self, at: offset + 24)
      entries = page.load(UInt64.self, at: offset + 32)
      root = page.load(UInt64.self, at: offset + 40)
    }

    /// Whether the keys are 64-bit integers.
    var hasIntegerKeys: Bool { flags & TableFlags.integerKey != 0 }
    var isEmpty: Bool { root == Self.noPage }

    /// Returns the first fault that the header shows by itself, or nil.
    func damage(kind: TreeKind, lastPage: UInt64) -> Damage? {
      let allowed =
        switch kind {
        case .freeList: TableFlags.integerKey | TableFlags.environment
        case .main, .table: TableFlags.integerKey
        }
      let required = kind == .freeList ? TableFlags.integerKey : 0
      guard flags & ~allowed == 0, flags & required == required else { return .tableFlags(flags) }
      let depths = isEmpty ? 0...0 : 1...Self.greatestDepth
      guard depths.contains(depth), isEmpty || (root >= 2 && root <= lastPage) else {
        return .tableRoot(root: root, depth: depth)
      }
      return nil
    }
  }

  /// The table flags of LMDB that this library uses.
  enum TableFlags {
    static let integerKey: UInt16 = 0x08
    /// The environment flags that share the free list's field: a fixed map, and no subdirectory.
    static let environment: UInt16 = 0x4001
    /// The environment flag that files of this library have.
    static let noSubdirectory: UInt16 = 0x4000
  }

  /// The kinds of pages. Each is the page's only flag on disk.
  enum PageFlags {
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
    static let meta: UInt16 = 0x08
  }

  /// The flags of nodes in leaf pages.
  enum NodeFlags {
    /// The value is in overflow pages.
    static let overflow: UInt16 = 0x01
    /// The value is the header of a tree.
    static let table: UInt16 = 0x02
  }
}
