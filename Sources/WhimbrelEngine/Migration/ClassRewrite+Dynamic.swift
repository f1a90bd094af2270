internal import WhimbrelLMDB

extension ClassRewrite: DynamicSource {
  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    try migrator.requireRunning()
    try repair(id)
    guard let record = try record(id) else {
      throw deleted(id)
    }
    return try value(position, of: record, id)
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    try migrator.requireRunning()
    let value = try linkable(position, value)
    guard id == pending, owners.released == nil, owning.isEmpty || !owning.contains(position) else {
      return try update(id, at: position) { encoder in try encoder.set(position, value) }
    }
    // Not in a closure: it would retain the value.
    writer.sessions.voidReads()
    try encoder.set(position, value)
  }

  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try migrator.requireRunning()
    try repair(id)
    if case .converted = draft.properties[position].origin, id != pending {
      // Elements are read from the converted record.
      _ = try recordForChange(id)
    }
    guard let record = try record(id) else {
      throw deleted(id)
    }
    return try explaining(id) {
      try body(
        CollectionReader(position, of: record, in: resolved, overflow(of: record, id)))
    }
  }

  func element(_ position: Int, _ value: PropertyValue) throws -> PropertyValue? {
    let element = try linkable(position, value)
    // Links are never nil there.
    if case .link = value, element.isNull { return nil }
    return element
  }

  func change<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    try migrator.requireRunning()
    if id != pending { try writer.commitIfFull() }
    try repair(id)
    return try edit(position, of: id, body)
  }

  func source(of className: String) throws -> any DynamicSource {
    try migrator.requireClass(className) { $0.draft.declared != nil }
  }

  func name(of classID: ClassID) throws -> String {
    try migrator.requireClass(classID).name
  }

  func note(_ error: any Error) {
    migrator.note(error)
  }

  func session(writing id: ObjectID) throws -> Session {
    try migrator.requireRunning()
    return try migrator.sessionOfNewObjects()
  }

  var home: AnyObject { migrator }
}

extension ClassRewrite: CollectionHost {
  func recordForChange(_ id: ObjectID) throws -> PageBytes {
    // The current object is written, and an object whose turn has not come is copied: then both are in
    // the new table.
    if id == pending { try flush() }
    if let record = try record(id), record.layoutID != resolved.written.layout.id {
      try rewrite(id) { _ in }
    }
    guard let record = try record(id) else {
      throw deleted(id)
    }
    return record
  }

  func overflowWriter(_ id: ObjectID) throws -> OverflowWriter {
    guard let new else { throw StoreError.notInWrite(verb: "migrate") }
    return try new.overflowWriter(of: id, in: writer.view())
  }

  // Owners are counted at the end.
  func ownerCheck(_ position: Int) throws -> ((ObjectID, Int) throws -> Void)? { nil }

  func didEditStored(_ position: Int, of id: ObjectID, _ links: LinkChanges) throws {
    writer.didWrite(2 * ElementCoding.inlineLimit)
    let links = links.sums()
    if let index = new?.indexes.ofProperty(position) {
      _ = try writer.view().changeLinks(index.table, of: id, by: links)
    }
    try didChangeChildren(position, by: links)
  }
}
