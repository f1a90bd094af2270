package import WhimbrelLMDB

/// A reader of single elements of a collection in a record. It is valid as long as the record is.
package final class CollectionReader {
  let tree: CollectionTree<EditedNodes>
  let coding: ElementCoding
  let property: PropertyID
  private let order: Order
  let overflow: Overflow
  package let count: Int
  /// The leaf that was read last. Its neighbors are often read next.
  // Safe: a reader is used on one thread. A check of that would cost more than it guards.
  @safe @exclusivity(unchecked) private var latestLeaf: CollectionTree<EditedNodes>.LeafView?

  private enum Order {
    case list, set, map
  }

  /// - Throws: ``DamagedRecord`` if the record does not contain the collection, or claims more
  ///   elements than there can be.
  package convenience init(
    _ record: PageBytes, _ field: RecordField, _ element: ElementType, _ overflow: Overflow
  ) throws {
    let nodes = EditedNodes.stored(try CollectionNodes(record, field, overflow))
    try self.init(nodes, field, element, overflow)
  }

  convenience init(_ nodes: MemoryNodes, _ field: RecordField, _ element: ElementType) throws {
    try self.init(.memory(nodes), field, element, Overflow(nodes))
  }

  private init(
    _ nodes: EditedNodes, _ field: RecordField, _ element: ElementType, _ overflow: Overflow
  ) throws {
    order =
      switch field.type {
      case .set: .set
      case .map: .map
      default: .list
      }
    coding = ElementCoding(element, isMap: order == .map)
    property = field.property
    self.overflow = overflow
    tree = CollectionTree(nodes, coding.format)
    count = try tree.count()
    try overflow.requireRoom(for: count)
  }

  /// Returns the leaf that contains the element at a position.
  ///
  /// - Complexity: O(log *n*), and O(1) for the leaf that was read last.
  func leafView(containing position: Int) throws -> CollectionTree<EditedNodes>.LeafView {
    if let latestLeaf, latestLeaf.indices.contains(position) { return latestLeaf }
    let leaf = try tree.leaf(containing: position)
    latestLeaf = leaf
    return leaf
  }

  private func bytes(at position: Int) throws -> PageBytes {
    let leaf = try leafView(containing: position)
    return try leaf.element(position - leaf.start)
  }

  /// Returns the element at a position.
  ///
  /// - Complexity: O(log *n*).
  package func value(at position: Int) throws -> PropertyValue {
    try coding.value(bytes(at: position), property, overflow)
  }

  /// Returns the name of the element at a position of a map.
  package func name(at position: Int) throws -> String {
    try coding.nameBytes(bytes(at: position)).text
  }

  /// Returns all elements, in order.
  package func values() throws -> [PropertyValue] {
    var values: [PropertyValue] = []
    try forEach { _, value in values.append(value) }
    return values
  }

  /// Returns the names of all elements of a map, in order.
  package func names() throws -> [String] {
    var names: [String] = []
    names.reserveCapacity(count)
    try tree.forEach { bytes in
      names.append(try coding.nameBytes(bytes).text)
      return true
    }
    return names
  }

  /// Returns all elements of a map.
  package func map() throws -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    try forEach { name, value in values[name] = value }
    return values
  }

  /// Calls `body` with each element, and with its name in a map. In other collections the name is
  /// empty.
  package func forEach(_ body: (String, PropertyValue) throws -> Void) throws {
    try tree.forEach { bytes in
      let name = coding.isMap ? try coding.nameBytes(bytes).text : ""
      try body(name, try coding.value(bytes, property, overflow))
      return true
    }
  }

  /// Returns the place of an element in a set.
  ///
  /// - Complexity: O(log *n*).
  package func place(of value: PropertyValue) throws -> CollectionPlace {
    try tree.place(of: value, coding, property, overflow)
  }

  /// Returns the place of a name in a map.
  ///
  /// - Complexity: O(log *n*).
  package func place(ofName name: String) throws -> CollectionPlace {
    try tree.place(ofName: name, coding)
  }

  /// Returns the value of a name in a map, or nil.
  ///
  /// - Complexity: O(log *n*).
  package func value(ofName name: String) throws -> PropertyValue? {
    let place = try place(ofName: name)
    return try place.element.map { try coding.value($0, property, overflow) }
  }

  /// Returns the numbers of all nodes and of the chunks of long elements.
  func overflowNumbers() throws -> [UInt32] {
    var numbers = try tree.nodeNumbers()
    guard coding.element.type.isVariable else { return numbers }
    try tree.forEach { bytes in
      if let place = try coding.chunks(of: bytes) {
        let count = (place.length + Overflow.chunkSize - 1) / Overflow.chunkSize
        for number in 0..<UInt32(count) { numbers.append(place.first &+ number) }
      }
      return true
    }
    return numbers
  }

  /// Returns the problems of the nodes, and of the order of a set or a map.
  func check() throws -> [String] {
    var problems = try tree.check()
    guard order != .list else { return problems }
    var last: (name: String, value: PropertyValue)?
    try forEach { name, value in
      if let last {
        let isOrdered =
          order == .map ? last.name.precedesInOrder(name) : last.value.precedes(value)
        if !isOrdered { problems.append("a set or a map is out of order") }
      }
      last = (name, value)
    }
    return problems
  }
}

extension CollectionReader {
  /// Calls `body` with the content of each element, and with its name in a map. The content is the
  /// bytes of a slot, or the bytes of text or data. The content of a nil element is nil.
  ///
  /// The bytes are valid until `body` returns. Elements of any type need decoding: use
  /// ``forEach(_:)``.
  package func forEachContent(
    _ body: (_ name: PageBytes?, _ content: PageBytes?) throws -> Void
  ) throws {
    let (isMap, size) = (coding.isMap, coding.element.type.slotSize)
    let isFixed = !coding.element.type.isVariable
    try tree.forEach { bytes in
      let name = isMap ? try coding.nameBytes(bytes) : nil
      try coding.withContent(bytes, property, overflow) { content in
        if isFixed, let content, content.count != size { throw ElementCoding.damaged }
        try body(name, content)
      }
      return true
    }
  }
}
