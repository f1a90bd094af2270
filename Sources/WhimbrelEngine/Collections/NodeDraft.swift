import WhimbrelLMDB

/// A node while it is being changed: its items, of a number that may not fit.
struct NodeDraft {
  let level: Int
  /// The bytes of an item, or zero when they differ.
  let width: Int
  /// The items one after the other; children are stored as in the file.
  private var data: [UInt8] = []
  /// Where each item ends in `data`, when they differ in size.
  private var ends: [UInt32] = []

  /// Makes a leaf without elements.
  init(leafOf format: ElementFormat) {
    level = 0
    width = format.width
  }

  /// Makes a node without items.
  private init(level: Int, width: Int) {
    self.level = level
    self.width = width
  }

  /// Makes an inner node without children.
  init(innerAt level: Int) {
    self.init(level: level, width: CollectionNode.childSize)
  }

  /// Copies a node.
  init(_ node: CollectionNode) throws(DamagedCollection) {
    self.init(level: node.level, width: node.width)
    data = try node.items().array
    if width == 0 {
      ends.reserveCapacity(node.count + 1)
      for slot in 0..<node.count { ends.append(UInt32(node.end(slot))) }
    }
  }

  /// How many items there are.
  var count: Int { width == 0 ? ends.count : data.count / width }

  /// The bytes of the items, with those that say where they end.
  var payload: Int { data.count + 4 * ends.count }

  private func start(of slot: Int) -> Int {
    width != 0 ? slot * width : slot == 0 ? 0 : Int(ends[slot - 1])
  }

  /// Puts one item, or none, in the place of some.
  mutating func replace(_ slots: Range<Int>, with item: [UInt8]?) {
    let start = start(of: slots.lowerBound)
    let end = self.start(of: slots.upperBound)
    data.replaceSubrange(start..<end, with: item ?? [])
    guard width == 0 else { return }
    let newEnd = start + (item?.count ?? 0)
    ends.replaceSubrange(slots, with: item == nil ? [] : [UInt32(newEnd)])
    let first = slots.lowerBound + (item == nil ? 0 : 1)
    guard newEnd != end else { return }
    for slot in first..<ends.count { ends[slot] = UInt32(Int(ends[slot]) + newEnd - end) }
  }

  /// Adds an item behind the last.
  mutating func append(_ item: [UInt8]) {
    data.append(contentsOf: item)
    if width == 0 { ends.append(UInt32(data.count)) }
  }

  /// Adds the items of another node behind the last.
  mutating func append(itemsOf other: NodeDraft) {
    let offset = UInt32(data.count)
    data.append(contentsOf: other.data)
    if width == 0 { ends.append(contentsOf: other.ends.map { $0 + offset }) }
  }

  /// The bytes of the node.
  ///
  /// - Parameter next: for the root, the number given out next.
  func encoded(next: UInt32 = 0) -> [UInt8] {
    let size = (CollectionNode.headerSize + payload + 7) & ~7
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    let kind: CollectionNode.Kind =
      level > 0 ? .inner : width == 0 ? .variableLeaf : .fixedLeaf
    bytes.append(contentsOf: [0, 0, 0, 0, kind.rawValue, UInt8(level)])
    bytes.append(littleEndian: UInt16(level > 0 ? 0 : width))
    bytes.append(littleEndian: UInt32(count))
    bytes.append(littleEndian: next)
    // Safe: the bytes of the array, while it is there.
    unsafe ends.map(\.littleEndian).withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: data)
    bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    return bytes
  }
}

// MARK: - Cutting

extension NodeDraft {
  /// Cuts into the items before a slot and those from it on.
  func cut(at slot: Int) -> [NodeDraft] {
    let offset = start(of: slot)
    var head = NodeDraft(level: level, width: width)
    var tail = head
    head.data = Array(data[..<offset])
    tail.data = Array(data[offset...])
    if width == 0 {
      head.ends = Array(ends[..<slot])
      tail.ends = ends[slot...].map { $0 - UInt32(offset) }
    }
    return [head, tail]
  }

  /// Where to cut for two parts that are as even as can be; there must be two
  /// items.
  var evenCut: Int {
    guard width == 0 else { return count / 2 }
    var slot = 1
    while slot < count - 1, 2 * (Int(ends[slot - 1]) + 4 * slot) < payload { slot += 1 }
    guard slot > 1 else { return slot }
    // The part behind this cut against the part before it, had it been earlier.
    let before = Int(ends[slot - 1]) + 4 * slot
    let beforeEarlier = Int(ends[slot - 2]) + 4 * (slot - 1)
    let isEarlierMoreEven = payload - beforeEarlier < before
    return isEarlierMoreEven ? slot - 1 : slot
  }

  /// Even parts that each have room for their items, or have only one.
  func parts(capacity: Int) -> [NodeDraft] {
    guard payload > capacity, count > 1 else { return [self] }
    return cut(at: evenCut).flatMap { $0.parts(capacity: capacity) }
  }
}

// MARK: - Children

extension NodeDraft {
  /// How many elements are below the node.
  var total: Int {
    guard level > 0 else { return count }
    return (0..<count).reduce(0) { $0 + child($1).below }
  }

  func child(_ slot: Int) -> CollectionNode.Child {
    precondition(level > 0 && slot >= 0 && slot < count)
    let offset = slot * width
    // Safe: the line before the last.
    return unsafe data.withUnsafeBytes { bytes in
      let number = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      let below = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      return CollectionNode.Child(
        number: UInt32(littleEndian: number), below: Int(UInt64(littleEndian: below)))
    }
  }

  mutating func append(_ child: CollectionNode.Child) {
    append(Self.item(child))
  }

  mutating func replace(_ slots: Range<Int>, with children: [CollectionNode.Child]) {
    replace(slots, with: children.flatMap(Self.item))
  }

  private static func item(_ child: CollectionNode.Child) -> [UInt8] {
    var item: [UInt8] = []
    item.reserveCapacity(CollectionNode.childSize)
    item.append(littleEndian: child.number)
    item.append(littleEndian: UInt32(0))
    item.append(littleEndian: UInt64(child.below))
    return item
  }

  /// The child that holds an element, and how many elements come before it. The
  /// place behind the last element belongs to the last child.
  func slot(of index: Int) -> (slot: Int, start: Int) {
    var start = 0
    for slot in 0..<count - 1 {
      let end = start + child(slot).below
      if index < end { return (slot, start) }
      start = end
    }
    return (count - 1, start)
  }
}
