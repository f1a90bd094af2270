internal import WhimbrelLMDB

/// The nodes of one collection of an object: the root in the record while it is
/// small, else all among the overflow.
struct CollectionNodes: NodeStore {
  /// The bytes in the record, or nil when the collection is among the overflow.
  let inlineRoot: PageBytes?
  let overflow: Overflow
  let property: PropertyID
  /// Where nodes are written, or nil when the collection is only read.
  let writer: OverflowWriter?

  func node(_ number: UInt32) throws -> PageBytes? {
    if let inlineRoot { return number == 0 ? inlineRoot : nil }
    let node = try overflow.entry(property, number)
    // A tree takes a root that is not there for that of an empty collection.
    if node == nil, number == 0 { throw DamagedRecord(detail: "a collection has lost its root") }
    return node
  }

  mutating func put(_ number: UInt32, _ bytes: [UInt8]) throws {
    guard let writer else { throw StoreError.notInWrite(verb: "change a collection") }
    try writer.put(property, number, bytes)
  }

  mutating func remove(_ number: UInt32) throws {
    guard let writer else { throw StoreError.notInWrite(verb: "change a collection") }
    try writer.remove(property, number)
  }
}

extension CollectionNodes {
  /// The nodes of the collection in a slot of a record.
  ///
  /// - Throws: ``DamagedRecord`` when the slot leads outside of the record.
  init(
    _ record: PageBytes, _ field: RecordField, _ overflow: Overflow, _ writer: OverflowWriter? = nil
  ) throws {
    var root: PageBytes?
    if !record.isExternal(at: field.offset) {
      guard let bytes = record.variable(at: field.offset) else {
        throw DamagedRecord(detail: "a collection lies outside of it")
      }
      root = bytes
    }
    self.init(inlineRoot: root, overflow: overflow, property: field.property, writer: writer)
  }
}
