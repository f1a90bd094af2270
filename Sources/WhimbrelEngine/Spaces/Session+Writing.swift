package import WhimbrelLMDB

extension Session {
  /// Runs `body` in the write transaction of the file. Commits it, or rolls it back if `body`
  /// throws.
  ///
  /// - Parameter skipped: The observers that are not notified of the write.
  package func write<Result>(
    skipping skipped: [ObserverState] = [], _ body: () throws -> Result
  ) throws -> Result {
    try begin()
    do {
      let result = try body()
      try commit(skipping: skipped)
      return result
    } catch {
      throw rollBack(error)
    }
  }

  /// Begins a write that lasts until ``commitWrite()`` or ``cancelWrite()``, on this thread.
  package func beginWrite() throws {
    try begin()
    openWrite?.isManual = true
  }

  /// Commits the write that ``beginWrite()`` has begun. The write is over even if the commit fails.
  package func commitWrite() throws {
    try requireManualWrite("commit the write")
    do { try commit() } catch { throw rollBack(error) }
  }

  /// Undoes what was written since ``beginWrite()``.
  package func cancelWrite() throws {
    try requireManualWrite("cancel the write")
    forgetErrorOfWrite()
    try file.explaining { try end(committing: false) }
  }

  /// Cancels the write that ``beginWrite()`` has begun, if there is one, because its store is
  /// released.
  package func cancelAbandonedWrite() {
    guard openWrite?.isManual == true else { return }
    do {
      try cancelWrite()
    } catch {
      // LMDB: the writers' lock belongs to a thread; all other writers would wait for ever.
      stopProgram("\(error)")
    }
  }

  private func requireManualWrite(_ verb: String) throws {
    if openWrite?.isOfOtherThread == true {
      throw StoreError.writeOfOtherThread(verb: verb)
    }
    try requireOpen()
    guard isWriting else { throw StoreError.noWriteToEnd(verb: verb) }
    guard openWrite?.isManual == true else { throw StoreError.endsWithItsClosure(verb: verb) }
  }

  private func commit(skipping skipped: [ObserverState] = []) throws {
    settle()
    try throwDeferredError()
    for table in classes { try table.willCommit() }
    try putTransitionNotes()
    try end(committing: true, skipping: skipped)
  }

  /// Throws if two objects have the same unique values. The end of the write checks the same.
  ///
  /// - Throws: ``StoreError`` with `duplicateValues`.
  package func requireUniqueValues() throws {
    settle()
    for table in classes { try table.requireUniqueContested() }
  }

  /// Undoes a failed write, if it is not over, and returns the reason for the failure.
  private func rollBack(_ error: any Error) -> any Error {
    let reason = file.explain(error)
    if isWriting {
      forgetErrorOfWrite()
      do { try end(committing: false) } catch { note(error) }
    }
    // A group has to end first.
    if group == nil { growIfFull(reason, patience: .seconds(5)) }
    return reason
  }

  /// Forgets the deferred error of a write that is undone. An error from before the write is kept.
  private func forgetErrorOfWrite() {
    if openWrite?.hadDeferredError != true { deferredError = nil }
  }

  /// The number of times that a write lets others write first, so that observers are notified of
  /// their commits before its own.
  private static let attemptsToFollow = 8

  /// Returns whether others have committed since the commit that the observers have followed.
  private func hasUnfollowedCommits(before transactionID: Int) -> Bool {
    guard hasObservers, let known = snapshots?.baseView?.transactionID else { return false }
    return transactionID != known + 1
  }

  /// The space to reserve before a write, in bytes.
  static let reserve = 64 << 20

  /// Throws if no write can begin. Call it again after observers were notified: they may have closed
  /// the store, or have begun a write that they have not ended.
  private func requireReadyToWrite() throws {
    try requireOpen()
    if isWriting { throw StoreError.nestedWrite() }
    if file.isReadOnly { throw StoreError.readOnlyStore(verb: "write") }
    if isForReading { throw StoreError.writeInValues() }
  }

  private func begin() throws {
    try requireReadyToWrite()
    // Observers may write, and would wait for the group that this write belongs to.
    if group == nil, let knownObservers {
      knownObservers.deliver()
      try requireReadyToWrite()
    }
    do { try requireKnownSchema() } catch { throw endingObservations(error) }
    claim()
    let beganAtFollowedCommit = !isAheadOfObservers
    do {
      try file.requireSoundPagesBeforeWriting()
      // Held until the write has begun: if the app cannot follow a schema, the session shows it again.
      snapshots?.letGo(keepingBase: true)
      epoch &+= 1
      let environment = try file.environment
      if group == nil {
        if try environment.isShort(of: Self.reserve) { snapshots?.dropBase() }
        try environment.ensureRoom(Self.reserve)
      }
      try file.checkSnapshots()
      var attempts = group == nil ? Self.attemptsToFollow : 0
      var patience = MigrationPatience()
      while true {
        let transaction =
          try group?.nested() ?? WriteTransaction(environment) { snapshots?.dropBase() }
        currentView = transaction.view.reading
        let header = try file.header(in: view)
        let refusal = try group == nil ? MigrationMark.refusal(in: view, of: file) : nil
        if hasUnfollowedCommits(before: view.transactionID), attempts > 0 {
          attempts -= 1
        } else if header == loaded.header, tableEpoch == environment.tableEpoch, refusal == nil {
          openWrite = SessionWrite(
            transaction, hadDeferredError: deferredError != nil,
            beganAtFollowedCommit: beganAtFollowedCommit)
          break
        }
        // Tables are never opened inside a write: see Environment.
        transaction.abort()
        try renewSnapshot()
        try followCatalog()
        // The tables are now those of the new snapshot, which becomes the next base.
        if !hasObservers { snapshots?.dropBase() }
        if group != nil { throw WriteGroup.Outdated() }
        if hasObservers {
          // Observers may write.
          release()
          followChanges()
          try requireReadyToWrite()
          claim()
        }
        snapshots?.letGo(keepingBase: true)
        if let refusal { try patience.wait(for: file, or: refusal) }
      }
      if !hasObservers { snapshots?.dropBase() }
      watchedWriteDidBegin()
      isWriting = true
      for table in classes { table.didBeginWriting() }
    } catch {
      // An observer has closed the store, or has begun a write of its own.
      if isClosed || isWriting { throw error }
      let reason = file.explain(error)
      let isUnknownSchema = (reason as? StoreError)?.code == .schemaChangedElsewhere
      if !isUnknownSchema || !showFollowedCommit() { showLastCommit() }
      if !hasObservers { snapshots?.dropBase() }
      release()
      if group == nil {
        _ = endingObservations(reason)
        if currentView.transactionID != 0 || !hasObservers { followChanges() }
      }
      throw reason
    }
  }

