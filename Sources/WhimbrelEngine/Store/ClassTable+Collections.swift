internal import WhimbrelLMDB

extension ClassTable {
  /// The field of a record that has a collection as it is now, or nil when its
  /// elements have to be worked out.
  private func storedField(
    _ position: Int, of record: PageBytes, _ id: ObjectID
  ) throws -> RecordField? {
    let layout = try layout(of: record, id)
    return layout.slots[position].access == .detour ? nil : layout.fields[position]
  }

  /// Calls `body` with what reads a collection of an object.
  package func readCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    let reader = try collectionReader(position, of: id)
    return try explaining(id) { try body(reader) }
  }

  /// What reads a collection of an object. It is valid as long as the generation of
  /// the session stays.
  package func collectionReader(
    _ position: Int, of id: ObjectID
  ) throws -> CollectionReader {
    try session.requireOpen()
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    let element = resolved.properties[position].type.elementType ?? ElementType(.any)
    return try explaining(id) {
      if let field = try storedField(position, of: record, id) {
        return try CollectionReader(record, field, element, extents(of: id))
      }
      // Old records that do not have it: as it would be written.
      guard let field = resolved.written.fields[position] else { throw DamagedRecord() }
      let nodes = try encodedCollection(position, of: record, id)
      return try CollectionReader(nodes, field, element)
    }
  }

  /// Changes a collection of an object.
  package func editCollection<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    let view = try session.requireWriting("change a collection")
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    return try explaining(id) {
      let field = try storedField(position, of: record, id)
      if let field, record.isExternal(at: field.offset) {
        return try editStored(field, position, of: id, view, body)
      }
      return try editInline(field, position, of: id, record, body)
    }
  }

  /// Changes a collection whose nodes are stored: the record stays as it is.
  private func editStored<Result>(
    _ field: RecordField, _ position: Int, of id: ObjectID, _ view: WriteView,
    _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    let nodes = CollectionNodes(
      inlineRoot: nil, extents: extents(of: id), property: field.property,
      writer: extentWriter(view, id))
    var editor = CollectionEditor(
      .stored(nodes), resolved.properties[position], stored: field.property, class: name)
    let result = try body(&editor)
    session.didWrite()
    if editor.links.isEmpty { return result }
    if ownedLinks.contains(position) { try requireNoParents(editor.links, position, of: id) }
    let released = try changeLinks(position, of: id, by: editor.links, view)
    if ownedLinks.contains(position) { try removeChildren(released, position) }
    return result
  }

  private func requireNoParents(
    _ links: [LinkTarget: Int], _ position: Int, of id: ObjectID
  ) throws {
    let gained = links.filter { $0.value > 0 }
    try requireNoParents(
      gained.map { IndexEntry($0.key, from: id, count: $0.value) }, position)
    guard let index = indexes[position] else { return }
    for (target, _) in gained {
      let key = IndexEntry(target, from: id, count: 1).key
      guard try session.view.value(index, key) == nil else {
        let name = resolved.properties[position].type.linkedClass ?? name
        guard case .object(let child) = target else { continue }
        throw StoreError.embeddedHasParent(class: name, objectID: child)
      }
    }
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
      nodes = try encodedCollection(position, of: record, id)
    }
    guard let written = resolved.written.fields[position] else { throw DamagedRecord() }
    var editor = CollectionEditor(
      .memory(nodes), resolved.properties[position], stored: written.property, class: name)
    let result = try body(&editor)
    if case .memory(let nodes) = editor.tree.nodes {
      try update(id) { encoder throws in encoder.set(position, collection: nodes) }
    }
    return result
  }

  /// The nodes of a collection that a record of an older layout does not have as it
  /// is now.
  private func encodedCollection(
    _ position: Int, of record: PageBytes, _ id: ObjectID
  ) throws -> MemoryNodes {
    let value = try value(position, of: record, id)
    var encoder = RecordEncoder(resolved)
    encoder.begin()
    try encoder.set(position, value)
    return encoder.collectionNodes(position)
  }
}

extension RecordEncoder {
  /// The nodes of a collection that has been set.
  func collectionNodes(_ position: Int) -> MemoryNodes {
    guard let field = target.written.fields[position] else { return MemoryNodes() }
    if case .nodes(let nodes) = pending[field.property] { return nodes }
    guard let root = bytes.variable(at: field.offset), root.count > 0 else {
      return MemoryNodes()
    }
    var nodes = MemoryNodes()
    nodes.put(0, root.array)
    return nodes
  }
}
