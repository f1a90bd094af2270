internal import WhimbrelLMDB

/// What links to an object, on the side of the new objects.
extension ClassRewrite {
  /// Returns the new objects that link to another through a property, in the order of their IDs.
  ///
  /// As long as nothing has been written, the index of the file answers. After that the
  /// first call makes a table of all links, and every change of an object keeps it up to
  /// date.
  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    try migrator.requireRunning()
    try writer.requireSoundPages()
    if isDropped || owners.isBeingEmptied { return [] }
    if try migrator.isGone(target, of: classID) { return [] }
    if !isRewritten {
      if old == nil { return [] }
      if let index = keptIndex(position) {
        return try resolved.sources(
          position, linkingTo: target, of: classID, in: index, writer.oldView
        ).map(\.id).filter { try !isReleased($0) }
      }
    }
    // The object at hand may have other links by now.
    try flush()
    guard let table = try lookup(position) else { return [] }
    let view = try writer.view().reading
    return try resolved.sources(position, linkingTo: target, of: classID, in: table, view)
      .map(\.id).filter { try !isReleased($0) }
  }

  /// Returns the index of the file, if the property is as it was.
  private func keptIndex(_ position: Int) -> Table? {
    let property = draft.properties[position]
    guard property.origin == .kept, let before = property.old, before.type == property.new.type,
      let place = old?.resolved.properties.firstIndex(where: { $0.id == before.id })
    else { return nil }
    return old?.indexes.ofProperty(place)?.table
  }

  /// Returns the index of a property, in which the block looks objects up. It is built when it is
  /// first asked for, of all objects: from then on every change keeps it up to date.
  func lookup(_ position: Int) throws -> Table? {
    if let index = new?.indexes.ofProperty(position) { return index.table }
    try beginRewrite()
    try copyAll()
    let name = TableNames.lookup(
      draft.id, resolved.entry.generation, resolved.properties[position].id)
    guard let new, let table = try writer.createTables([name])[name.name] else { return nil }
    let index = TableIndex(.property(position), table, in: resolved)
    var last: ObjectID?
    while let (id, record) = try nextNew(after: last) {
      last = id
      let view = try writer.view()
      let size = try explaining(id) {
        try new.index(RecordChange(id, from: nil, to: record), in: index, view)
      }
      writer.didWrite(size)
      try writer.checkpoint(.rewriting, draft.name, 0, of: oldCount)
    }
    new.indexes.append(index)
    return table
  }

  /// Lets go of the tables that only the migration's code asks.
  func endLookups() {
    new?.indexes = []
    owners.released = nil
    repairs.done = [:]
  }
}
