internal import WhimbrelLMDB

/// The nodes of one collection of an object. A small collection has only its root, which is in the
/// record. All nodes of a larger collection are in the overflow.
struct CollectionNodes: NodeStore {
  /// The root in the record, or nil if the collection is in the overflow.
  let inlineRoot: PageBytes?
  let overflow: Overflow
  let property: PropertyID
  /// The writer of nodes, or nil if the collection is only read.
  let writer: OverflowWriter?

  func node(_ number: UInt32, isChecked: Bool) throws -> PageBytes? {
    if let inlineRoot { return number == 0 ? inlineRoot : nil }
    let node = try overflow.entry(property, number, isChecked: isChecked)
    // A tree treats a missing root as an empty collection, so a lost root must fail here.
    if node == nil, number == 0 { throw DamagedRecord(detail: "a collection has no root") }
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
  /// Creates the nodes of the collection in a slot of a record.
  ///
  /// - Throws: ``DamagedRecord`` if the slot points outside the record.
  init(
    _ record: PageBytes, _ field: RecordField, _ overflow: Overflow, _ writer: OverflowWriter? = nil
  ) throws {
    var root: PageBytes?
    if !record.isExternal(at: field.slot) {
      guard let bytes = record.variable(at: field.slot) else {
        throw DamagedRecord(detail: "a collection lies outside the record")
      }
      root = bytes
    }
    self.init(inlineRoot: root, overflow: overflow, property: field.property, writer: writer)
  }
}
