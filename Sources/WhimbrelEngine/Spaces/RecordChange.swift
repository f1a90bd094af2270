internal import WhimbrelLMDB

/// A record with what is needed to read it.
struct ReadableRecord {
  let bytes: PageBytes
  let layout: ResolvedLayout
  /// What of the object lies outside of the record.
  let extents: Extents
}

/// A change of one object: what is stored of it, and what is to be.
struct RecordChange {
  let id: ObjectID
  /// Nil when the object is new.
  let old: ReadableRecord?
  /// Nil when the object goes.
  let new: ReadableRecord?
  /// The extents that are written with the new record.
  var pending: PendingExtents? = nil

  /// Whether a property is known to be the same without a look at its value.
  func keeps(_ position: Int) -> Bool {
    guard let old, let new, let before = old.layout.fields[position],
      let after = new.layout.fields[position], before.property == after.property,
      before.type == after.type, old.layout.slots[position].access != .detour,
      new.layout.slots[position].access != .detour
    else { return false }
    let hadValue = before.presence.map(old.bytes.hasBit) ?? true
    guard hadValue == (after.presence.map(new.bytes.hasBit) ?? true) else { return false }
    if !hadValue { return true }
    guard before.type.isVariable else {
      let size = before.type.slotSize
      guard let left = old.bytes.slice(at: before.offset, count: size),
        let right = new.bytes.slice(at: after.offset, count: size)
      else { return false }
      return left.isEqual(to: right)
    }
    if pending?[after.property] != nil { return false }
    if new.bytes.isExternal(at: after.offset) { return old.bytes.isExternal(at: before.offset) }
    guard let left = old.bytes.variable(at: before.offset),
      let right = new.bytes.variable(at: after.offset)
    else { return false }
    return left.isEqual(to: right)
  }
}

/// What a change of an object means to an index.
struct IndexChange {
  let index: TableIndex
  let removed: [IndexEntry]
  /// Those that are new, and those whose content is.
  let added: [IndexEntry]

  /// - Returns: nil when the index stays as it is.
  init?(_ index: TableIndex, from before: [IndexEntry], to after: [IndexEntry]) {
    if before == after { return nil }
    self.index = index
    if before.isEmpty || after.isEmpty {
      (removed, added) = (before, after)
      return
    }
    let (known, kept) = (Set(before), Set(after.map(\.key)))
    removed = before.filter { !kept.contains($0.key) }
    added = after.filter { !known.contains($0) }
  }

  func apply(_ view: WriteView) throws {
    for entry in removed {
      try PageBytes.with(entry.key) { key throws(LMDBError) in
        _ = try view.remove(index.table, key)
      }
    }
    for entry in added { try view.put(index.table, entry.key, entry.content) }
  }
}
