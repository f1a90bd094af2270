import WhimbrelLMDB

/// A node that is being changed. Its items may be too many for a stored node.
struct NodeDraft {
  let level: Int
  /// The size of an item in bytes, or zero if sizes differ.
  let width: Int
  /// The items in sequence. Children have their stored form.
  private var data: [UInt8] = []
  /// The end of each item in `data`, if sizes differ.
  private var ends: [UInt32] = []

  init(leafOf format: ElementFormat) {
    level = 0
    width = format.width
  }

  private init(level: Int, width: Int) {
    self.level = level
    self.width = width
  }

  init(innerAt level: Int) {
    self.init(level: level, width: CollectionNode.childSize)
  }

  init(_ node: CollectionNode) throws(DamagedRecord) {
    self.init(level: node.level, width: node.width)
    data = try node.items().array
    if width == 0 {
      ends.reserveCapacity(node.count + 1)
      for slot in 0..<node.count { ends.append(UInt32(node.end(slot))) }
    }
  }

  var count: Int { width == 0 ? ends.count : data.count / width }

  /// The size of the items and of the table of their ends, in bytes.
  var payload: Int { data.count + 4 * ends.count }

  private func start(of slot: Int) -> Int {
    width != 0 ? slot * width : slot == 0 ? 0 : Int(ends[slot - 1])
  }

  /// Replaces a range of items with at most one item.
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

  /// Removes the items at increasing slots.
  ///
  /// - Parameter start: The number to subtract from each slot.
  mutating func removeItems(at slots: ArraySlice<Int>, from start: Int) {
    var kept = NodeDraft(level: level, width: width)
    kept.data.reserveCapacity(data.count)
    var next = 0
    for slot in slots {
      kept.append(items: next..<slot - start, of: self)
      next = slot - start + 1
    }
    kept.append(items: next..<count, of: self)
    self = kept
  }

  private mutating func append(items slots: Range<Int>, of other: NodeDraft) {
    let (start, end) = (other.start(of: slots.lowerBound), other.start(of: slots.upperBound))
    let offset = data.count - start
    data.append(contentsOf: other.data[start..<end])
    if width == 0 {
      ends.append(contentsOf: other.ends[slots].map { UInt32(Int($0) + offset) })
    }
  }

  mutating func append(_ item: [UInt8]) {
    data.append(contentsOf: item)
    if width == 0 { ends.append(UInt32(data.count)) }
  }

  /// Appends the items of another node.
  mutating func append(itemsOf other: NodeDraft) {
    let offset = UInt32(data.count)
    data.append(contentsOf: other.data)
    if width == 0 { ends.append(contentsOf: other.ends.map { $0 + offset }) }
  }

  /// Returns the bytes of the node.
  ///
  /// - Parameter next: The next unused node number if this is the root.
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
    // A closure, because a key path would be looked up for each element.
    // Safe: the bytes are used only while the array exists.
    unsafe ends.map { $0.littleEndian }.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: data)
    bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    return bytes
  }
}

// MARK: - Cutting

extension NodeDraft {
  /// Cuts the node into the items before a slot and the items from the slot on.
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

  /// The slot at which to cut for the two most even parts. There must be at least two items.
  var evenCut: Int {
    guard width == 0 else { return count / 2 }
    var slot = 1
    while slot < count - 1, 2 * (Int(ends[slot - 1]) + 4 * slot) < payload { slot += 1 }
    guard slot > 1 else { return slot }
    // Compares the larger part of this cut with the larger part of the cut one slot earlier.
    let before = Int(ends[slot - 1]) + 4 * slot
    let beforeEarlier = Int(ends[slot - 2]) + 4 * (slot - 1)
    let isEarlierMoreEven = payload - beforeEarlier < before
    return isEarlierMoreEven ? slot - 1 : slot
  }

  /// Splits the node into even parts that fit, or that have only one item.
  func parts(capacity: Int) -> [NodeDraft] {
    guard payload > capacity, count > 1 else { return [self] }
    return cut(at: evenCut).flatMap { $0.parts(capacity: capacity) }
  }
}

// MARK: - Children

extension NodeDraft {
  /// The number of elements below the node.
  var total: Int {
    guard level > 0 else { return count }
    return (0..<count).reduce(0) { $0 + child($1).below }
  }

  func child(_ slot: Int) -> CollectionNode.Child {
    precondition(level > 0 && slot >= 0 && slot < count)
    let offset = slot * width
    // Safe: the precondition above keeps the loads in bounds.
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

  /// Returns the child that contains an element, and the number of elements before the child. The
  /// index after the last element belongs to the last child.
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
