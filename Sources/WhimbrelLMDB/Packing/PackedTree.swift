/// A table that is being written into a ``PackedFile``. It keeps two pages for each level in
/// memory: the current one and the one before it.
package final class PackedTree {
  private let file: PackedFile
  private let seed: UInt64
  private var levels: [Level] = []
  private var header: PackedFile.TableRoot

  /// A level of the tree. Level 0 has the leaf pages.
  private struct Level {
    /// The page that is being filled.
    var page: PackedPage
    /// The full page before it. It is written when the next page is full too. Until then, the last
    /// page can take over a child if it has only one.
    var full: PackedPage?
  }

  init(in file: PackedFile, _ table: Table) {
    self.file = file
    seed = table.seed
    header = PackedFile.TableRoot(
      flags: table.keys == .integers ? FileStructure.TableFlags.integerKey : 0)
  }

  /// Appends an entry. Its key must be greater than all previous ones. A guarded entry gets its
  /// checksum.
  package func append(_ key: PageBytes, _ value: PageBytes) throws(LMDBError) {
    if seed == 0 { return try appendStored(key, value) }
    var stored = value.array
    stored.append(littleEndian: EntryChecksum.of(key, value, seed: seed))
    try PageBytes.with(stored) { stored throws(LMDBError) in try appendStored(key, stored) }
  }

  private func appendStored(_ key: PageBytes, _ value: PageBytes) throws(LMDBError) {
    let inline = PackedPage.nodeHeaderSize + key.count + value.count
    if inline <= PackedPage.greatestNode(file.pageSize) {
      try append(
        PackedPage.Node(low: UInt32(value.count), flags: 0, key: key.array, value: value.array))
    } else {
      let (first, count) = try file.addOverflow(value)
      header.overflowPages += count
      var place: [UInt8] = []
      place.append(littleEndian: first)
      try append(
        PackedPage.Node(
          low: UInt32(value.count), flags: FileStructure.NodeFlags.overflow, key: key.array,
          value: place))
    }
  }

  /// Appends the entry of a named table to the main table.
  package func append(_ name: String, table: PackedFile.TableRoot) throws(LMDBError) {
    try append(
      PackedPage.Node(
        low: UInt32(table.bytes.count), flags: FileStructure.NodeFlags.table,
        key: Array(name.utf8), value: table.bytes))
  }

  private func append(_ node: PackedPage.Node) throws(LMDBError) {
    header.entries += 1
    try append(node, level: 0)
  }

  private func append(_ node: PackedPage.Node, level: Int) throws(LMDBError) {
    if level == levels.count {
      levels.append(Level(page: PackedPage(isLeaf: level == 0, size: file.pageSize)))
    }
    if !levels[level].page.hasRoom(for: node) {
      let page = levels[level].page
      levels[level].page = PackedPage(isLeaf: level == 0, size: file.pageSize)
      if let full = levels[level].full { try write(full, level: level) }
      levels[level].full = page
    }
    levels[level].page.append(node)
  }

  /// Writes a page, and appends it to the level above.
  private func write(_ page: PackedPage, level: Int) throws(LMDBError) {
    let number = try add(page, level: level)
    try append(PackedPage.Node(child: number, key: page.lowestKey), level: level + 1)
  }

  private func add(_ page: PackedPage, level: Int) throws(LMDBError) -> UInt64 {
    if level == 0 { header.leafPages += 1 } else { header.branchPages += 1 }
    return try file.add(page.bytes)
  }

  /// Writes the remaining pages, and returns the root of the table.
  func finish() throws(LMDBError) -> PackedFile.TableRoot {
    var level = 0
    while level < levels.count {
      if var full = levels[level].full {
        // A branch page must have at least two children.
        if level > 0, levels[level].page.count < 2, let last = full.removeLast() {
          levels[level].page.prepend(last)
        }
        try write(full, level: level)
        try write(levels[level].page, level: level)
      } else {
        // If this level had written a page, there would be a level above it; so this page is the
        // root.
        header.root = try add(levels[level].page, level: level)
        header.depth = UInt16(level + 1)
      }
      level += 1
    }
    return header
  }
}

/// A page that is being filled, as a list of nodes.
struct PackedPage {
  /// A node: an entry in a leaf page, or a child in a branch page.
  struct Node {
    let low: UInt32
    let flags: UInt16
    var key: [UInt8]
    var value: [UInt8] = []

    /// The size of the node in bytes, including its offset at the start of the page.
    var size: Int {
      let length = PackedPage.nodeHeaderSize + key.count + value.count
      return length + length % 2 + 2
    }
  }

  static let nodeHeaderSize = 8
  private static let headerSize = 16
  private let isLeaf: Bool
  private let pageSize: Int
  private var nodes: [Node] = []
  private var used = PackedPage.headerSize
  /// The lowest key of the page and of all pages below it.
  private(set) var lowestKey: [UInt8] = []

  init(isLeaf: Bool, size: Int) {
    self.isLeaf = isLeaf
    pageSize = size
  }

  /// Returns the size limit of a node, without its offset.
  ///
  /// LMDB: two nodes must fit in a page. The value of a larger one goes to overflow pages.
  static func greatestNode(_ pageSize: Int) -> Int { (pageSize - headerSize) / 2 & ~1 - 2 }

  var count: Int { nodes.count }

  func hasRoom(for node: Node) -> Bool { used + node.size <= pageSize }

  mutating func append(_ node: Node) {
    var node = node
    if nodes.isEmpty {
      lowestKey = node.key
      // LMDB: the first child stands for all lower keys and does not need one.
      if !isLeaf { node.key = [] }
    }
    nodes.append(node)
    used += node.size
  }

  /// Removes and returns the last node. Returns nil if fewer than two would remain.
  mutating func removeLast() -> Node? {
    guard nodes.count > 2, let node = nodes.popLast() else { return nil }
    used -= node.size
    return node
  }

  /// Inserts a node in front. Its key must be lower than all others.
  mutating func prepend(_ node: Node) {
    let others = nodes
    let key = lowestKey
    (nodes, used) = ([], Self.headerSize)
    append(node)
    for (index, var other) in others.enumerated() {
      if index == 0, !isLeaf { other.key = key }
      append(other)
    }
  }

  /// The page in the format of the file, without its number.
  var bytes: [UInt8] {
    var page = [UInt8](repeating: 0, count: 10)
    page.append(
      littleEndian: isLeaf ? FileStructure.PageFlags.leaf : FileStructure.PageFlags.branch)
    page.append(littleEndian: UInt16(Self.headerSize + 2 * nodes.count))
    var offset = pageSize
    var offsets: [Int] = []
    for node in nodes {
      offset -= node.size - 2
      offsets.append(offset)
    }
    page.append(littleEndian: UInt16(offset))
    for offset in offsets { page.append(littleEndian: UInt16(offset)) }
    page.append(contentsOf: repeatElement(0, count: offset - page.count))
    for node in nodes.reversed() {
      page.append(littleEndian: node.low)
      page.append(littleEndian: node.flags)
      page.append(littleEndian: UInt16(node.key.count))
      page += node.key
      page += node.value
      if page.count % 2 != 0 { page.append(0) }
    }
    return page
  }
}

extension PackedPage.Node {
  /// Creates a child of a branch page.
  ///
  /// LMDB: its page number has 48 bits. The upper 16 bits are in the flags field of entries.
  init(child: UInt64, key: [UInt8]) {
    self.init(
      low: UInt32(truncatingIfNeeded: child), flags: UInt16(truncatingIfNeeded: child >> 32),
      key: key)
  }
}
