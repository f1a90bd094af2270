internal import WhimbrelLMDB

extension Session {
  /// The observers of the store, which follow its changes.
  package var observers: StoreObservers {
    if let knownObservers { return knownObservers }
    let observers = StoreObservers(self)
    knownObservers = observers
    return observers
  }

  var hasObservers: Bool { knownObservers?.isEmpty == false }

  /// Whether the session shows a later commit than its observers have followed. It does so if its
  /// write in a group could not begin, until that group ends.
  var isAheadOfObservers: Bool {
    // A write may yet be rolled back, and while reading is paused, no commit is shown.
    guard !isWriting, currentView.transactionID != 0, let base = snapshots?.baseView else {
      return false
    }
    return base.transactionID != currentView.transactionID
  }

  /// Shows the commit that the observers have followed, as before the write that is over. Returns
  /// false if no observer keeps that commit.
  func showFollowedCommit() -> Bool {
    guard let view = snapshots?.showBase() else { return false }
    currentView = view
    return true
  }

  /// Returns the reason why the store cannot move on. If the app can no longer use the file, no
  /// change can be followed: the observers get this reason, and nothing else.
  func endingObservations(_ error: any Error) -> any Error {
    let reason = file.explain(error)
    let code = (reason as? StoreError)?.code
    if hasObservers, code == .schemaChangedElsewhere || code == .storeMoved {
      observers.end(with: reason)
    }
    return reason
  }

  /// Notifies observers of the changes since the last notification, if there are any observers. The
  /// session must show the last commit and must not be in a write.
  ///
  /// - Parameters:
  ///   - findings: The results of work that is already done for observers.
  ///   - skipped: The observers that are not notified of the changes of one commit.
  func followChanges(
    _ findings: ObserverFindings = ObserverFindings(), skipping skipped: [ObserverState] = []
  ) {
    let observers = hasObservers ? knownObservers : nil
    observers?.follow(since: snapshots?.baseView, findings, skipping: skipped)
    snapshots?.dropBase()
    observers?.deliver()
    readTracker?.didEndWrite()
  }
}

// MARK: - Following on another thread

extension Session {
  /// Begins a step to the last commit, for observers. Returns nil if no step is necessary: nothing
  /// is new, the commit concerns no observer and the session already shows it, or the session is
  /// closed, in a write or not observed.
  ///
  /// - Throws: ``StoreError``, as ``refresh()`` does.
  package func beginStep() throws -> CommitStep? {
    // The changes of the step are those since the commit that the session shows.
    if isAheadOfObservers { followChanges() }
    guard !isClosed, !isWriting, hasObservers, let snapshots else { return nil }
    // Reading is paused.
    if currentView.transactionID == 0 {
      _ = try refresh()
      return nil
    }
    return try file.explaining {
      let environment = try file.environment
      let facts = try environment.information()
      guard facts.lastTransaction != view.transactionID else { return nil }
      // A second snapshot cannot be taken.
      if facts.isOutgrown {
        _ = try refresh()
        return nil
      }
      let next: ReadTransaction
      do throws(LMDBError) {
        next = try ReadTransaction(environment)
      } catch {
        guard error.code == .readersFull else { throw error }
        _ = try refresh()
        return nil
      }
      guard try file.header(in: next.view) == loaded.header, tableEpoch == environment.tableEpoch
      else {
        _ = try refresh()
        return nil
      }
      if !observers.mayConcernAny(in: next.view, since: view) {
        try move(to: snapshots.show(next))
        return nil
      }
      let base = try file.sharedSnapshot(of: view.transactionID) { try shareSnapshot() }
      let step = CommitStep(
        from: base, to: try file.share(next), try observers.content(),
        snapshots.holder?.copy(as: .store))
      latestStep = step
      return step
    }
  }

  /// Returns the remaining work of a step. Returns nil if there is none, or if the session has
  /// moved on without the step.
  package func work(of step: CommitStep, after findings: ObserverFindings) -> ObserverWork? {
    guard canFinish(step) else { return nil }
    let work = observers.work(after: findings)
    return work.isEmpty ? nil : work
  }

  private func canFinish(_ step: CommitStep) -> Bool {
    !isClosed && !isWriting && hasObservers && currentView.transactionID == step.baseCommit
  }

  /// Moves to the commit of a step and notifies observers, unless the session has moved on.
  ///
  /// - Throws: ``StoreError``, as ``refresh()`` does.
  package func finish(_ step: CommitStep, _ findings: ObserverFindings) throws {
    guard canFinish(step), let snapshots, let next = step.next else { return }
    try file.explaining { try move(to: snapshots.show(next), findings) }
  }

  /// Shows a later snapshot and notifies observers.
  private func move(
    to view: ReadView, _ findings: ObserverFindings = ObserverFindings()
  ) throws {
    requireThread()
    epoch &+= 1
    let before = currentView.transactionID
    currentView = view
    compareWatchedClasses(sinceHeld: before)
    followChanges(findings)
    try throwDeferredError()
  }
}
