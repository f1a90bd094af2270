internal import Foundation
internal import WhimbrelLMDB

/// The end of a migration.
extension Migrator {
  /// Brings every class to its new shape, as far as the block has not, and checks
  /// what must hold.
  func complete() throws {
    try requireFinishedRenames()
    for entry in classes { entry.endLookups() }
    for entry in classes { try entry.requireFinishedRename() }
    for entry in classes { try entry.requireOwners() }
    // What is deleted needs no values: where that may be, they are looked for after it.
    let deletesFirst = mayDeleteObjectsWithoutValues
    if !deletesFirst { try requireValues { try $0.valuesWithoutCode() } }
    for entry in classes { try entry.complete() }
    for entry in classes { try entry.removeDanglingLinks() }
    try requireNoReferencesToEmbedded()
    if try settleEmbedded() {
      for entry in classes { try entry.removeDanglingOpenLinks() }
    }
    try requireValues { entry in
      try (deletesFirst ? entry.valuesWithoutCode() : []) + entry.unassignedValues()
    }
    for entry in classes { try entry.buildIndexes() }
    try commitBatch()
  }

  /// Makes the new schema that of the file, in one transaction.
  func flip() throws {
    try report(.finishing, nil, 0, of: 1, isForced: true)
    var catalog = Catalog()
    let dropped = Set(classes.filter(\.isDropped).map(\.name))
    catalog.classes = classes.filter { !$0.isDropped }.map { $0.finalEntry(without: dropped) }
    catalog.nextClassID = ClassID(
      rawValue: max(
        loaded.catalog.nextClassID.rawValue, (classes.map(\.draft.id.rawValue).max() ?? 0) + 1))
    catalog.history = loaded.catalog.history
    if oldVersion != newVersion {
      let duration = request.identity.date == nil ? ContinuousClock.now - start : .zero
      catalog.history.append(
        MigrationHistoryEntry(
          from: oldVersion, to: newVersion, date: request.identity.now,
          library: Header.libraryVersion, duration: duration / .seconds(1),
          objects: objectsRewritten, changes: changeSentences, marks: reported.marks,
          remainingSteps: request.remainingSteps))
    }
    var header = loaded.header
    header.schemaVersion = newVersion
    header.fingerprint = declaration.fingerprint
    header.catalogRevision &+= 1
    header.lastWriter = Header.writerName
    header.setFormat(for: catalog)
    let (json, newHeader) = (try catalog.json(), header)
    let old = Set(loaded.catalog.classes.flatMap(\.tableNames))
    let dropsTables =
      !request.keepsPreviousGeneration
      && !old.subtracting(catalog.classes.flatMap(\.tableNames)).isEmpty

    let new = catalog.classes.filter { entry in
      !loaded.catalog.classes.contains { $0.id == entry.id }
    }
    _ = try file.environment.createTables(new.flatMap(\.tableNames))
    var written = newHeader
    let leavesTables = try file.environment.write { view throws(LMDBError) in
      let hadPrevious = try self.keepPreviousGeneration(in: view)
      written = try view.put(catalog: json, newHeader)
      for entry in self.classes { try entry.putNextObjectID(in: view) }
      let leavesTables = self.hasStrayTables || dropsTables || hadPrevious
      if leavesTables {
        try MigrationMark.set(in: view, isCleaning: true)
      } else if self.isMarked {
        try MigrationMark.remove(in: view)
      }
      return leavesTables
    }
    for entry in classes { entry.forgetCursors() }
    snapshot.reset()
    file.adopt(catalog, written)
    // The migration is done; what remains is space, which the next open can free.
    if leavesTables { try? file.removeLeftovers() }
    try? report(.finishing, nil, 1, of: 1, isForced: true)
  }
}

extension Catalog {
  /// The new names by those in the file, of the classes that a schema says were renamed.
  func classRenames(to schema: StoreSchema) -> [String: String] {
    schema.classRenames(from: Set(classes.map(\.name)))
  }

  /// What becomes of each class under a schema: those of the file first, then the
  /// new ones.
  func drafts(for schema: StoreSchema) -> [ClassDraft] {
    let newNames = classRenames(to: schema)
    var drafts = classes.map { entry in
      ClassDraft(
        old: newNames.isEmpty ? entry : entry.renamingLinks(newNames),
        declared: schema[newNames[entry.name] ?? entry.name], id: entry.id)
    }
    let taken = Set(newNames.values)
    var next = nextClassID.rawValue
    for declared in schema.classes
    where self[declared.name] == nil && !taken.contains(declared.name) {
      drafts.append(ClassDraft(old: nil, declared: declared, id: ClassID(rawValue: next)))
      next += 1
    }
    return drafts
  }
}
