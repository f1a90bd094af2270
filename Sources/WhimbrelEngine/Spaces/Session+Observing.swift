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

  /// Returns why the store cannot move on. If the app cannot use the schema of the file any longer,
  /// no change can be followed: the observers are told of it, and of nothing else.
  func endingObservations(_ error: any Error) -> any Error {
    let reason = file.explain(error)
    let code = (reason as? StoreError)?.code
    if hasObservers, code == .schemaChangedElsewhere || code == .storeMoved {
      observers.end(with: reason)
    }
    return reason
  }

  /// Tells observers what has changed since they were told last, unless nobody observes. The session
  /// shows the last commit, and is not in a write.
  ///
  /// - Parameter findings: The results of their work that is done already.
  func followChanges(_ findings: ObserverFindings = ObserverFindings()) {
    let observers = hasObservers ? knownObservers : nil
    observers?.follow(since: snapshots?.baseView, findings)
    snapshots?.dropBase()
    observers?.deliver()
    readTracker?.didEndWrite()
  }
}

// MARK: - Following on another thread

extension Session {
  /// Begins a step to the last commit, for observers. Returns nil if there is none to make: nothing
  /// is new, it concerned nobody and the session shows it already, or the session is closed, in a
  /// write or not observed.
  ///
  /// - Throws: ``StoreError`` as ``refresh()``.
  package func beginStep() throws -> CommitStep? {
    guard !isClosed, !isWriting, hasObservers, let snapshots else { return nil }
    // Reading is paused.
    if currentView.transactionID == 0 {
      _ = try refresh()
      return nil
    }
    do {
      let environment = try file.environment
      guard try environment.information().lastTransaction != view.transactionID else { return nil }
      let next = try ReadTransaction(environment)
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
      return CommitStep(
        from: base, to: try file.share(next), try observers.content(),
        snapshots.holder?.copy(as: .store))
    } catch {
      throw file.explain(error)
    }
  }

  /// Returns the work of a step that is not yet done, or nil if there is none, or if the session has
  /// moved on without the step.
  package func work(of step: CommitStep, after findings: ObserverFindings) -> ObserverWork? {
    guard canFinish(step) else { return nil }
    let work = observers.work(after: findings)
    return work.isEmpty ? nil : work
  }

  private func canFinish(_ step: CommitStep) -> Bool {
    !isClosed && !isWriting && hasObservers && currentView.transactionID == step.base.commit
  }

  /// Moves to the commit of a step, and tells observers, unless the session has moved on.
  ///
  /// - Throws: ``StoreError`` as ``refresh()``.
  package func finish(_ step: CommitStep, _ findings: ObserverFindings) throws {
    guard canFinish(step), let snapshots else { return }
    do {
      try move(to: snapshots.show(step.next), findings)
    } catch {
      throw file.explain(error)
    }
  }

  /// Shows a later snapshot, and lets observers follow.
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
