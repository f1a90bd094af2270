package import WhimbrelLMDB

// An object is changed in a copy of its record. Changes of one object in a row go into one copy,
// which is written when anything else is read or written: `zone.area = .asia; zone.name = "x"`
// looks for the record once, and signs and writes it once.
extension ClassTable {
  /// Changes properties of an object at once: `change` works on a copy of its record.
  ///
  /// - Parameter position: that of the property which changes, or nil when it may be any.
  package func update(
    _ id: ObjectID, at position: Int? = nil, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    if let unsafeMigration {
      return try unsafe unsafeMigration._withUnsafeGuaranteedRef {
        try $0.migrator.requireRunning()
        try $0.update(id, at: position, change)
      }
    }
    _ = try session.requireWriting("change an object")
    try beginChange(id)
    try change(&changes)
    try writeChange(id)
    session.didWrite()
  }

  /// Changes a property of an object, perhaps together with what is changed of it next.
  ///
  /// What goes wrong later fails the write that this belongs to.
  package func set(
    _ id: ObjectID, at position: Int, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    if migration != nil || isChangedAtOnce(position) {
      return try update(id, at: position, change)
    }
    if changing != id {
      _ = try session.requireWriting("change an object")
      try beginChange(id)
      try change(&changes)
      changing = id
    } else {
      try change(&changes)
    }
    session.didChange(in: self)
    // Nothing is written until the changes are.
    records.keepCursor(in: session.clock.value)
    // Texts that were replaced lie about in the copy.
    if changes.bytes.count > RecordEncoder.recordLimit { session.finishChange() }
  }

  /// Whether a change of a property can fail, or deletes objects, by what is stored elsewhere.
  private func isChangedAtOnce(_ position: Int) -> Bool {
    if !ownedLinks.isEmpty, ownedLinks.contains(position) { return true }
    return hasUniqueIndexes
      && records.indexes.contains { $0.isUnique && $0.subject.positions.contains(position) }
  }

  /// The record of an object with all changes, found so that a change of it need not look for it
  /// again; valid until the next write.
  package func recordToChange(_ id: ObjectID) throws -> PageBytes? {
    guard migration == nil, session.isWriting else { return try record(id) }
    if changing == id, changes.pending.isEmpty { return changes.bytes }
    session.finishChange()
    let found = try records.cursor(at: id, epoch: session.clock.value, in: session.currentView)
    guard let cursor = found else { return nil }
    let record = cursor.value
    _ = try layout(of: record, id)
    return record
  }

  /// Writes the changes that ``set(_:at:_:)`` has collected.
  func finishChange() throws {
    guard let id = changing else { return }
    changing = nil
    try writeChange(id)
  }

  /// Copies an object's record, to be changed.
  private func beginChange(_ id: ObjectID) throws {
    let record = try cursor(at: id).value
    let layout = try layout(of: record, id)
    // The copy before was perhaps read.
    session.didWrite()
    if layout === resolved.written {
      changes.begin(copying: record)
    } else {
      try explaining(id) { try changes.begin(converting: record, layout, overflow(of: id)) }
    }
    records.keepCursor(in: session.clock.value)
  }

  /// Replaces an object's record by the changed copy.
  private func writeChange(_ id: ObjectID) throws {
    let new = try changes.finish(id)
    try apply(RecordChange(id, from: cursor(at: id).value, to: new, changes.pending))
  }
}
