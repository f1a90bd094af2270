extension FileStructure {
  /// The offsets of the parts of a page.
  ///
  /// LMDB: a header of 16 bytes, the offsets of the nodes in the order of their keys, free space
  /// from `lower` to `upper`, and the nodes. A node has a header of eight bytes: the low 32 bits of
  /// the page that it leads to, or the size of its value; 16 bits more of the page, or flags; and
  /// the size of the key.
  enum PageLayout {
    static let number = 0
    static let pad = 8
    static let flags = 10
    static let lower = 12
    static let upper = 14
    /// The offset of the number of pages, in the first of several overflow pages.
    static let overflowCount = 12
    static let headerSize = 16
    static let nodeHeaderSize = 8

    /// Returns the maximum size of a node, without padding: two nodes must fit in a page, with
    /// their offsets.
    @inline(__always)
    static func greatestNode(pageSize: Int) -> Int { (pageSize - headerSize) / 2 & ~1 - 2 }
  }
}
