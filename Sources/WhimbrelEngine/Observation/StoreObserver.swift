internal import Synchronization
internal import WhimbrelLMDB

/// An observer of the state that a store shows.
///
/// It follows each change when the store moves to another state. It is notified after all observers
/// have followed the change. If it is not notified at once, it gets all changes together later.
package class StoreObserver {
  /// The state of the observation, shared with everything that may end it. It is set when the
  /// observer is added.
  package fileprivate(set) var state = ObserverState.unused
  /// The number of the observer, in the order in which observers were added.
  fileprivate(set) var number = 0
  /// Whether the observer is being notified.
  fileprivate var isRunning = false
  /// Whether a notification is due.
  fileprivate var isPending = false

  /// A closure that is called when a notification is due, instead of ``deliver()``. The observer is
  /// then notified on request.
  package var onPending: (() -> Void)?

  package init() {}

  // MARK: For subclasses

  /// The observed object, or nil if the observer does not observe a single object.
  var object: (className: String, id: ObjectID)? { nil }

  /// The names of the classes whose changes may concern the observer, or nil for all. Read after
  /// ``begin(in:)``. Not read if there is an ``object``, because only its class matters then.
  var classNames: Set<String>? { nil }

  /// Reads what is observed. Called first, and again if the changes are not known.
  ///
  /// - Throws: ``StoreError`` if it cannot be observed.
  package func begin(in session: Session) throws {}

  /// Follows changes, and returns whether a notification is due.
  ///
  /// - Throws: An error if the changes cannot be followed. ``begin(in:)`` is then called again.
  func follow(_ changes: StoreChanges) throws -> Bool { false }

  /// Follows a change of ``object``, and returns whether a notification is due.
  func follow(_ delta: ObjectDelta, in session: Session) throws -> Bool { false }

  /// A task that follows changes on another thread, or nil if only ``follow(_:)`` can. An observer
  /// with an ``object`` does not need one.
  var task: ObserverWork.Task? { nil }

  /// Takes the result of ``task``, and returns whether a notification is due.
  func take(_ finding: any Sendable) -> Bool { false }

  /// Discards the changes that were not reported.
  func skip() {}

  /// Reports the changes.
  func deliver() {}

  /// Reports the error that ends the observation.
  package func fail(_ error: any Error) {}
}

/// The state of an observer. Any thread may end it.
package final class ObserverState: Sendable {
  private let ended = Atomic(false)
  private let endings: ObserverEndings

  init(_ endings: ObserverEndings) { self.endings = endings }

  /// The state of an observer that was never added.
  package static var unused: ObserverState { ObserverState(ObserverEndings()) }

  package var isEnded: Bool { ended.load(ordering: .acquiring) }

  package func end() {
    if ended.exchange(true, ordering: .acquiringAndReleasing) { return }
    endings.add()
  }
}

/// A flag that tells that observers of a store have ended and can be removed.
package final class ObserverEndings: Sendable {
  private let hasNew = Atomic(false)
  private let wake = Mutex(Wake())

  /// The closure to call. It is in a struct: Swift wraps a closure that is itself the value of a
  /// mutex in two more closures at each access, and keeps them.
  private struct Wake {
    var body: (@Sendable () -> Void)?
  }

  init() {}

  fileprivate func add() {
    hasNew.store(true, ordering: .releasing)
    wake.withLock { $0.body }?()
  }

  /// Returns whether any observers have ended since the last call.
  func take() -> Bool { hasNew.exchange(false, ordering: .acquiringAndReleasing) }

  /// Sets a closure to call when an observer has ended. It may be called on any thread.
  package func onEnd(_ body: (@Sendable () -> Void)?) { wake.withLock { $0.body = body } }
}

