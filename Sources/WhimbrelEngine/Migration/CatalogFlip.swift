internal import Foundation
internal import WhimbrelLMDB

/// The last step of a migration. It derives the new catalog from the old one and from the outcomes
/// for the classes, and writes it in one transaction.
struct CatalogFlip {
  /// The outcome of a migration for a class.
  struct ClassResult {
    /// The class in the new catalog, or nil if it is dropped.
    let entry: CatalogClass?
    let id: ClassID
    let name: String
    /// The next object ID to store, or nil if the stored one stays.
    let nextObjectID: UInt64?
  }

  let catalog: Catalog
  let header: Header
  private let task: MigrationTask
  private let classes: [ClassResult]

  init(
    _ task: MigrationTask, _ classes: [ClassResult], changes: [String],
    marks: [MigrationHistoryEntry.Mark], objects: Int
  ) {
    self.task = task
    self.classes = classes
    let old = task.loaded
    let dropped = Set(classes.lazy.filter { $0.entry == nil }.map(\.name))
    var catalog = Catalog()
    catalog.classes = classes.compactMap { $0.entry?.withoutLinks(to: dropped) }
    let largestID = classes.map(\.id.rawValue).max() ?? 0
    catalog.nextClassID = ClassID(rawValue: max(old.catalog.nextClassID.rawValue, largestID + 1))
    catalog.history = old.catalog.history
    if task.oldVersion != task.newVersion {
      let date = task.request.identity.date
      let duration = date == nil ? ContinuousClock.now - task.start : .zero
      catalog.history.append(
        MigrationHistoryEntry(
          from: task.oldVersion, to: task.newVersion, date: task.request.identity.now,
          library: Header.libraryVersion, duration: duration / .seconds(1), objects: objects,
          changes: changes, marks: marks, remainingSteps: task.request.migration.remainingSteps))
    }
    self.catalog = catalog
    var header = old.header
    header.schemaVersion = task.newVersion
    header.fingerprint = task.declaration.fingerprint
    header.revise(for: catalog)
    self.header = header
  }
}

extension CatalogFlip {
  /// Writes the new catalog.
  ///
  /// - Parameters:
  ///   - inherited: What is kept of the steps before this one, or nil.
  ///   - isMarked: Whether the file has the mark of the migration.
  ///   - hasStrayTables: Whether there may be tables that no catalog names.
  ///   - transition: The state of a transition that begins or goes on, or nil.
  /// - Returns: The header that was written, and whether tables are to be removed.
  func commit(
    _ inherited: PreviousGeneration?, isMarked: Bool, hasStrayTables: Bool,
    transition: TransitionState? = nil
  ) throws -> (header: Header, leavesTables: Bool) {
    let (json, environment) = (try catalog.json(), try task.file.environment)
    let old = task.loaded.catalog.classes
    let known = Set(old.flatMap(\.tableNames))
    let dropsTables =
      !task.request.migration.keepsPreviousGeneration
      && !known.isSubset(of: catalog.tableNames)
    let new = catalog.classes.filter { entry in
      entry.transition != nil || !known.isSuperset(of: entry.tableNames)
    }
    // A crash before the flip would leave the tables. The mark tells the next open to remove them.
    var marksTables = false
    let tables = try environment.createTables(new.flatMap(\.tableNames)) {
      view throws(LMDBError) in
      marksTables = try view.reading.value(.main, MainKey.migration) == nil
      if marksTables { try MigrationMark.set(in: view, isCleaning: true) }
    }
    // An index that is being built lacks the objects that are not yet converted. If a class gets
    // another past shape, those are all of its objects. The table may have entries of objects that
    // an earlier transition has converted, or be kept to undo the removal of the index.
    let reshaped = new.filter { entry in
      entry.transition?.shapes != old.first { $0.id == entry.id }?.transition?.shapes
    }
    let building = reshaped.flatMap(\.buildingTableNames).compactMap { tables[$0.name] }
    let state = try transition?.json()
    var written = header
    let leavesTables = try environment.write { view throws(LMDBError) in
      let hadPrevious = try PreviousGeneration.keep(task, inherited, in: view)
      written = try view.put(catalog: json, header)
      for entry in classes { try entry.putNextObjectID(in: view) }
      for table in building { try view.empty(table) }
      if let state {
        try view.put(.main, MainKey.transition, state)
      } else if !catalog.isInTransition {
        try view.remove(.main, MainKey.transition)
      }
      let leavesTables = hasStrayTables || dropsTables || hadPrevious
      if leavesTables {
        try MigrationMark.set(in: view, isCleaning: true)
      } else if isMarked || marksTables {
        try MigrationMark.remove(in: view)
      }
      return leavesTables
    }
    return (written, leavesTables)
  }
}

extension CatalogFlip.ClassResult {
  fileprivate func putNextObjectID(in view: WriteView) throws(LMDBError) {
    if entry == nil {
      try view.remove(.main, MainKey.nextObjectID(id))
    } else if let nextObjectID {
      try view.putNextObjectID(nextObjectID, of: id)
    }
  }
}

extension CatalogClass {
  /// Returns the class without properties that link to some others, which are gone.
  fileprivate func withoutLinks(to names: Set<String>) -> CatalogClass {
    if names.isEmpty { return self }
    var result = self
    result.properties.removeAll { names.contains($0.type.linkedClass ?? "") }
    let left = Set(result.properties.map(\.id))
    result.indexes.removeAll { !left.isSuperset(of: $0.properties) }
    return result
  }
}
