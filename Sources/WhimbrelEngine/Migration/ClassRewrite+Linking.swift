internal import WhimbrelLMDB

/// Links to a new object.
extension ClassRewrite {
  /// Returns the new objects that link to another through a property, in the order of their IDs.
  ///
  /// Until something is written, the index of the file answers. After that the first call builds a
  /// table of all links, which every change of an object updates.
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
    // The current object may have new links.
    try flush()
    guard let table = try lookup(position) else { return [] }
    let view = try writer.view().reading
    return try resolved.sources(position, linkingTo: target, of: classID, in: table, view)
      .map(\.id).filter { try !isReleased($0) }
  }

  /// Returns the index of the file, if the property has not changed.
  private func keptIndex(_ position: Int) -> Table? {
    let property = draft.properties[position]
    guard property.origin == .kept, let before = property.old, before.type == property.new.type,
      let place = old?.resolved.properties.firstIndex(where: { $0.id == before.id })
    else { return nil }
    return old?.indexes.ofProperty(place)?.table
  }

  /// Returns the index in which the block looks up objects by a property. The first call builds it
  /// from all objects; from then on every change updates it.
  func lookup(_ position: Int) throws -> Table? {
    if let index = new?.indexes.ofProperty(position) { return index.table }
    try beginRewrite()
    try copyAll()
    let name = TableNames.lookup(resolved.entry, resolved.properties[position].id)
    guard let new, let table = try writer.createTables([name])[name.name] else { return nil }
    let index = TableIndex(.property(position), table, in: resolved)
    try forEachCurrent(.rewriting) { id, record in
      let view = try writer.view()
      let size = try explaining(id) {
        try new.index(RecordChange(id, from: nil, to: record), in: index, view)
      }
      writer.didWrite(size)
    }
    new.indexes.append(index)
    return table
  }

  /// Forgets the indexes that only the migration's code uses.
  func endLookups() {
    new?.indexes = []
    owners.released = nil
    repairs.done = [:]
  }
}
