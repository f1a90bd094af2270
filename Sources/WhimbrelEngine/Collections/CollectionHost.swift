internal import WhimbrelLMDB

/// The objects of one class whose collections can be changed: those of a store, or the new ones of
/// a migration.
protocol CollectionHost: AnyObject {
  var resolved: ResolvedClass { get }
  /// Returns the record of an object that will be changed. Its overflow is in the table that is
  /// written. The record is valid until the next write.
  func recordForChange(_ id: ObjectID) throws -> PageBytes
  func overflowWriter(_ id: ObjectID) throws -> OverflowWriter
  /// Changes an object. `change` works on a copy of its record.
  ///
  /// - Parameter position: The position of the property that changes, or nil if it can be any.
  func update(
    _ id: ObjectID, at position: Int?, _ change: (inout RecordEncoder) throws -> Void) throws
  /// Handles a change of a collection in the overflow, whose record does not change.
  func didEditStored(_ position: Int, of id: ObjectID, _ links: LinkChanges) throws
  /// Returns a function that throws if an embedded object already has an owner, or nil if the check
  /// is not needed. The arguments of the function are the object and the number of links to it that
  /// were added.
  func ownerCheck(_ position: Int) throws -> ((ObjectID, Int) throws -> Void)?
  /// Calls `body`, and adds the object to the errors about its record.
  func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result
}

extension CollectionHost {
  /// Changes a collection of an object.
  func edit<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    try explaining(id) {
      let record = try recordForChange(id)
      let field = try resolved.storedField(position, of: record)
      if let field, record.isExternal(at: field.slot) {
        return try editStored(field, position, of: id, body)
      }
      return try editInline(field, position, of: id, record, body)
    }
  }

  /// Changes a collection in the overflow. The record does not change.
  private func editStored<Result>(
    _ field: RecordField, _ position: Int, of id: ObjectID,
    _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    let writer = try overflowWriter(id)
    let nodes = CollectionNodes(
      inlineRoot: nil, overflow: writer.stored,
      property: field.property, writer: writer)
    var editor = CollectionEditor(
      .stored(nodes), resolved.properties[position], stored: field.property,
      class: resolved.name)
    editor.requireNoOwner = try ownerCheck(position)
    let outcome = Swift.Result { try body(&editor) }
    // Changes before an error stay in the transaction, so their links are counted too.
    try didEditStored(position, of: id, editor.links)
    return try outcome.get()
  }

  /// Changes a collection in a record: first in memory, then in the record as a whole.
  private func editInline<Result>(
    _ field: RecordField?, _ position: Int, of id: ObjectID, _ record: PageBytes,
    _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    var nodes = MemoryNodes()
    if let field {
      guard let root = record.variable(at: field.slot) else { throw DamagedRecord() }
      if root.count > 0 { nodes.put(0, root.array) }
    } else {
      let writer = try overflowWriter(id)
      nodes = try resolved.encodedCollection(
        position, of: record, writer.stored)
    }
    guard let written = resolved.written.fields[position] else { throw DamagedRecord() }
    var editor = CollectionEditor(
      .memory(nodes), resolved.properties[position], stored: written.property,
      class: resolved.name)
    editor.requireNoOwner = try ownerCheck(position)
    let result = try body(&editor)
    if case .memory(let nodes) = editor.tree.nodes {
      // Without its empty root, the collection has the same bytes as that of a new object.
      let isEmpty = try editor.count() == 0
      try update(id, at: position) { encoder throws in
        encoder.set(position, collection: isEmpty ? MemoryNodes() : nodes)
      }
    }
    return result
  }
}

extension ResolvedClass {
  /// Returns the field of a collection that does not need a conversion, or nil if its elements must
  /// be converted.
  fileprivate func storedField(_ position: Int, of record: PageBytes) throws -> RecordField? {
    guard let layout = layout(of: record) else {
      throw DamagedRecord(detail: Self.unknownLayout)
    }
    return layout.slots[position].access == .conversion ? nil : layout.fields[position]
  }

  /// Returns the converted nodes of a collection in a record of an older layout.
  fileprivate func encodedCollection(
    _ position: Int, of record: PageBytes, _ overflow: Overflow
  ) throws -> MemoryNodes {
    guard let layout = layout(of: record) else {
      throw DamagedRecord(detail: Self.unknownLayout)
    }
    let value = try layout.value(position, of: record, overflow)
    var encoder = RecordEncoder(self)
    encoder.begin()
    try encoder.set(position, value)
    return encoder.collectionNodes(position)
  }
}

extension CollectionReader {
  /// Creates a reader of a collection in a record of any layout of a class.
  convenience init(
    _ position: Int, of record: PageBytes, in shape: ResolvedClass, _ overflow: Overflow
  ) throws {
    let element = shape.properties[position].type.elementType ?? ElementType(.any)
    if let field = try shape.storedField(position, of: record) {
      try self.init(record, field, element, overflow)
      return
    }
    guard let field = shape.written.fields[position] else { throw DamagedRecord() }
    let nodes = try shape.encodedCollection(position, of: record, overflow)
    try self.init(nodes, field, element)
  }
}

extension RecordEncoder {
  /// Returns whether the encoder has all nodes of a collection, in the record or pending.
  func holdsCollection(_ position: Int) -> Bool {
    guard let field = target.written.fields[position] else { return false }
    if case .nodes = pending[field.property] { return true }
    return !bytes.isExternal(at: field.slot)
  }

  /// Returns the nodes of a collection that the encoder holds.
  func collectionNodes(_ position: Int) -> MemoryNodes {
    var nodes = MemoryNodes()
    guard let field = target.written.fields[position] else { return nodes }
    if case .nodes(let pending) = pending[field.property] { return pending }
    if let root = bytes.variable(at: field.slot), root.count > 0 { nodes.put(0, root.array) }
    return nodes
  }
}