  /// Writes the notes about converted objects to the file.
  private func putTransitionNotes() throws {
    guard let view = openWrite?.view else { return }
    let notes = takeTransitionNotes()
    guard notes.count > 0, var state = try TransitionState(in: view.reading) else { return }
    state.add(notes)
    try state.put(in: view)
  }

  /// Returns the notes about objects that the write has converted, and forgets them.
  func takeTransitionNotes() -> TransitionNotes {
    let notes = openWrite?.transitionNotes ?? TransitionNotes()
    openWrite?.transitionNotes = TransitionNotes()
    return notes
  }

  private func end(committing commits: Bool, skipping skipped: [ObserverState] = []) throws {
    requireThread()
    unwritten = UnwrittenChanges()
    for table in classes { table.willEndWriting() }
    isWriting = false
    epoch &+= 1
    let staysWithObservers = group != nil && openWrite?.beganAtFollowedCommit == true
    var failure: (any Error)?
    // LMDB: a write that has changed nothing leaves its number to the next one, perhaps of others.
    let commit = openWrite?.hasWritten == true ? currentView.transactionID : nil
    do {
      if let write = openWrite.take() {
        if commits { try write.transaction.commit() } else { write.transaction.abort() }
      }
    } catch {
      failure = error
    }
    let isCommitted = commits && failure == nil && group == nil
    watchedWriteDidEnd(committing: isCommitted, commit)
    // The write is over either way; what is committed is committed.
    let obstacle = staysWithObservers && showFollowedCommit() ? nil : showLastCommit()
    release()
    if group == nil, let obstacle { _ = endingObservations(obstacle) }
    // Observers are notified of the commit of a group when the group has ended.
    if group == nil { followChanges(skipping: failure == nil ? skipped : []) }
    if let failure { throw failure }
  }

  /// Enlarges the map after a write that did not fit, so that the next one does.
  func growIfFull(_ error: any Error, patience: Duration) {
    guard (error as? StoreError)?.code == .mapFull else { return }
    snapshots?.letGo(keepingBase: false)
    snapshots?.dropBase()
    do {
      let environment = try file.environment
      try environment.grow(to: environment.information().mapSize * 2, patience: patience)
    } catch {
      // The next write reports the error again.
    }
    showLastCommit()
  }

  /// Returns the view for writing. Changes and index entries that were kept back are written first.
  package func requireWriting(_ verb: String) throws -> WriteView {
    let view = try requireAdding(verb)
    settle()
    return view
  }

  /// Returns the view for adding an object. Indexes may lack the entries of objects added before.
  package func requireAdding(_ verb: String) throws -> WriteView {
    requireThread()
    guard let view = openWrite?.view else {
      try requireOpen()
      if let side, side.isNew { return try side.host.writeView() }
      throw StoreError.notInWrite(verb: verb)
    }
    finishChange()
    return view
  }

  /// Notes that an object of a table has changes that are not yet written.
  func didChange(in table: ClassTable) {
    unsafe unwritten.unsafeTable = .passUnretained(table)
    didWrite()
  }

  /// Notes that a table has entries of new objects that are not yet in indexes.
  func didKeepEntries(in table: ClassTable) {
    unwritten.tablesWithEntries.append(table)
  }

  /// Writes what is not yet written: the changes of an object, and entries of indexes. If this
  /// fails, the write that they belong to fails, too.
  func settle() {
    finishChange()
    guard !unwritten.tablesWithEntries.isEmpty, let view = openWrite?.view else { return }
    let tables = unwritten.tablesWithEntries
    unwritten.tablesWithEntries.removeAll(keepingCapacity: true)
    do {
      for table in tables { try table.putEntries(in: view) }
    } catch {
      note(error)
    }
    didWrite()
  }

  /// Writes the changes of an object that are not yet written. If this fails, the write that they
  /// belong to fails, too.
  package func finishChange() {
    guard let table = unsafe unwritten.unsafeTable else { return }
    unsafe unwritten.unsafeTable = nil
    do {
      try unsafe table._withUnsafeGuaranteedRef { try $0.finishChange() }
    } catch {
      note(error)
    }
  }

  /// Invalidates the bytes that were read before.
  func didWrite() { epoch &+= 1 }
}
