internal import Dispatch
internal import WhimbrelLMDB

/// A step of an observed store to a newer commit.
///
/// A thread of the library finds the changes for the observers while the store still shows the
/// previous commit. Then the store moves to the newer commit, and the observers are notified.
package final class CommitStep: Sendable {
  /// The two snapshots that a step reads until it ends, and the changes between them.
  private struct Reading {
    /// The commit that the store shows.
    let base: SharedSnapshot
    /// The commit to which it moves.
    let next: SharedSnapshot
    let content: FrozenSnapshot.Content
    let holder: HeldSnapshot?
    var changes: StoreChanges?
  }

  /// The number of the commit that the store shows.
  let baseCommit: Int
  /// A queue of its own gets a thread even if an app blocks the threads of the global queues.
  private let queue = DispatchQueue(label: "Whimbrel changes", qos: .userInitiated)
  // Safe: the store's thread and `find` use it, and `end` waits for a `find` on the queue.
  nonisolated(unsafe) private var reading: Reading?

  init(
    from base: SharedSnapshot, to next: SharedSnapshot, _ content: FrozenSnapshot.Content,
    _ holder: HeldSnapshot?
  ) {
    baseCommit = base.commit
    holder?.note(next.commit)
    unsafe reading = Reading(base: base, next: next, content: content, holder: holder)
  }

  /// The commit to which the store moves, or nil if the step has ended.
  var next: SharedSnapshot? { unsafe reading?.next }

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
    let remains = Remains(work, findings, unsafe reading?.changes?.takeContents() ?? [])
    // The file may be closed and deleted from now on, so the queue does not keep the step alive.
    unsafe reading = nil
    queue.async { remains.free() }
  }

  /// Waits for the work of observers, and releases the snapshots: the store is being closed, and its
  /// file may be deleted next.
  func end() {
    queue.sync {}
    release([], ObserverFindings())
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
      guard let changes = try madeChanges() else { return ObserverFindings() }
      return try ObserverFindings(work, changes)
    } catch {
      return ObserverFindings(of: work, failing: error)
    }
  }

  /// Returns the changes, or nil if the step has ended.
  private func madeChanges() throws -> StoreChanges? {
    guard let reading = unsafe reading else { return nil }
    if let changes = reading.changes { return changes }
    let (content, next) = (reading.content, reading.next)
    let makeSession: @Sendable () throws -> Session = {
      try Session(nil, content, next.makeReader())
    }
    let reader = try reading.base.makeReader()
    let made = StoreChanges(
      of: try makeSession(), since: reader.view, keeping: reader, makeSession: makeSession)
    unsafe self.reading?.changes = made
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
