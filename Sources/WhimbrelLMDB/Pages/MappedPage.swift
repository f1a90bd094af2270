internal import Foundation

/// A mapped page whose header was checked.
///
/// The bytes may change during use if something writes to the file that must not. Each number is
/// therefore loaded once, checked, and then used. An earlier check of the same bytes does not
/// count. No number from a page leads outside the page.
// Safe: each number is checked against the size of the page before it is used as an offset. For the
// lifetime of the page see rule 1 of ``PageBytes``.
@safe
struct MappedPage {
  typealias Failure = FileStructure.Failure
  typealias Layout = FileStructure.PageLayout

  let base: UnsafeRawPointer
  let size: Int
  let number: UInt64
  /// The number of nodes.
  let count: Int
  /// The offset at which the space for nodes begins.
  let upper: Int

  /// The header of a node, and its offset.
  struct Node {
    let offset: Int
    let header: UInt64

    @inline(__always) var keySize: Int { Int(header >> 48) }
    @inline(__always) var keyOffset: Int { offset + Layout.nodeHeaderSize }
    @inline(__always) var valueOffset: Int { keyOffset + keySize }
    /// The flags. Valid in leaf pages only.
    @inline(__always) var flags: UInt16 { UInt16(truncatingIfNeeded: header >> 32) }
    /// The size of the value. Valid in leaf pages only.
    @inline(__always) var valueSize: Int { Int(UInt32(truncatingIfNeeded: header)) }
    /// The page that the node leads to. Valid in branch pages only.
    @inline(__always) var child: UInt64 { header & 0xFFFF_FFFF_FFFF }
  }

  /// Checks the header of the page at an address. The whole page must lie in the file.
  @inline(__always)
  init(at base: UnsafeRawPointer, _ number: UInt64, size: Int, isLeaf: Bool) throws(Failure) {
    // Safe: the header lies in the page.
    let found = unsafe base.loadUnaligned(fromByteOffset: Layout.number, as: UInt64.self)
    let word = unsafe base.loadUnaligned(fromByteOffset: Layout.pad, as: UInt64.self)
    let flags = UInt16(truncatingIfNeeded: word >> 16)
    let lower = Int(truncatingIfNeeded: word >> 32 & 0xFFFF)
    let upper = Int(truncatingIfNeeded: word >> 48)
    let kind = isLeaf ? FileStructure.PageFlags.leaf : FileStructure.PageFlags.branch
    let count = (lower - Layout.headerSize) / 2
    guard found == number, flags == kind, (lower | upper) & 1 == 0, lower <= upper, upper <= size,
      count >= (isLeaf ? 1 : 2)
    else {
      throw Self.damage(number, found, flags, kind, lower, upper, size)
    }
    unsafe self.base = unsafe base
    self.size = size
    self.number = number
    self.count = count
    self.upper = upper
  }

  /// Returns the fault of a header.
  @inline(never)
  private static func damage(
    _ number: UInt64, _ found: UInt64, _ flags: UInt16, _ kind: UInt16, _ lower: Int,
    _ upper: Int, _ size: Int
  ) -> Failure {
    if found != number { return .damaged(page: number, reason: .pageNumber(found)) }
    if flags != kind { return .damaged(page: number, reason: .pageFlags(flags)) }
    guard lower >= Layout.headerSize, lower & 1 == 0, upper & 1 == 0, lower <= upper, upper <= size
    else { return .damaged(page: number, reason: .freeSpace(lower: lower, upper: upper)) }
    return .damaged(page: number, reason: .tooFewNodes((lower - Layout.headerSize) / 2))
  }

  /// Returns a number at an offset that was checked.
  @inline(__always)
  func load<Value: BitwiseCopyable>(_: Value.Type, at offset: Int) -> Value {
    assert(offset >= 0 && offset <= size - MemoryLayout<Value>.size)
    // Safe: callers check the offset, see above.
    return unsafe base.loadUnaligned(fromByteOffset: offset, as: Value.self)
  }

