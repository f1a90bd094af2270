internal import WhimbrelLMDB

extension ClassTable {
  /// Makes a change of an object: of its record, its primary key, its index entries and its
  /// extents. Embedded objects that it no longer has are deleted.
  ///
  /// Every object of a store comes, changes and goes here; only the elements of large collections
  /// change in place, see ``didEditStored(_:of:_:)``. The caller says that bytes read before are
  /// no longer valid, if they may have been read.
  ///
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`, `duplicateValues` or
  ///   `embeddedHasParent`; nothing is changed then.
  func apply(_ change: RecordChange) throws {
    let view = try session.requireWriting("change an object")
    // The bytes of the old record are gone with the first write: all is worked out before.
    let changes =
      try maintained.isEmpty ? [] : explaining(change.id) { try indexChanges(of: change) }
    if change.new != nil {
      if !ownedLinks.isEmpty { try requireNoParents(changes) }
      if hasUniqueIndexes { try requireUnique(change, changes) }
    }
    let outside = try change.old.map { try propertiesOutside($0, change.id) } ?? []
    for entry in changes {
      guard case .key(let position) = entry.index.subject else { continue }
      try putKey(entry, position, of: change, view)
    }
    try putRecord(change, view)
    for entry in changes {
      if case .key = entry.index.subject { continue }
      try entry.apply(view)
    }
    if change.pending != nil || !outside.isEmpty { try putExtents(change, outside, view) }
    // The record is elsewhere now.
    sought = nil
    if change.new != nil, change.old != nil { try removeChildren(changes) }
  }

  private func indexChanges(of change: RecordChange) throws -> [IndexChange] {
    let (stored, written) = (extents(of: change.id), resolved.written)
    let layout = try change.old.map { try self.layout(of: $0, change.id) } ?? written
    return try maintained.compactMap { index in
      if index.subject.positions.allSatisfy({ change.keeps($0, layout, written) }) { return nil }
      let old = try entries(of: change.old, layout, change.id, stored, in: index)
      let new = try entries(
        of: change.new, written, change.id, change.newExtents(over: stored), in: index)
      return IndexChange(index, from: old, to: new)
    }
  }

  /// The entries that follow from a record.
  private func entries(
    of record: PageBytes?, _ layout: ResolvedLayout, _ id: ObjectID, _ extents: Extents,
    in index: TableIndex
  ) throws -> [IndexEntry] {
    guard let record else { return [] }
    var entries: [IndexEntry] = []
    try index.forEachEntry(
      of: record, layout, id, extents, in: resolved, using: &scratch
    ) { key, content in entries.append(IndexEntry(key: key.array, content: content.array)) }
    return entries
  }

  private func putKey(
    _ entry: IndexChange, _ position: Int, of change: RecordChange, _ view: WriteView
  ) throws {
    for added in entry.added {
      guard try view.put(entry.index.table, added.key, added.content, .ifAbsent) else {
        throw duplicate(try newValue(position, of: change))
      }
    }
    for removed in entry.removed {
      try PageBytes.with(removed.key) { key throws(LMDBError) in
        _ = try view.remove(entry.index.table, key)
      }
    }
  }

  private func putRecord(_ change: RecordChange, _ view: WriteView) throws {
    let id = change.id
    guard let record = change.new else {
      try view.remove(objects, id.rawValue)
      return
    }
    if let old = change.old {
      if old.count == record.count { return try cursor(at: id).replace(id.rawValue, record) }
      try view.put(objects, id.rawValue, record)
    } else if let bound = try bound(), id <= bound {
      guard try view.put(objects, id.rawValue, record, .ifAbsent) else {
        throw duplicate(.int(id.clusteredKey))
      }
    } else {
      try writeCursor().append(id.rawValue, record)
      upperBound = id
    }
  }

  /// Removes the extents of which the record no longer speaks, and writes those that are new.
  private func putExtents(
    _ change: RecordChange, _ outside: [PropertyID], _ view: WriteView
  ) throws {
    let writer = try extentWriter(view, change.id)
    guard let new = change.new else { return try writer.removeAll() }
    if !outside.isEmpty {
      let kept = resolved.written.layout.propertiesOutside(new)
      for property in outside where !kept.contains(property) {
        try writer.removeAll(of: property)
      }
    }
    if let pending = change.pending { try writer.write(pending) }
  }

  /// The properties of a stored record whose bytes are among the extents.
  private func propertiesOutside(_ record: PageBytes, _ id: ObjectID) throws -> [PropertyID] {
    let layout = try layout(of: record, id)
    return layout.hasBytesOutside(record) ? layout.layout.propertiesOutside(record) : []
  }

  /// The value that an object is to have.
  func newValue(_ position: Int, of change: RecordChange) throws -> PropertyValue {
    guard let new = change.new else { return .null }
    return try resolved.written.value(
      position, of: new, change.newExtents(over: extents(of: change.id)))
  }

  func duplicate(_ key: PropertyValue) -> StoreError {
    let position = resolved.primaryKeyIndex ?? 0
    return StoreError.duplicatePrimaryKey(
      class: name, property: resolved.properties[position].name, key: key)
  }
}
