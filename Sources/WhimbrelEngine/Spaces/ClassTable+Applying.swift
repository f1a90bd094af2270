internal import WhimbrelLMDB

extension ClassTable {
  /// Applies a change of an object, and deletes the embedded objects that it no longer has.
  ///
  /// If bytes may have been read before, the caller invalidates them.
  ///
  /// - Parameters:
  ///   - isStored: Whether the old record is still in the table.
  ///   - defersUnique: Whether the object may have the unique values of another one until the write
  ///     ends.
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`, `duplicateValues` or
  ///   `embeddedHasOwner`; nothing is changed then.
  func apply(
    _ change: RecordChange, isStored: Bool = true, defersUnique: Bool = false
  ) throws {
    let view = try withSession { try $0.requireWriting("change an object") }
    let changes =
      try records.indexes.isEmpty
      ? [] : explaining(change.id) { try records.indexChanges(of: change, in: view) }
    if change.new != nil {
      if !ownedLinks.isEmpty { try requireNoOwners(changes) }
      if handles.hasUniqueIndex { try requireUnique(change, changes, view, defers: defersUnique) }
    }
    try explaining(change.id) {
      _ = try records.write(change, changes, in: view, epoch: isStored ? clock.value : nil)
    }
    if change.new != nil, change.old != nil { try removeChildren(changes) }
  }

  /// Adds an object. Its entries in indexes may be kept back: see ``PendingEntries``.
  ///
  /// - Throws: ``StoreError``, as ``apply(_:isStored:defersUnique:)`` does.
  func insert(_ change: RecordChange, in view: WriteView) throws {
    if records.indexes.isEmpty {
      try explaining(change.id) { _ = try records.write(change, [], in: view) }
      return
    }
    guard let pendingEntries, let new = change.new else { return try apply(change) }
    try explaining(change.id) {
      let changes = try records.indexChanges(of: change, in: view, omitting: pendingEntries.places)
      if handles.hasUniqueIndex { try requireUnique(change, changes, view) }
      try records.write(change, changes, in: view)
      if pendingEntries.isEmpty { session.didKeepEntries(in: self) }
      try pendingEntries.add(new, change.id, change.newOverflow(over: .none))
    }
  }

  /// Puts the entries that were kept back into the indexes.
  func putEntries(in view: WriteView) throws { try pendingEntries?.put(in: view) }
}
