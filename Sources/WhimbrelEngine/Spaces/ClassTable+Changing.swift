internal import WhimbrelLMDB

// An object is changed in a copy of its record. Consecutive changes of one object share a copy,
// which is written when anything else is read or written: `zone.area = .asia; zone.name = "x"`
// finds the record once, and computes the checksum and writes the record once.
extension ClassTable {
  /// Returns whether a change of a property must be written at once, because other stored data
  /// decides whether it fails or deletes objects.
  func isChangedAtOnce(_ position: Int) -> Bool {
    !ownedLinks.isEmpty && ownedLinks.contains(position)
  }

  /// Returns whether a property can be changed now: in a write, unless it is the primary key.
  package func canChange(_ position: Int) -> Bool {
    withSession { $0.isWriting } && resolved.primaryKeyIndex != position
  }

  /// Writes the changes that ``set(_:at:_:)`` has collected and counted.
  func finishChange() throws {
    guard let id = changing else { return }
    changing = nil
    try writeChange(id, defersUnique: true)
  }

  /// Copies the record of an object in order to change it.
  func beginChange(_ id: ObjectID) throws {
    let record = try soundStoredRecord(id)
    let layout = try layout(of: record, id)
    // The previous copy may have been read.
    didWrite()
    if layout === resolved.written {
      changes.begin(copying: record)
    } else if resolved.isStale(record) {
      try beginConversion(of: record, id)
    } else {
      try explaining(id) { try changes.begin(converting: record, layout, overflow(of: id)) }
    }
    records.keepCursor(in: clock.value)
  }

  /// Replaces an object's record by the changed copy. The change is counted already.
  ///
  /// - Parameter defersUnique: As for ``apply(_:isStored:defersUnique:)``.
  func writeChange(_ id: ObjectID, defersUnique: Bool) throws {
    let new = try changes.finish(id)
    var change = RecordChange(id, from: try storedRecord(id), to: new, changes.pending.ifAny)
    change.isCounted = true
    try apply(change, defersUnique: defersUnique)
  }
}