/// The observers of a store.
///
/// All observers follow a change before any of them is notified. They are notified one after the
/// other, in the order in which they were added. If an observer writes when it is notified, all
/// others are notified of that write before it returns, and the observer itself after it has
/// returned.
package final class StoreObservers {
  private unowned let session: Session
  private var observers: [StoreObserver] = []
  private var objectObservers: [String: [ObjectID: [StoreObserver]]] = [:]
  /// The observed objects, by class, or nil if not yet known.
  private var observedIDs: [String: Set<ObjectID>]?
  /// The names of the classes that concern any observer, or nil for all or if not yet known.
  private var classNames: Set<String>?
  private var count = 0
  private var lastNumber = 0
  /// The observers with a notification that is due, in the order of their numbers.
  private var pending: [StoreObserver] = []
  /// Whether the observers are following changes.
  private var isFollowing = false
  private var catalogNumber: Int
  private var knownContent: (catalogNumber: Int, content: FrozenSnapshot.Content)?
  /// A flag that tells that observers have ended.
  package let endings = ObserverEndings()
  /// An object that is kept as long as there are observers.
  package var belongings: AnyObject?

  init(_ session: Session) {
    self.session = session
    catalogNumber = session.catalogNumber
  }

  /// Returns the content that the sessions of other threads share.
  func content() throws -> FrozenSnapshot.Content {
    if let knownContent, knownContent.catalogNumber == session.catalogNumber {
      return knownContent.content
    }
    let content = try session.sharedContent()
    knownContent = (session.catalogNumber, content)
    return content
  }

  /// Whether there are no observers.
  package var isEmpty: Bool { count == 0 }

  /// Notes that the classes that concern an observer have changed.
  func didChangeClassNames() { classNames = nil }

  /// Adds an observer, which starts with the current state.
  ///
  /// - Throws: ``StoreError`` if the observer cannot begin. It is then not added.
  package func add(_ observer: StoreObserver) throws {
    try session.requireOpen()
    catchUp()
    lastNumber += 1
    observer.number = lastNumber
    observer.state = ObserverState(endings)
    try observer.begin(in: session)
    if let object = observer.object {
      objectObservers[object.className, default: [:]][object.id, default: []].append(observer)
      observedIDs = nil
    } else {
      observers.append(observer)
    }
    count += 1
    classNames = nil
  }

  /// Makes the observers follow the changes up to the state that the session shows: a new observer
  /// begins with it. They are notified later, because a read may add the new observer.
  private func catchUp() {
    guard !isFollowing, session.isAheadOfObservers else { return }
    follow(since: session.snapshots?.baseView)
    session.snapshots?.dropBase()
  }

  /// Notifies an observer that was just added.
  package func deliver(to observer: StoreObserver) {
    observer.isRunning = true
    observer.deliver()
    observer.isRunning = false
  }
}

// MARK: - Following

extension StoreObservers {
  /// Makes all observers follow the changes of the state that the store shows.
  ///
  /// - Parameters:
  ///   - view: The snapshot that they followed last, or nil if it is lost.
  ///   - findings: The results of work that has already been done.
  ///   - skipped: The observers that are not notified of the changes, if these are the changes of
  ///     one commit. An observer that must be notified of other changes is notified of all.
  func follow(
    since view: ReadView?, _ findings: ObserverFindings = ObserverFindings(),
    skipping skipped: [ObserverState] = []
  ) {
    isFollowing = true
    defer { isFollowing = false }
    removeEnded()
    let isSameCatalog = session.catalogNumber == catalogNumber
    catalogNumber = session.catalogNumber
    guard let view, isSameCatalog else { return beginAgain() }
    if view.transactionID == session.currentView.transactionID { return }
    let changes = StoreChanges(of: session, since: view)
    if !mayConcernAny(in: session.currentView, since: view) { return }
    // Others may have committed before the write began or since it ended.
    let isOneCommit = session.currentView.transactionID == view.transactionID + 1
    let skipped = isOneCommit ? skipped.filter { !isPending($0) } : []
    for observer in observers {
      let result = findings.results[observer.number]
      follow(observer) {
        guard let result else { return try observer.follow(changes) }
        return try result.get().map(observer.take) ?? false
      }
    }
    for className in objectObservers.keys {
      follow(
        objectsOf: className,
        findings.objects[className]
          ?? Result { try changes.of(session.table(className)).deltas(of: observed(className)) })
    }
    finishFollowing(skipping: skipped)
  }

  /// Returns whether a class that concerns any observer has changed between two snapshots.
  func mayConcernAny(in view: ReadView, since old: ReadView) -> Bool {
    if classNames == nil {
      var names = Set(objectObservers.keys)
      for observer in observers {
        guard let own = observer.classNames else { return true }
        names.formUnion(own)
      }
      classNames = names
    }
    return classNames?.contains { name in
      guard let table = session.find(name) else { return true }
      return (try? table.roots(in: view) != table.roots(in: old)) ?? true
    } ?? true
  }

