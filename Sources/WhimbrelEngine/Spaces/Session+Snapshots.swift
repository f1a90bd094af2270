internal import WhimbrelLMDB

extension Session {
  /// Moves to the last commit, and returns whether anything was committed since.
  package func refresh() throws -> Bool {
    try requireOpen()
    guard !isWriting else { return false }
    let before = view.transactionID
    do {
      claim()
      defer { release() }
      try requireKnownSchema()
      try renewSnapshot()
      try followCatalog()
    } catch {
      throw endingObservations(error)
    }
    followChanges()
    try throwDeferredError()
    return view.transactionID != before
  }

  /// Throws if the schema of the last commit is not one that can be followed:
  /// before the snapshot is given up, which then stays as it is.
  func requireKnownSchema() throws {
    guard declaration != nil,
      try file.environment.information().lastTransaction != view.transactionID
    else { return }
    let latest = try ReadTransaction(file.environment)
    let header = try file.header(in: latest.view)
    if header != loaded.header { try requireUsable(file.catalog(in: latest.view)) }
    _ = consume latest
  }

  func renewSnapshot() throws {
    epoch &+= 1
    do {
      try takeSnapshot()
    } catch {
      // The view may be that of a write that is over. LMDB: after a commit that failed half way it
      // gives no snapshots.
      currentView = .closed
      throw error
    }
  }

  /// Takes a snapshot, if the session has any.
  func takeSnapshot() throws {
    guard let snapshots else { return }
    if watchedClasses.isEmpty {
      currentView = try snapshots.take(keepingBase: hasObservers)
      return
    }
    currentView = try snapshots.take(keepingBase: true)
    compareWatchedClasses(sinceHeld: snapshots.baseView?.transactionID)
    if !hasObservers { snapshots.dropBase() }
  }

  /// Returns the objects that the session shows, for other threads. Its snapshot is shared with
  /// them, and it takes one of its own with the next refresh or write: LMDB gives out snapshots of
  /// the newest commit only. What was read stays valid.
  package func frozen() throws -> FrozenSnapshot {
    try requireOpen()
    if isWriting || isOfMigration { throw StoreError.inWrite(verb: "freeze objects") }
    if let latestFrozen, latestFrozen.shows(view.transactionID, loaded) { return latestFrozen }
    do {
      let shared = try file.sharedSnapshot(of: view.transactionID) { try shareSnapshot() }
      let frozen = try FrozenSnapshot(
        shared, sharedContent(), snapshots?.holder?.copy(as: .frozen))
      latestFrozen = frozen
      return frozen
    } catch {
      throw file.explain(error)
    }
  }

  /// Returns what sessions of other threads share with this one.
  func sharedContent() throws -> FrozenSnapshot.Content {
    let handles = try file.environment.openTables(loaded.catalog.classes.flatMap(\.tableNames))
    return try FrozenSnapshot.Content(of: self, declaration, handles: handles)
  }

  func shareSnapshot() throws -> SharedSnapshot {
    guard let snapshots else { throw LMDBError(code: .closed, function: "mdb_txn_begin") }
    do {
      let (shared, view) = try snapshots.share()
      currentView = view
      return shared
    } catch {
      // The session may show nothing any more. The next refresh shows the last commit.
      epoch &+= 1
      currentView = snapshots.view
      throw error
    }
  }

  /// Releases the snapshot until the next refresh. Nothing is pinned, and nothing can be read.
  package func pauseReading() {
    requireThread()
    guard !isClosed, !isWriting else { return }
    epoch &+= 1
    conversions?.endBlocks()
    snapshots?.pause()
    currentView = .closed
  }

  /// Releases the snapshot: nothing can be read any more.
  package func endReading() {
    requireThread()
    guard !isClosed, !isWriting else { return }
    epoch &+= 1
    isClosed = true
    conversions?.endBlocks()
    snapshots?.end()
    currentView = .closed
    deferredError = nil
    knownObservers?.end(with: closedError)
  }

  /// Releases the file. Objects read before can no longer be used.
  ///
  /// Inside of a write nothing happens: who lets apps close says that to them.
  package func close() {
    guard !isWriting else { return }
    leaveQueue()
    endReading()
    if !isForReading { file.close() }
  }

  package func requireOpen() throws {
    requireThread()
    if isClosed { throw closedError }
  }

  /// Keeps an error in mind, for the next call that can throw.
  package func note(_ error: any Error) {
    if let side {
      side.host.note(error)
    } else if deferredError == nil {
      deferredError = file.explain(error)
    }
  }

  /// Runs `body`, and throws too what is noted meanwhile. It stays noted: a write that
  /// this belongs to is not whole, and fails.
  package func throwingDeferred<Result>(_ body: () throws -> Result) throws -> Result {
    let before: (any Error)? = side?.host.problem ?? deferredError
    let result = try body()
    if before == nil, let problem = side?.host.problem ?? deferredError { throw problem }
    return result
  }

  /// Returns the error that was noted, and forgets it.
  package func takeDeferredError() -> (any Error)? { deferredError.take() }

  func throwDeferredError() throws {
    guard let error = deferredError else { return }
    deferredError = nil
    throw error
  }
}
