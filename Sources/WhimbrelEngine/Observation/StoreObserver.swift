internal import Synchronization
internal import WhimbrelLMDB

/// Something that is told of changes in what a store shows.
///
/// It follows each change when the store moves to another state, and is told of it afterwards, when
/// all observers have followed. If it is not told at once, it is told of all changes together later.
package class StoreObserver {
  /// Whether the observer is observing still: it is shared with those who may end that. It is set
  /// when the observer is added.
  package fileprivate(set) var state = ObserverState.unused
  /// The number of the observer, in the order in which observers were added.
  fileprivate(set) var number = 0
  /// Whether the observer is being told.
  fileprivate var isRunning = false
  /// Whether there is something to tell.
  fileprivate var isPending = false

  /// A closure that is called when there is something to tell, instead of ``deliver()``. The observer
  /// is told when it asks.
  package var onPending: (() -> Void)?

  package init() {}

  // MARK: For subclasses

  /// The object that is observed, or nil if it is something else.
  var object: (className: String, id: ObjectID)? { nil }

  /// The names of the classes whose changes may concern the observer, or nil for all. It is asked
  /// after ``begin(in:)``.
  var classNames: Set<String>? { nil }

  /// Looks at what is observed. Called first, and again when the changes are not known.
  ///
  /// - Throws: ``StoreError`` if it cannot be observed.
  package func begin(in session: Session) throws {}

  /// Follows changes, and returns whether there is something to tell.
  ///
  /// - Throws: An error if the changes cannot be followed. What is observed is then looked at again.
  func follow(_ changes: StoreChanges) throws -> Bool { false }

  /// Follows a change of ``object``, and returns whether there is something to tell.
  func follow(_ delta: ObjectDelta, in session: Session) throws -> Bool { false }

  /// A task that follows changes on another thread, or nil if only ``follow(_:)`` can. An observer
  /// with an ``object`` needs none.
  var task: ObserverWork.Task? { nil }

  /// Takes what ``task`` has found, and returns whether there is something to tell.
  func take(_ finding: any Sendable) -> Bool { false }

  /// Forgets what is not yet told.
  func skip() {}

  /// Tells what has changed.
  func deliver() {}

  /// Tells of the error that ends the observation.
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

/// A flag that observers of a store have ended and can be removed.
package final class ObserverEndings: Sendable {
  private let hasNew = Atomic(false)
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  init() {}

  fileprivate func add() {
    hasNew.store(true, ordering: .releasing)
    wake.withLock { $0 }?()
  }

  /// Returns whether any have ended since the last call.
  func take() -> Bool { hasNew.exchange(false, ordering: .acquiringAndReleasing) }

  /// Sets a closure that any thread calls when an observer has ended.
  package func onEnd(_ body: (@Sendable () -> Void)?) { wake.withLock { $0 = body } }
}

/// The observers of a store.
///
/// All of them follow each change of what the store shows before any is told. They are told one after
/// the other, in the order in which they were added. What an observer writes meanwhile is told to all
/// others before the write returns, and to itself when it has returned.
package final class StoreObservers {
  private unowned let session: Session
  private var observers: [StoreObserver] = []
  private var objectObservers: [String: [ObjectID: [StoreObserver]]] = [:]
  /// The observed objects, by class; nil if not yet known.
  private var observedIDs: [String: Set<ObjectID>]?
  /// The names of the classes that any observer looks at; nil for all, or if not yet known.
  private var classNames: Set<String>?
  private var count = 0
  private var lastNumber = 0
  /// Those with something to tell, in the order of their numbers.
  private var pending: [StoreObserver] = []
  private var catalogNumber: Int
  private var knownContent: (catalogNumber: Int, content: FrozenSnapshot.Content)?
  /// A flag that observers have ended.
  package let endings = ObserverEndings()
  /// The observers that are not told of the write at hand.
  package var skipped: [ObserverState] = []
  /// An object that lives as long as somebody observes.
  package var belongings: AnyObject?

  init(_ session: Session) {
    self.session = session
    catalogNumber = session.catalogNumber
  }

  /// Returns what the sessions of other threads share.
  func content() throws -> FrozenSnapshot.Content {
    if let knownContent, knownContent.catalogNumber == session.catalogNumber {
      return knownContent.content
    }
    let content = try session.sharedContent()
    knownContent = (session.catalogNumber, content)
    return content
  }

  /// Whether nobody observes.
  package var isEmpty: Bool { count == 0 }

  /// Notes that an observer looks at other classes than before.
  func didChangeClassNames() { classNames = nil }

  /// Adds an observer, which is told of the state at hand.
  ///
  /// - Throws: ``StoreError``, and the observer is not added.
  package func add(_ observer: StoreObserver) throws {
    try session.requireOpen()
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

  /// Tells an observer that was just added.
  package func deliver(to observer: StoreObserver) {
    observer.isRunning = true
    observer.deliver()
    observer.isRunning = false
  }
}

// MARK: - Following

extension StoreObservers {
  /// Lets all observers follow what has changed in what the store shows.
  ///
  /// - Parameters:
  ///   - view: The snapshot that they have followed before, or nil if it is lost.
  ///   - findings: The results of work that is done already.
  func follow(since view: ReadView?, _ findings: ObserverFindings = ObserverFindings()) {
    removeEnded()
    let isSameCatalog = session.catalogNumber == catalogNumber
    catalogNumber = session.catalogNumber
    guard let view, isSameCatalog else { return beginAgain() }
    if view.transactionID == session.currentView.transactionID { return }
    let changes = StoreChanges(of: session, since: view)
    if !mayConcernAny(in: session.currentView, since: view) { return }
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
    finishFollowing()
  }

  /// Returns whether a class has changed between two snapshots that any observer looks at.
  func mayConcernAny(in view: ReadView, since old: ReadView) -> Bool {
    if classNames == nil {
      var names: Set<String> = []
      for observer in all {
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

  /// Follows the changes of single objects.
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

  /// Lets all observers look at what they observe again.
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

  private func finishFollowing() {
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
  /// Tells observers what they have followed. One that is being told already is left out: it is told
  /// of everything else afterwards.
  func deliver() {
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
      // Most have not ended.
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