  private func follow(_ observer: StoreObserver, _ body: () throws -> Bool) {
    do {
      if try body() { add(pending: observer) }
    } catch {
      begin(observer)
    }
  }

  /// Follows the changes of observed objects of a class.
  private func follow(
    objectsOf className: String, _ deltas: Result<[ObjectID: ObjectDelta], any Error>
  ) {
    switch deltas {
    case .success(let deltas):
      for (id, delta) in deltas {
        for observer in objectObservers[className]?[id] ?? [] {
          follow(observer) { try observer.follow(delta, in: session) }
        }
      }
    case .failure:
      for observers in (objectObservers[className] ?? [:]).values { observers.forEach(begin) }
    }
  }

  private func observed(_ className: String) -> Set<ObjectID> {
    if let known = observedIDs?[className] { return known }
    let ids = objectObservers.mapValues { Set($0.keys) }
    observedIDs = ids
    return ids[className] ?? []
  }

  /// Returns the work that can be done on another thread and has not been done.
  func work(after findings: ObserverFindings) -> ObserverWork {
    var work = ObserverWork()
    for observer in observers where findings.results[observer.number] == nil {
      if let task = observer.task { work.tasks.append((observer.number, task)) }
    }
    for className in objectObservers.keys {
      let ids = observed(className)
      if findings.observed[className] != ids { work.objects[className] = ids }
    }
    return work
  }

  /// Makes all observers begin again.
  private func beginAgain() {
    classNames = nil
    for observer in all { begin(observer) }
    finishFollowing()
  }

  private func begin(_ observer: StoreObserver) {
    do {
      try observer.begin(in: session)
      add(pending: observer)
    } catch {
      fail(observer, error)
    }
  }

  private var all: [StoreObserver] {
    observers + objectObservers.values.flatMap { $0.values.joined() }
  }

  private func add(pending observer: StoreObserver) {
    if observer.isPending { return }
    observer.isPending = true
    pending.append(observer)
  }

  private func isPending(_ state: ObserverState) -> Bool {
    pending.contains { $0.state === state }
  }

  private func finishFollowing(skipping skipped: [ObserverState] = []) {
    pending.sort { $0.number < $1.number }
    for observer in pending where skipped.contains(where: { $0 === observer.state }) {
      observer.skip()
      observer.isPending = false
    }
    if !skipped.isEmpty { pending.removeAll { !$0.isPending } }
  }
}

// MARK: - Telling

extension StoreObservers {
  /// Notifies observers of the changes that they have followed. An observer that is being notified
  /// is skipped: it gets its changes afterwards.
  package func deliver() {
    while let place = pending.firstIndex(where: { !$0.isRunning }) {
      let observer = pending.remove(at: place)
      observer.isPending = false
      if observer.state.isEnded { continue }
      if let onPending = observer.onPending { onPending() } else { deliver(to: observer) }
    }
  }

  /// Ends all observations with an error.
  package func end(with error: any Error) {
    for observer in all { fail(observer, error) }
    removeEnded()
    letGo()
  }

  private func fail(_ observer: StoreObserver, _ error: any Error) {
    if observer.state.isEnded { return }
    observer.state.end()
    observer.fail(session.file.explain(error))
    observer.onPending?()
  }

  /// Removes the observers that have ended.
  package func removeEnded() {
    guard endings.take() else { return }
    observers.removeAll { $0.state.isEnded }
    pending.removeAll { $0.state.isEnded }
    for (className, byID) in objectObservers {
      // Most observers have not ended.
      let ended = byID.filter { $0.value.contains { $0.state.isEnded } }
      for (id, observers) in ended {
        let kept = observers.filter { !$0.state.isEnded }
        objectObservers[className]?[id] = kept.isEmpty ? nil : kept
      }
      if objectObservers[className]?.isEmpty == true { objectObservers[className] = nil }
    }
    observedIDs = nil
    classNames = nil
    count = observers.count + objectObservers.values.reduce(0) { $0 + $1.count }
    if count == 0 { letGo() }
  }

  /// Releases what only observers need.
  private func letGo() {
    belongings = nil
    knownContent = nil
  }
}
