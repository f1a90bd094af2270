internal import WhimbrelLMDB

/// The objects of one class, whose collections can be changed: those of a store, and
/// the new ones of a migration.
protocol CollectionHost: AnyObject {
  var resolved: ResolvedClass { get }
  /// The record of an object, in a layout whose overflow are in one table with those
  /// that are written; a read may follow, until the next write.
  func recordForChange(_ id: ObjectID) throws -> PageBytes
  /// Writes what of an object lies outside of its record.
  func overflowWriter(_ id: ObjectID) throws -> OverflowWriter
  /// Changes properties of an object: `change` works on a copy of its record.
  ///
  /// - Parameter position: that of the property which changes, or nil when it may be any.
  func update(
    _ id: ObjectID, at position: Int?, _ change: (inout RecordEncoder) throws -> Void) throws
  /// Called when the elements of a collection have changed whose record stays.
  func didEditStored(_ position: Int, of id: ObjectID, _ links: [LinkTarget: Int]) throws
  /// What throws when an embedded object that a collection is to take in has a parent,
  /// given how many links to it have been added; nil when that is not to be checked.
  func parentCheck(_ position: Int) throws -> ((ObjectID, Int) throws -> Void)?
  /// Calls `body`, and names the object in what it says of its record.
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
      if let field, record.isExternal(at: field.offset) {
        return try editStored(field, position, of: id, body)
      }
      return try editInline(field, position, of: id, record, body)
    }
  }

  /// Changes a collection whose nodes are stored: the record stays as it is.
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
    editor.requireNoParent = try parentCheck(position)
    let outcome = Swift.Result { try body(&editor) }
    // What has been changed is changed, also when an error has ended it.
    try didEditStored(position, of: id, editor.links)
    return try outcome.get()
  }

  /// Changes a collection in a record: in memory, and then as a whole.
  private func editInline<Result>(
    _ field: RecordField?, _ position: Int, of id: ObjectID, _ record: PageBytes,
    _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    var nodes = MemoryNodes()
    if let field {
      guard let root = record.variable(at: field.offset) else { throw DamagedRecord() }
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
    editor.requireNoParent = try parentCheck(position)
    let result = try body(&editor)
    if case .memory(let nodes) = editor.tree.nodes {
      try update(id, at: position) { encoder throws in
        encoder.set(position, collection: nodes)
      }
    }
    return result
  }
}

extension ResolvedClass {
  /// The field of a record that has a collection as it is now, or nil when its
  /// elements have to be worked out.
  fileprivate func storedField(_ position: Int, of record: PageBytes) throws -> RecordField? {
    guard let layout = layout(of: record) else {
      throw DamagedRecord(detail: Self.unknownLayout)
    }
    return layout.slots[position].access == .conversion ? nil : layout.fields[position]
  }

  /// The nodes of a collection that a record of an older layout does not have as it
  /// is now.
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
  /// Makes what reads a collection of a record of any layout of a class.
  init(
    _ position: Int, of record: PageBytes, in shape: ResolvedClass, _ overflow: Overflow
  ) throws {
    let element = shape.properties[position].type.elementType ?? ElementType(.any)
    if let field = try shape.storedField(position, of: record) {
      self = try CollectionReader(record, field, element, overflow)
      return
    }
    guard let field = shape.written.fields[position] else { throw DamagedRecord() }
    let nodes = try shape.encodedCollection(position, of: record, overflow)
    self = try CollectionReader(nodes, field, element)
  }
}

extension RecordEncoder {
  /// The nodes of a collection that has been set.
  fileprivate func collectionNodes(_ position: Int) -> MemoryNodes {
    var nodes = MemoryNodes()
    guard let field = target.written.fields[position] else { return nodes }
    if case .nodes(let pending) = pending[field.property] { return pending }
    if let root = bytes.variable(at: field.offset), root.count > 0 { nodes.put(0, root.array) }
    return nodes
  }
}
