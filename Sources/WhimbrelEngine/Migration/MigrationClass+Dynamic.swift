internal import WhimbrelLMDB

extension MigrationClass: DynamicSource {
  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    try migrator.requireRunning()
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    return try value(position, of: record, id)
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    try migrator.requireRunning()
    try checkLink(position, value)
    guard id == pending else {
      return try update(id) { encoder in try encoder.set(position, value) }
    }
    // Not in a closure, which would keep the value.
    migrator.voidReads()
    try encoder.set(position, value)
  }

  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try migrator.requireRunning()
    if case .converted = draft.properties[position].origin, id != pending {
      // Elements are read from what has been converted.
      _ = try recordForChange(id)
    }
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    return try explaining(id) {
      try body(
        CollectionReader(position, of: record, in: resolved, extents(of: record, id)))
    }
  }

  func change<Result>(
    _ position: Int, of id: ObjectID, adding values: [PropertyValue],
    _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    try migrator.requireRunning()
    for value in values { try checkLink(position, value) }
    if id != pending { try migrator.commitIfFull() }
    return try edit(position, of: id, body)
  }

  func source(of className: String) throws -> any DynamicSource {
    try migrator.requireClass(className) { $0.draft.declared != nil }
  }

  func name(of classID: ClassID) throws -> String {
    try migrator.requireClass(classID).name
  }

  func note(_ error: any Error) {
    if migrator.problem == nil { migrator.problem = error }
  }
}

extension MigrationClass: CollectionHost {
  func recordForChange(_ id: ObjectID) throws -> PageBytes {
    // The object at hand is written first, and one whose turn has not come is carried
    // over: then both are in the new table.
    if id == pending { try flush() }
    if let record = try record(id), record.layoutID != resolved.written.layout.id {
      try update(id) { _ in }
    }
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    return record
  }

  func extentWriter(_ id: ObjectID) throws -> ExtentWriter {
    guard let newExtentTable else { throw StoreError.notInWrite(verb: "migrate") }
    return ExtentWriter(
      view: try migrator.writing(), table: newExtentTable, id: id,
      seed: resolved.checksumSeed(id))
  }

  // Parents are counted at the end.
  func parentCheck(_ position: Int) throws -> ((ObjectID, Int) throws -> Void)? { nil }

  func didEditStored(_ position: Int, of id: ObjectID, _ links: [LinkTarget: Int]) throws {
    migrator.didWrite(2 * ElementCoding.inlineLimit)
    try changeLinks(position, of: id, by: links)
  }
}
