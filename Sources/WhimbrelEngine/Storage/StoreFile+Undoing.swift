internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Returns whether the last migration can be undone now.
  package func canUndoMigration() throws -> Bool {
    try explaining {
      try environment.read { view throws(LMDBError) in
        try PreviousGeneration(in: view)?.transaction == view.transactionID
      }
    }
  }

  /// Restores the state before the last migration, in one transaction.
  ///
  /// - Parameter didUndo: A closure to call after the commit. If snapshots are still held then, the
  ///   tables of the new schema stay until the next opening.
  /// - Throws: ``StoreError`` with `undoNotPossible`.
  package func undoMigration(_ didUndo: () -> Void = {}) throws {
    if isReadOnly { throw StoreError.readOnlyStore(verb: "undo the migration") }
    try asMigrator(for: OpenRequest(path: path)) {
      try explaining {
        try requireSoundPagesBeforeAnyWrite()
        try undo()
      }
      didUndo()
      try? removeLeftovers()
    }
  }

  private func undo() throws {
    let old = try environment.read { view throws(LMDBError) in try PreviousGeneration(in: view) }
    let names = try old?.tableNames() ?? []
    let tables = try environment.openTables(names)
    try environment.ensureRoom(1 << 20)
    let transaction = try WriteTransaction(environment)
    let view = transaction.view
    let current = try header(in: view.reading)
    let last = view.reading.transactionID - 1
    guard let kept = try PreviousGeneration(in: view.reading), kept.transaction <= last,
      tables.count == Set(names).count
    else {
      throw StoreError.undoNotPossible(
        path: path, problem: .nothingKept, to: current.schemaVersion)
    }
    guard kept.transaction == last else {
      throw StoreError.undoNotPossible(
        path: path, problem: .writtenSince(commits: last - kept.transaction),
        from: kept.header.schemaVersion, to: current.schemaVersion)
    }
    var header = kept.header
    // A new revision, so that nobody mistakes this catalog for one that was read before.
    header.catalogRevision = current.catalogRevision
    let new = try catalog(in: view.reading).catalog
    let restored = try Catalog(json: Data(kept.catalog)).notReusingNumbers(of: new)
    // An earlier library would not maintain what the later format added.
    header.revise(for: restored)
    let json = try restored.json()
    for entry in new.classes { try view.remove(.main, MainKey.nextObjectID(entry.id)) }
    for (id, next) in kept.nextObjectIDs where next > 0 {
      try view.putNextObjectID(next, of: id)
    }
    try view.put(catalog: json, header)
    try PreviousGeneration.remove(in: view)
    try MigrationMark.set(in: view, isCleaning: true)
    try transaction.commit()
  }

  /// Removes the kept previous generation, if there is one.
  package func discardPreviousGeneration() throws {
    if isReadOnly { throw StoreError.readOnlyStore(verb: "discard the previous generation") }
    try asMigrator(for: OpenRequest(path: path)) {
      try explaining {
        try requireSoundPagesBeforeAnyWrite()
        try dropGeneration { view throws(LMDBError) in
          try view.value(.main, MainKey.previous) != nil
        }
        try removeLeftovers()
      }
    }
  }

  /// Drops the kept previous generation if the migration can no longer be undone. The caller holds
  /// the migration lock.
  func dropUselessGeneration() throws {
    try dropGeneration { view throws(LMDBError) in try PreviousGeneration.isUseless(in: view) }
  }

  private func dropGeneration(
    if isToGo: (ReadView) throws(LMDBError) -> Bool
  ) throws(LMDBError) {
    guard try environment.read({ view throws(LMDBError) in try isToGo(view) }) else { return }
    try environment.write { view throws(LMDBError) in
      try PreviousGeneration.remove(in: view)
      try MigrationMark.set(in: view, isCleaning: true)
    }
  }

  /// Frees the space of a kept previous generation that can no longer be restored, unless a
  /// migration is running.
  func removeUselessGeneration() throws {
    try removeLeftovers { view throws(LMDBError) in try PreviousGeneration.isUseless(in: view) }
  }
}

extension Catalog {
  /// Returns the catalog with the next free numbers raised above those of another catalog.
  ///
  /// Another process may still hold the handle of a dropped table. LMDB would return that handle
  /// for a new table of the same name, and the process would not find the new table.
  fileprivate func notReusingNumbers(of other: Catalog) -> Catalog {
    var catalog = self
    catalog.nextClassID = ClassID(
      rawValue: max(nextClassID.rawValue, other.nextClassID.rawValue))
    for (index, entry) in classes.enumerated() {
      guard let found = other[entry.id] else { continue }
      catalog.classes[index].nextGeneration = Generation(
        rawValue: max(entry.nextGeneration.rawValue, found.nextGeneration.rawValue))
      catalog.classes[index].nextPropertyID = PropertyID(
        rawValue: max(entry.nextPropertyID.rawValue, found.nextPropertyID.rawValue))
      catalog.classes[index].nextIndexID = IndexID(
        rawValue: max(entry.nextIndexID.rawValue, found.nextIndexID.rawValue))
    }
    return catalog
  }
}
