internal import WhimbrelLMDB

/// A change of one object: its stored record and its new record.
struct RecordChange {
  let id: ObjectID
  /// The stored record, or nil if the object is new.
  let old: PageBytes?
  /// The new record, or nil if the object is removed.
  let new: PageBytes?
  /// The overflow to write with the new record, or nil if there is none.
  let pending: PendingOverflow?
  /// Whether it is already counted which property changes.
  var isCounted = false

  init(_ id: ObjectID, from old: PageBytes?, to new: PageBytes?, _ pending: PendingOverflow? = nil)
  {
    self.id = id
    self.old = old
    self.new = new
    self.pending = pending
  }

  /// Returns the overflow of the new record.
  func newOverflow(over stored: Overflow) -> Overflow {
    guard let pending else { return old == nil ? .none : stored }
    return Overflow(pending, over: old == nil ? .none : stored)
  }

  /// Counts the change, unless it is already counted.
  func count(in counts: ContentCounts) {
    if old == nil || new == nil {
      counts.didChangeObjects()
    } else if !isCounted {
      counts.didChange(nil)
    }
  }

  /// Returns whether the bytes of both records show that a property is unchanged.
  ///
  /// - Parameters:
  ///   - layout: The layout of the old record.
  ///   - written: The layout of the new record.
  func keeps(_ position: Int, _ layout: ResolvedLayout, _ written: ResolvedLayout) -> Bool {
    guard let old, let new else { return false }
    if pending == nil, layout === written, written.hasSameBytes(position, in: old, new) {
      return true
    }
    guard let before = layout.fields[position], let after = written.fields[position],
      before.property == after.property,
      before.type == after.type, layout.slots[position].access != .conversion,
      written.slots[position].access != .conversion
    else { return false }
    let hadValue = before.presence.map(old.hasBit) ?? true
    guard hadValue == (after.presence.map(new.hasBit) ?? true) else { return false }
    if !hadValue { return true }
    if before.type == .int { return old.int(at: before.slot) == new.int(at: after.slot) }
    guard before.type.isVariable else {
      let size = before.type.slotSize
      guard let left = old.slice(at: before.slot.offset, count: size),
        let right = new.slice(at: after.slot.offset, count: size)
      else { return false }
      return left.isEqual(to: right)
    }
    if pending?[after.property] != nil { return false }
    if new.isExternal(at: after.slot) { return old.isExternal(at: before.slot) }
    guard let left = old.variable(at: before.slot),
      let right = new.variable(at: after.slot)
    else { return false }
    return left.isEqual(to: right)
  }
}

/// The effect of a change of an object on an index.
struct IndexChange {
  let index: TableIndex
  let removed: [IndexEntry]
  /// The entries that are new or have new content.
  let added: [IndexEntry]

  /// - Returns: Nil if the index does not change.
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

  /// Writes the entries, and returns the approximate number of bytes.
  func apply(_ view: WriteView) throws -> Int {
    for entry in removed {
      try PageBytes.with(entry.key) { key throws(LMDBError) in
        _ = try view.remove(index.table, key)
      }
    }
    var size = 0
    for entry in added {
      try view.put(index.table, entry.key, entry.content)
      size += entry.key.count + entry.content.count
    }
    return size
  }
}
