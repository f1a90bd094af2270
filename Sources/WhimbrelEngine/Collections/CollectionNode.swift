package import WhimbrelLMDB

/// A node of a collection, read in place.
///
/// A node is a sequence of items: the elements of a leaf, or the children of an inner node, which
/// take 16 bytes each. Integers are little-endian. The node is padded with zeros to a multiple of
/// eight bytes.
///
/// | bytes | content |
/// | --- | --- |
/// | 0..<4 | checksum, set by the store |
/// | 4 | ``Kind`` |
/// | 5 | level: 0 for a leaf, otherwise one more than that of the children |
/// | 6..<8 | width of an element if all have the same width, otherwise 0 |
/// | 8..<12 | number of items |
/// | 12..<16 | root: the next unused node number; other nodes: 0 |
/// | 16... | leaf of one width: the elements |
/// | 16... | leaf of any widths: end of each element (4), counted from the table's end; elements |
/// | 16... | inner: for each child its number (4), zero (4), elements below (8) |
package struct CollectionNode {
  /// The kind of a node. 4 is the kind of overflow chunks.
  enum Kind: UInt8 {
    case fixedLeaf = 1
    case variableLeaf = 2
    case inner = 3
  }

  static let headerSize = 16
  static let childSize = 16
  /// The maximum level of a node. With node numbers of 32 bits, a tree never needs more than 32
  /// levels. The limit keeps recursion shallow.
  static let maximumLevel = 40
  /// The maximum number of elements. It is low enough that sums of counts do not overflow.
  static let maximumCount = 1 << 48

  let number: UInt32
  let bytes: PageBytes
  let level: Int
  /// The size of an item in bytes, or zero if sizes differ.
  let width: Int
  /// The number of items: elements of a leaf, children of an inner node.
  let count: Int

  // Invariant: After this, all items of one width, or the table of ends, lie inside the bytes.
  init(_ bytes: PageBytes, number: UInt32, format: ElementFormat) throws(DamagedRecord) {
    guard bytes.count >= Self.headerSize else {
      throw DamagedRecord(node: number, "has \(bytes.count) bytes, fewer than its header")
    }
    self.number = number
    self.bytes = bytes
    level = Int(bytes.load(UInt8.self, at: 5))
    let elementWidth = Int(UInt16(littleEndian: bytes.load(UInt16.self, at: 6)))
    count = Int(UInt32(littleEndian: bytes.load(UInt32.self, at: 8)))
    let kind = bytes.load(UInt8.self, at: 4)
    if kind == Kind.inner.rawValue {
      width = Self.childSize
      guard elementWidth == 0, level > 0, level <= Self.maximumLevel, count > 0 else {
        throw DamagedRecord(node: number, "is an inner node with a damaged header")
      }
    } else {
      width = format.width
      let expected: Kind = format == .variable ? .variableLeaf : .fixedLeaf
      guard kind == expected.rawValue, elementWidth == width, level == 0 else {
        throw DamagedRecord(node: number, "is not a leaf of the collection's elements")
      }
    }
    // The product does not overflow: both factors have at most 32 bits.
    guard count * (width == 0 ? 4 : width) <= bytes.count - Self.headerSize else {
      throw DamagedRecord(node: number, "is too short for its \(count) items")
    }
  }

  var isLeaf: Bool { level == 0 }

  /// Returns the only node of a collection, or nil if the bytes are not a leaf of its elements.
  ///
  /// - Parameter width: The size of an element in bytes, or 0 if sizes differ.
  private static func leaf(_ bytes: PageBytes, _ width: Int) -> CollectionNode? {
    let format = width == 0 ? ElementFormat.variable : .fixed(width: width)
    guard let node = try? CollectionNode(bytes, number: 0, format: format), node.isLeaf else {
      return nil
    }
    return node
  }

  /// Returns the number of elements of a collection that is a single leaf or has no bytes, otherwise
  /// nil.
  package static func count(ofLeaf bytes: PageBytes, width: Int) -> Int? {
    bytes.count == 0 ? 0 : leaf(bytes, width)?.count
  }

  /// Returns the elements of such a collection as bits: see `CollectionReader.bits()`. None of them
  /// may be nil.
  package static func bits(ofLeaf bytes: PageBytes, width: Int) -> [UInt64]? {
    if bytes.count == 0 { return [] }
    guard let leaf = leaf(bytes, width), let bits = leaf.bits(width, from: 0) else { return nil }
    // Safe: each element is set.
    return unsafe [UInt64](unsafeUninitializedCapacity: leaf.count) { buffer, initialized in
      for position in 0..<leaf.count { unsafe buffer[position] = bits[position] ?? 0 }
      initialized = leaf.count
    }
  }

  /// Returns the elements of a leaf as bits, or nil if they do not have 8, 16, 32 or 64 bits.
  ///
  /// - Parameter start: The position of the first element.
  func bits(_ width: Int, from start: Int) -> LeafBits? {
    guard width <= 8, width.nonzeroBitCount == 1,
      let elements = bytes.slice(at: Self.headerSize, count: count * width)
    else { return nil }
    return LeafBits(elements, width: width, start..<start + count)
  }

  /// The next unused node number. Only the root has it.
  var next: UInt32 {
    UInt32(littleEndian: bytes.load(UInt32.self, at: 12))
  }
}

