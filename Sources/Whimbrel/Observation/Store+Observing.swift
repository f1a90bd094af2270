internal import WhimbrelEngine
internal import WhimbrelLMDB

extension Store {
  /// Calls a closure with the store, and again with each change of its objects, until the token is
  /// invalidated or released.
  ///
  /// ```swift
  /// let token = store.observe { change in
  ///   if case .update(_, let update) = change { print(update.modifications(of: Zone.self)) }
  /// }
  /// ```
  ///
  /// When the closure is called, and by whom, is as with ``QueryableObjects/observe(isolation:_:)``.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller, which calls the closure. Leave it out.
  ///   - body: The closure.
  /// - Returns: A token. The closure is not called any more when it is released.
  /// - Complexity: O(*k* log *n*) for *k* changed objects.
  public func observe(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (StoreChange) -> Void
  ) -> ObservationToken {
    weak let weakSession = session
    let observer = ContentObserver { news in
      if case .failure(let error) = news { return body(.error(error)) }
      guard let store = weakSession.flatMap(Store.showing) else { return }
      if case .change(let change) = news {
        body(.update(store, StoreUpdate(change: change)))
      } else {
        body(.initial(store))
      }
    }
    return session.observe(observer, isolation: isolation)
  }

  /// Runs a closure in a write whose changes are not told to some observers.
  ///
  /// Use it for a change that the user interface has already shown. The observers are told of
  /// everything else. Where something else has changed that they were not yet told of, by an
  /// earlier write or another writer, they are told of both together.
  ///
  /// ```swift
  /// try store.write(withoutNotifying: [token]) { zone.comments = field.text }
  /// ```
  ///
  /// - Parameters:
  ///   - tokens: The tokens of the observers.
  ///   - body: The closure.
  /// - Returns: The result of the closure.
  /// - Throws: As ``write(_:)-(()->Result)``.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [ObservationToken], _ body: () throws -> Result
  ) throws -> Result {
    try session.write(skipping: tokens.map(\.state), body)
  }

  /// Waits until the store shows something new, by commits of other stores or processes. Observers
  /// are told before this method returns.
  ///
  /// Use it on a thread of its own. In an actor, an observed store follows commits by itself.
  ///
  /// ```swift
  /// while try store.waitForChanges(timeout: .seconds(60)) {
  ///   print(store.objects(Zone.self).count)
  /// }
  /// ```
  ///
  /// - Parameter timeout: The longest time to wait. The default is no limit.
  /// - Returns: Whether there was a commit.
  /// - Throws: ``StoreError`` as ``refresh()``, with `storeMoved` if the file was moved, deleted or
  ///   replaced, and with `inWrite` in a write of the store.
  @available(*, noasync, message: "It blocks the thread. Iterate over 'changes' instead.")
  public func waitForChanges(timeout: Duration? = nil) throws -> Bool {
    try session.waitForChanges(until: timeout.map { ContinuousClock.now + $0 })
  }
}

extension Session {
  fileprivate func waitForChanges(until deadline: ContinuousClock.Instant?) throws -> Bool {
    try requireOpen()
    // Nobody else can commit.
    if isWriting { throw StoreError.inWrite(verb: "wait for changes") }
    let waiter = try file.environment.commitSignals.makeWaiter()
    let end = deadline ?? .now + .seconds(1 << 32)
    while try !refresh() {
      switch waiter.wait(until: end) {
      case .commit: continue
      case nil: return try refresh()
      case .moved:
        let error = StoreError.storeMoved(path: file.path)
        observers.end(with: error)
        throw error
      }
    }
    return true
  }
}
