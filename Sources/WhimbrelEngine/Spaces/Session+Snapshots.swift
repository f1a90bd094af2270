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
      try moveToLastCommit()
    } catch {
      throw endingObservations(error)
    }
    followChanges()
    try throwDeferredError()
    return view.transactionID != before
  }

  /// Throws if the app cannot follow the schema of the last commit. Call it before the snapshot is
  /// released, so that the snapshot stays as it is.
  func requireKnownSchema() throws {
    guard declaration != nil else { return }
    let environment = try file.environment
    let facts = try environment.information()
    guard facts.lastTransaction != view.transactionID else { return }
    if facts.isOutgrown { return try requireKnownSchemaWithoutSnapshot() }
    let latest: ReadTransaction
    do throws(LMDBError) {
      latest = try ReadTransaction(environment)
    } catch {
      if error.code == .readersFull { return try requireKnownSchemaWithoutSnapshot() }
      throw error
    }
    let header = try file.header(in: latest.view)
    if header != loaded.header { try requireUsable(file.catalog(in: latest.view)) }
    _ = consume latest
  }

  /// Throws if the app cannot follow the schema of the last commit. Reads it without a second
  /// snapshot, because all reader slots are in use or another process has enlarged the file.
  private func requireKnownSchemaWithoutSnapshot() throws {
    // If the catalog cannot be read, the next snapshot gives the error.
    if let catalog = try? file.catalogWithoutSnapshot(ifNot: loaded.header) {
      try requireUsable(catalog)
    }
  }

  /// Shows the last commit and its schema, which another process may have changed. If this throws,
  /// the session shows nothing, because its tables may not be those of the commit.
  private func moveToLastCommit() throws {
    do {
      try renewSnapshot()
      // A part of a group began with the newest catalog, and only its group can write until its end.
      if group == nil { try followCatalog() }
    } catch {
      pauseReading()
      throw error
    }
  }

  /// Moves to the last commit after a write. If this fails, the error is noted.
  ///
  /// - Returns: The noted error, or nil.
  @discardableResult
  func showLastCommit() -> (any Error)? {
    do {
      try moveToLastCommit()
      return nil
    } catch {
      let reason = file.explain(error)
      note(reason)
      return reason
    }
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

  /// Takes a snapshot, if the session has snapshots of its own.
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

  /// Returns the objects that the session shows, for other threads. The session shares its snapshot
  /// with them, and takes a new one with the next refresh or write: LMDB gives out snapshots of the
  /// newest commit only. Bytes that were read stay valid.
  package func frozen() throws -> FrozenSnapshot {
    try requireOpen()
    if isWriting || isOfMigration { throw StoreError.inWrite(verb: "freeze objects") }
    if let latestFrozen, latestFrozen.shows(view.transactionID, loaded) { return latestFrozen }
    return try file.explaining {
      let shared = try file.sharedSnapshot(of: view.transactionID) { try shareSnapshot() }
      let frozen = try FrozenSnapshot(
        shared, sharedContent(), snapshots?.holder?.copy(as: .frozen))
      latestFrozen = frozen
      return frozen
    }
  }

  /// Returns the content that sessions of other threads share with this one.
  func sharedContent() throws -> FrozenSnapshot.Content {
    let handles = try file.environment.openTables(loaded.catalog.tableNames)
    return try FrozenSnapshot.Content(of: self, declaration, handles: handles)
  }

  func shareSnapshot() throws -> SharedSnapshot {
    guard let snapshots else { throw LMDBError(code: .closed, function: "mdb_txn_begin") }
    do {
      let (shared, view) = try snapshots.share()
      currentView = view
      return shared
    } catch {
      // The session may not show anything now. The next refresh shows the last commit.
      epoch &+= 1
      currentView = snapshots.view
      throw error
    }
  }

  /// Releases the snapshot until the next refresh. Until then, no pages are pinned and nothing can
  /// be read.
  package func pauseReading() {
    requireThread()
    guard !isClosed, !isWriting else { return }
    epoch &+= 1
    conversions?.endBlocks()
    snapshots?.pause()
    currentView = .closed
  }

  /// Releases the snapshot. Nothing can be read any more.
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
  /// Inside a write, this does nothing. A caller that lets apps close the store must tell them so.
  package func close() {
    guard !isWriting else { return }
    leaveQueue()
    endReading()
    latestStep?.end()
    if !isForReading { file.close() }
  }

  package func requireOpen() throws {
    requireThread()
    if isClosed { throw closedError }
  }

  /// Notes a deferred error. The next call that can throw rethrows it.
  package func note(_ error: any Error) {
    if let side {
      side.host.note(error)
    } else if deferredError == nil {
      deferredError = file.explain(error)
    }
  }

  /// Runs `body`, and throws an error that is noted meanwhile. In a write, the error stays noted:
  /// the write is incomplete, and fails.
  package func throwingDeferred<Result>(_ body: () throws -> Result) throws -> Result {
    let before: (any Error)? = side?.host.problem ?? deferredError
    let result = try body()
    if before == nil, let problem = side?.host.problem ?? deferredError {
      if !isWriting { deferredError = nil }
      throw problem
    }
    return result
  }

  /// Returns the deferred error, and forgets it.
  package func takeDeferredError() -> (any Error)? { deferredError.take() }

  func throwDeferredError() throws {
    guard let error = deferredError else { return }
    deferredError = nil
    throw error
  }
}