// MARK: - Elements

extension CollectionNode {
  /// The offset of the elements of different sizes.
  private var dataStart: Int { Self.headerSize + 4 * count }

  /// Returns the stored end of an element of a leaf of any widths.
  func end(_ slot: Int) -> Int {
    Int(UInt32(littleEndian: bytes.load(UInt32.self, at: Self.headerSize + 4 * slot)))
  }

  func element(_ slot: Int) throws(DamagedRecord) -> PageBytes {
    precondition(slot >= 0 && slot < count && isLeaf)
    let start = width != 0 ? slot * width : slot == 0 ? 0 : end(slot - 1)
    let length = width != 0 ? width : end(slot) - start
    let base = width != 0 ? Self.headerSize : dataStart
    guard let element = bytes.slice(at: base + start, count: length) else {
      throw DamagedRecord(node: number, "has element \(slot) outside its bytes")
    }
    return element
  }

  /// Returns the bytes of all items.
  ///
  /// - Throws: ``DamagedRecord`` if an item is outside the node.
  func items() throws(DamagedRecord) -> PageBytes {
    var length = count * width
    if width == 0 {
      for slot in 0..<count {
        let end = end(slot)
        guard end >= length else {
          throw DamagedRecord(node: number, "has element \(slot), which ends before it begins")
        }
        length = end
      }
    }
    let base = width == 0 ? dataStart : Self.headerSize
    guard let items = bytes.slice(at: base, count: length) else {
      throw DamagedRecord(node: number, "is too short for its elements")
    }
    return items
  }
}

// MARK: - Children

extension CollectionNode {
  /// A child of an inner node, as described by the node.
  struct Child {
    var number: UInt32
    /// The number of elements below the child.
    var below: Int
  }

  private func below(_ slot: Int) -> UInt64 {
    let offset = Self.headerSize + Self.childSize * slot + 8
    return UInt64(littleEndian: bytes.load(UInt64.self, at: offset))
  }

  func child(_ slot: Int) throws(DamagedRecord) -> Child {
    precondition(slot >= 0 && slot < count && !isLeaf)
    let offset = Self.headerSize + Self.childSize * slot
    let child = UInt32(littleEndian: bytes.load(UInt32.self, at: offset))
    let below = below(slot)
    guard child != 0, below > 0, below <= UInt64(Self.maximumCount) else {
      throw DamagedRecord(node: number, "has a damaged child \(slot)")
    }
    return Child(number: child, below: Int(below))
  }

  /// Returns the number of elements below this node.
  func total() throws(DamagedRecord) -> Int {
    guard !isLeaf else { return count }
    var total: UInt64 = 0
    for slot in 0..<count {
      // The sum does not overflow: both numbers are at most 2⁴⁸ in each round.
      let below = below(slot)
      total &+= below
      guard below <= UInt64(Self.maximumCount), total <= UInt64(Self.maximumCount) else {
        throw DamagedRecord(node: number, "claims too many elements")
      }
    }
    return Int(total)
  }

  /// Returns the child that contains an element, and the number of elements before the child.
  /// Returns nil if the index is out of bounds.
  func slot(of index: Int) -> (slot: Int, start: Int)? {
    var rest = UInt64(index)
    for slot in 0..<count {
      let below = below(slot)
      if rest < below { return (slot, index - Int(rest)) }
      rest -= below
    }
    return nil
  }
}
