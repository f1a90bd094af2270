package import WhimbrelLMDB

// While a transition lasts, objects may still be stored in a past shape. They are converted in
// memory when they are read, and stored converted when they are written.
extension ClassTable {
  /// Returns a sound record in the current shape of the class, if it can be converted.
  func converted(
    _ record: PageBytes, _ id: ObjectID, in view: ReadView, _ conversions: Conversions?
  ) throws -> PageBytes {
    guard resolved.isStale(record), let conversions else { return record }
    return try conversions.record(
      record, id, of: resolved.id, storedOverflow(of: id, in: view))
  }

  /// Returns a sound record in the current shape of the class, as the session sees it.
  package func converted(_ record: PageBytes, _ id: ObjectID) throws -> PageBytes {
    converts ? try converted(record, id, in: session.currentView, session.conversions) : record
  }

  /// Returns a sound record of a batch, in the current shape of the class.
  ///
  /// - Parameter sound: The records that are known to be sound: see ``soundRecords(_:)``.
  @inline(__always)
  func record(
    _ batch: borrowing EntryBatch, _ index: Int, _ sound: UInt64, _ source: QuerySource
  ) throws -> PageBytes {
    let record = try soundRecord(batch, index, sound)
    if !converts { return record }
    return try converted(
      record, ObjectID(rawValue: batch.key(index)), in: source.view, source.conversions)
  }

  /// Begins a change of an object that has a past shape. The change starts from the converted
  /// object.
  func beginConversion(of record: PageBytes, _ id: ObjectID) throws {
    let converted = try convertForWriting(record, id)
    changes.begin(copying: converted.record)
    try changes.pending.take(converted.pending)
  }

  /// Converts an object that is about to be written.
  private func convertForWriting(
    _ record: PageBytes, _ id: ObjectID
  ) throws -> ObjectConverter.Converted {
    guard converts, let conversions = session.conversions else {
      // Without its rule, the object would lose the values that the rule computes.
      throw StoreError.unconvertedObject(
        class: name, objectID: id, primaryKey: primaryKey(of: id),
        version: resolved.entry.pastShape(of: record)?.version)
    }
    let converter = try conversions.converter(of: resolved.id)
    let stored = storedOverflow(of: id, in: session.currentView)
    let converted = try converter.convert(record, id, stored)
    guard let finished = try converter.finish(id) else { throw DamagedRecord() }
    if !converted.unset.isEmpty {
      session.openWrite?.transitionNotes.add(
        UnsetObject(
          className: name, objectID: id,
          primaryKey: converter.key(record, id, stored).map(Sentence.plainKey),
          properties: converted.unset))
    }
    return ObjectConverter.Converted(
      record: finished, pending: converted.pending, unset: converted.unset)
  }

  /// Writes an object in the current shape of the class, unless it already has that shape.
  ///
  /// - Returns: Whether the object was written.
  @discardableResult
  func convertStored(_ id: ObjectID) throws -> Bool {
    guard resolved.isInTransition else { return false }
    session.finishChange()
    let record = try soundStoredRecord(id)
    guard resolved.isStale(record) else { return false }
    let converted = try convertForWriting(record, id)
    try apply(
      RecordChange(id, from: storedRecord(id), to: converted.record, converted.pending.ifAny))
    session.didWrite()
    return true
  }

  /// Whether objects can be written together: see ``convertTogether(_:)``. Objects that own
  /// embedded objects cannot, because an object may own one of the same class.
  var canConvertTogether: Bool {
    resolved.isInTransition && ownedLinks.isEmpty && !resolved.isEmbedded
  }

  /// Converts the objects of a group that have past shapes. Removes all objects of the group,
  /// except those that stay in their page, and then puts all of them again in order.
  ///
  /// - Throws: ``StoreError``, even if only one of the objects cannot be converted. The transaction
  ///   must not be committed then.
  /// - Returns: Whether a record has grown.
  func convertTogether(_ group: borrowing ObjectGroup) throws -> Bool {
    session.finishChange()
    let view = try session.requireWriting("convert objects")
    let cursor = try view.reading.cursor(objects)
    for id in group.ids.dropFirst(group.stayingCount) { try cursor.remove(id.rawValue) }
    session.didWrite()
    var hasGrown = false
    for (index, id) in group.ids.enumerated() {
      let record = group.record(index)
      guard resolved.isStale(record) else {
        // An object that is not converted causes no other changes.
        _ = try records.write(RecordChange(id, from: record, to: record), [], in: view)
        continue
      }
      let converted = try convertForWriting(record, id)
      if converted.record.count > record.count { hasGrown = true }
      try apply(
        RecordChange(id, from: record, to: converted.record, converted.pending.ifAny),
        isStored: false)
    }
    session.didWrite()
    return hasGrown
  }
}

extension PendingOverflow {
  /// Adds a copy of the pending overflow of a converted object.
  fileprivate func take(_ other: PendingOverflow) throws {
    for (property, content) in try other.copy().contents { self[property] = content }
  }
}
