internal import Dispatch
internal import WhimbrelLMDB

/// A step of an observed store to a newer commit.
///
/// A thread of the library finds the changes for the observers while the store still shows the
/// previous commit. Then the store moves to the newer commit, and the observers are notified.
package final class CommitStep: Sendable {
  /// The commit that the store shows.
  let base: SharedSnapshot
  /// The commit to which it moves.
  let next: SharedSnapshot
  private let content: FrozenSnapshot.Content
  private let holder: HeldSnapshot?
  /// A queue of its own gets a thread even if an app blocks the threads of the global queues.
  private let queue = DispatchQueue(label: "Whimbrel changes", qos: .userInitiated)
  // Safe: only `find` and `release` use it, and each is called after the one before has ended.
  nonisolated(unsafe) private var changes: StoreChanges?

  init(
    from base: SharedSnapshot, to next: SharedSnapshot, _ content: FrozenSnapshot.Content,
    _ holder: HeldSnapshot?
  ) {
    (self.base, self.next) = (base, next)
    self.content = content
    self.holder = holder
    holder?.note(next.commit)
  }

  /// Does the work of observers on a thread of the library. Wait for the result before the next
  /// call.
  package nonisolated(nonsending) func find(_ work: ObserverWork) async -> ObserverFindings {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: self.findNow(work))
      }
    }
  }

  /// Releases the snapshots, and frees the rest on a thread of the library: freeing the changes of
  /// many objects takes milliseconds. Call it once, at the end.
  package func release(_ work: consuming [ObserverWork], _ findings: consuming ObserverFindings) {
    let remains = Remains(work, findings, unsafe changes?.takeContents() ?? [])
    // The file may be closed and deleted from now on, so the queue does not keep the step alive.
    unsafe changes = nil
    queue.async { remains.free() }
  }

  private final class Remains: Sendable {
    // Safe: only the queue uses it, once, after the initializer.
    nonisolated(unsafe) private var content:
      ([ObserverWork], ObserverFindings, [ClassChanges.Content])?

    init(
      _ work: consuming [ObserverWork], _ findings: consuming ObserverFindings,
      _ changes: consuming [ClassChanges.Content]
    ) {
      unsafe content = (work, findings, changes)
    }

    func free() { unsafe content = nil }
  }

  private func findNow(_ work: ObserverWork) -> ObserverFindings {
    do {
      return try ObserverFindings(work, madeChanges())
    } catch {
      return ObserverFindings(of: work, failing: error)
    }
  }

  private func madeChanges() throws -> StoreChanges {
    if let changes = unsafe changes { return changes }
    let (content, next) = (content, next)
    let makeSession: @Sendable () throws -> Session = {
      try Session(nil, content, next.makeReader())
    }
    let reader = try base.makeReader()
    let made = StoreChanges(
      of: try makeSession(), since: reader.view, keeping: reader, makeSession: makeSession)
    unsafe changes = made
    return made
  }
}

/// The work that observers do on another thread to follow changes.
package struct ObserverWork: Sendable {
  /// A function that follows changes. It returns the result for an observer, or nil if the changes
  /// do not concern it.
  typealias Task = @Sendable (StoreChanges) throws -> (any Sendable)?

  /// The tasks, by the numbers of the observers.
  var tasks: [(number: Int, task: Task)] = []
  /// The observed objects, by class.
  var objects: [String: Set<ObjectID>] = [:]

  var isEmpty: Bool { tasks.isEmpty && objects.isEmpty }
}

/// The results of the observers' work.
package struct ObserverFindings: Sendable {
  /// The result of each task, by the number of the observer.
  private(set) var results: [Int: Result<(any Sendable)?, any Error>] = [:]
  /// The changes of the observed objects, by class.
  private(set) var objects: [String: Result<[ObjectID: ObjectDelta], any Error>] = [:]
  /// The objects that were checked, by class.
  private(set) var observed: [String: Set<ObjectID>] = [:]

  package init() {}

  fileprivate init(_ work: ObserverWork, _ changes: StoreChanges) throws {
    for (number, task) in work.tasks {
      results[number] = Result { try task(changes) }
    }
    observed = work.objects
    for (className, ids) in work.objects {
      objects[className] = Result {
        try changes.of(changes.session.table(className)).deltas(of: ids)
      }
    }
  }

  fileprivate init(of work: ObserverWork, failing error: any Error) {
    for (number, _) in work.tasks { results[number] = .failure(error) }
    observed = work.objects
    objects = work.objects.mapValues { _ in .failure(error) }
  }

  package mutating func add(_ other: ObserverFindings) {
    results.merge(other.results) { $1 }
    objects.merge(other.objects) { _, new in new }
    observed.merge(other.observed) { _, new in new }
  }
}
