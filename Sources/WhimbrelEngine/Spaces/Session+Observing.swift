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
  func followChanges() {
    let observers = hasObservers ? knownObservers : nil
    observers?.follow(since: snapshots?.baseView)
    snapshots?.dropBase()
    observers?.deliver()
    readTracker?.didEndWrite()
  }
}
