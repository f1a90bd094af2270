internal import WhimbrelLMDB

/// What links to an object, on the side of the new objects.
extension MigrationClass {
  /// The new objects that link to another through a property, in the order of their IDs.
  ///
  /// As long as nothing has been written, the index of the file answers. After that the
  /// first call makes a table of all links, and every change of an object keeps it up to
  /// date.
  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    try migrator.requireRunning()
    try migrator.requireSoundPages()
    if isDropped || isBeingEmptied { return [] }
    if try migrator.isGone(target, of: classID) { return [] }
    if !isRewritten {
      if old == nil { return [] }
      if let index = keptIndex(position) {
        return try resolved.sources(
          position, linkingTo: target, of: classID, in: index, migrator.oldView
        ).map(\.id).filter { try !isReleased($0) }
      }
    }
    // The object at hand may have other links by now.
    try flush()
    guard let table = try linkTable(position) else { return [] }
    let view = try migrator.writing().reading
    return try resolved.sources(position, linkingTo: target, of: classID, in: table, view)
      .map(\.id).filter { try !isReleased($0) }
  }

  /// The index of the file, if the property is as it was.
  private func keptIndex(_ position: Int) -> Table? {
    let property = draft.properties[position]
    guard property.origin == .kept, let before = property.old, before.type == property.new.type,
      let place = old?.properties.firstIndex(where: { $0.id == before.id })
    else { return nil }
    return oldIndexes[place]
  }

  /// The table of the links of a property. All old objects are carried over for it, so
  /// that every change of a link from now on passes through here.
  private func linkTable(_ position: Int) throws -> Table? {
    if let table = linkTables[position] { return table }
    try beginRewrite()
    try carryAll()
    let name = TableNames.links(
      draft.id, resolved.entry.generation, resolved.properties[position].id)
    guard let table = try migrator.createTables([name])[name.name] else { return nil }
    var last: ObjectID?
    while let (id, record) = try nextNew(after: last) {
      last = id
      let entries = try indexEntries(position, of: record, id)
      let view = try migrator.writing()
      for entry in entries { try view.put(table, entry.key, entry.content) }
      migrator.didWrite(entries.reduce(0) { $0 + $1.key.count })
      try migrator.checkpoint(.rewriting, draft.name, 0, of: oldCount)
    }
    linkTables[position] = table
    return table
  }

  /// The entries of an object in all tables of links.
  private func linkEntries(
    of record: PageBytes, _ extents: Extents, _ id: ObjectID
  ) throws -> [(table: Table, entry: IndexEntry)] {
    try explaining(id) {
      try linkTables.flatMap { position, table in
        try resolved.indexEntries(position, of: record, resolved.written, id, extents)
          .map { (table, $0) }
      }
    }
  }

  /// Calls `write`, and then takes note of the links of the object that it wrote.
  func addingLinks(
    of record: PageBytes, _ extents: Extents, _ id: ObjectID, _ write: () throws -> Void
  ) throws {
    // What is not in the record may not be there any more when it has been written.
    let entries = try linkEntries(of: record, extents, id)
    try write()
    let view = try migrator.writing()
    for (table, entry) in entries {
      try view.put(table, entry.key, entry.content)
      migrator.didWrite(entry.key.count)
    }
  }

  /// Forgets the links of a new object, which is in the new table.
  func removeLinks(of id: ObjectID) throws {
    guard !linkTables.isEmpty, let record = try newRecord(id) else { return }
    let entries = try linkEntries(of: record, newExtents(id), id)
    let view = try migrator.writing()
    for (table, entry) in entries {
      try PageBytes.with(entry.key) { key throws(LMDBError) in _ = try view.remove(table, key) }
    }
  }

  /// Takes note that an object links to others more often, or less.
  func changeLinks(
    _ position: Int, of id: ObjectID, by differences: [LinkTarget: Int]
  ) throws {
    guard let table = linkTables[position] else { return }
    _ = try migrator.writing().changeLinks(table, of: id, by: differences)
  }

  /// Lets go of the tables that only the migration's code asks.
  func endLookups() {
    lookup = nil
    linkTables = [:]
    released = nil
    repaired = [:]
  }
}