  /// Returns the node with an index below ``count``. Its key lies inside the page.
  @inline(__always)
  func node(_ index: Int) throws(Failure) -> Node {
    assert(index >= 0 && index < count)
    let offset = Int(load(UInt16.self, at: Layout.headerSize + 2 * index))
    guard offset & 1 == 0, offset >= upper, offset <= size - Layout.nodeHeaderSize else {
      throw .damaged(page: number, reason: .nodeOffset(node: index, offset))
    }
    let node = Node(offset: offset, header: load(UInt64.self, at: offset))
    guard node.valueOffset <= size else {
      throw .damaged(page: number, reason: .nodeSize(node: index, node.valueOffset - offset))
    }
    return node
  }

  /// Returns the key of a node in a table whose keys are numbers.
  @inline(__always)
  func number(of index: Int) throws(Failure) -> UInt64 {
    let node = try node(index)
    guard node.keySize == 8 else {
      throw .damaged(page: number, reason: .keySize(node: index, node.keySize))
    }
    return load(UInt64.self, at: node.keyOffset)
  }

  /// Returns the key of a node.
  @inline(__always)
  func key(of node: Node) -> PageBytes {
    // Safe: the key lies inside the page.
    unsafe PageBytes(base: base + node.keyOffset, count: node.keySize)
  }

  /// Returns the value of a node of a leaf page, or nil if the page does not contain all of it.
  @inline(__always)
  func inlineValue(of node: Node) -> PageBytes? {
    guard node.valueSize <= size - node.valueOffset else { return nil }
    // Safe: the line above.
    return unsafe PageBytes(base: base + node.valueOffset, count: node.valueSize)
  }
}

// MARK: - Searching

/// A key to search for in a page.
///
/// This is not a protocol: its methods are called in the innermost loops, and the compiler does not
/// inline those of a conformance.
// Safe: it lives for one call, and the caller keeps the bytes.
@safe
enum PageKey {
  /// A key of a table whose keys are numbers.
  case number(UInt64)
  /// A key of a table whose keys are bytes.
  case bytes(PageBytes)

  /// Returns the order of the key of a node relative to this key: below 0 if it precedes this key,
  /// 0 if it is equal, above 0 if it follows.
  @inline(__always)
  func order(of index: Int, in page: MappedPage) throws(FileStructure.Failure) -> Int {
    switch self {
    case .number(let number):
      let found = try page.number(of: index)
      return found == number ? 0 : found < number ? -1 : 1
    case .bytes(let bytes):
      return page.key(of: try page.node(index)).order(to: bytes)
    }
  }

  /// Returns the position of this key between the keys of two nodes, as a fraction from 0 up to 1.
  /// Returns nil if it cannot be determined.
  @inline(__always)
  func share(
    from lower: Int, to upper: Int, in page: MappedPage
  ) throws(FileStructure.Failure) -> Double? {
    guard case .number(let number) = self else { return nil }
    let (first, end) = (try page.number(of: lower), try page.number(of: upper))
    guard first <= number, number < end else { return nil }
    return Double(number - first) / Double(end - first)
  }
}

extension MappedPage {
  /// Returns the first node whose key is not less than a key, or ``count``, and whether the keys
  /// are equal. The keys of the page ascend.
  ///
  /// - Parameters:
  ///   - first: The first node to consider.
  ///   - place: The node to compare first, or nil for the one in the middle. The search moves away
  ///     from it in growing steps until it has passed the key. In a large table each comparison may
  ///     miss the processor's caches.
  @inline(__always)
  func search(
    _ key: PageKey, from first: Int = 0, near place: Int? = nil
  ) throws(Failure) -> (index: Int, isFound: Bool) {
    var (low, high) = (first, count)
    var (middle, step) = ((low + high) >> 1, count)
    if let place, place >= low, place < high { (middle, step) = (place, 0) }
    while low < high {
      let order = try key.order(of: middle, in: self)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
      middle = (low + high) >> 1
      if high == count { middle = min(middle, low + step) }
      if low == first { middle = max(middle, high - 1 - step) }
      step = step * 4 + 1
    }
    return (low, false)
  }

  /// Returns the node of a branch page that leads to a key. The first node stands for all lower
  /// keys.
  @inline(__always)
  func childIndex(for key: PageKey, near place: Int? = nil) throws(Failure) -> Int {
    let (index, isFound) = try search(key, from: 1, near: place)
    return isFound ? index : index - 1
  }
}
