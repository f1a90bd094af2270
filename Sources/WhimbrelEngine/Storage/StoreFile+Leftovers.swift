internal import WhimbrelLMDB

extension StoreFile {
  /// Removes the migration mark, and the tables that neither the catalog nor a kept previous
  /// generation names. The caller holds the migration lock.
  func removeLeftovers() throws {
    try dropUselessGeneration()
    let isMarked = try environment.read { view throws(LMDBError) in
      try view.value(.main, MainKey.migration) != nil
    }
    guard isMarked else { return }
    do {
      try requireSoundPagesBeforeAnyWrite()
    } catch let error as StoreError where error.code == .damaged || error.code == .truncated {
      // They stay. No write begins in such a file, and what is sound can be read.
      return
    }
    let transaction = try ReadTransaction(environment)
    let catalog = try catalog(in: transaction.view).catalog
    let previous = try PreviousGeneration(in: transaction.view)
    _ = consume transaction
    let kept = try previous.map { try $0.tableNames() } ?? []
    let known = Set((catalog.tableNames + kept).map(\.name))
    let leftovers = try environment.tableNames().filter { !known.contains($0) }
    let isGone = try environment.dropTables(leftovers.map(TableNames.leftover)) {
      view throws(LMDBError) in
      try PreviousGeneration.carry(in: view)
    }
    try environment.write { view throws(LMDBError) in
      try PreviousGeneration.carry(in: view)
      if isGone {
        try MigrationMark.remove(in: view)
      } else {
        try MigrationMark.set(in: view, isCleaning: true)
      }
    }
  }

  /// Removes the same if a snapshot shows that there may be any, unless a migration is running.
  func removeLeftovers(if mayExist: (ReadView) throws(LMDBError) -> Bool) throws {
    guard !isReadOnly else { return }
    try explaining {
      guard try environment.read({ view throws(LMDBError) in try mayExist(view) }),
        let lock = try MigrationLock(path: path)
      else { return }
      try lock.whileHeld {
        // The process that had the lock may have been killed in its last commit.
        try environment.adoptLastCommit()
        try removeLeftovers()
      }
    }
  }
}
