internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The objects of a file at one commit, for any number of threads.
///
/// Each read gets its own session, which is kept for the next read. All sessions show the same
/// ``SharedSnapshot``, so there is one reader slot for each commit, whatever is frozen.
///
/// A frozen snapshot keeps the file open, also after its store is closed.
package final class FrozenSnapshot: Sendable {
  /// The parts that all sessions share.
  package struct Content: Sendable {
    let file: StoreFile
    let declaration: Declaration?
    let loaded: LoadedCatalog
    let shown: LoadedCatalog
    let handles: [String: Table]
    let fileNumber: FileNumber

    init(of session: Session, _ declaration: Declaration?, handles: [String: Table]) throws {
      file = try StoreFile(session.file, after: session.file.freshStart)
      self.declaration = declaration
      (loaded, shown) = (session.loaded, session.shown)
      self.handles = handles
      fileNumber = session.fileNumber
    }

    /// Creates the converters of objects that still have a past shape.
    func makeConversions(_ clock: Counter) -> Conversions {
      ConversionsSource(file: file, loaded: loaded, rules: declaration?.rules ?? RuleBook([]))
        .make(clock)
    }
  }

  /// The limit on the number of sessions that are kept.
  private static let idleLimit = 16

  private let snapshot: SharedSnapshot
  private let content: Content
  private let holder: HeldSnapshot?
  private let lock = Mutex(())
  // Safe: it is used only with the lock, and a session only by the thread that has taken it from
  // here.
  nonisolated(unsafe) private var idle: [Session] = []
  /// A deferred error. The next call that can throw rethrows it.
  private let deferredError = Mutex<(any Error)?>(nil)

  init(_ snapshot: SharedSnapshot, _ content: Content, _ holder: HeldSnapshot?) throws {
    self.snapshot = snapshot
    self.holder = holder
    self.content = content
    // If sessions cannot be created, this throws now.
    unsafe idle.append(try makeSession())
  }

  private func makeSession() throws -> Session {
    try Session(self, content, snapshot.makeReader())
  }

  /// Returns whether the snapshot shows a commit through a catalog.
  func shows(_ commit: Int, _ loaded: LoadedCatalog) -> Bool {
    commit == snapshot.commit && loaded === content.loaded
  }

  /// Returns whether both show the same commit of the same file.
  package func isSame(as other: FrozenSnapshot) -> Bool { snapshot === other.snapshot }

  // MARK: Reading

  /// Reads objects through a session of this thread. Keeps an error that the session notes.
  package func reading<Result>(_ body: (Session) -> Result) -> Result {
    let session = takeSession()
    defer { putBack(session) }
    let result = body(session)
    if let error = session.takeDeferredError() {
      deferredError.withLock { if $0 == nil { $0 = error } }
    }
    return result
  }

  /// Reads objects through a session of this thread. Throws an error that the session notes, or one
  /// that was kept before.
  package func read<Result>(_ body: (Session) throws -> Result) throws -> Result {
    let session = takeSession()
    defer { putBack(session) }
    let result: Result
    do {
      result = try body(session)
    } catch {
      _ = session.takeDeferredError()
      throw content.file.explain(error)
    }
    if let error = session.takeDeferredError() { throw error }
    if let error = deferredError.withLock({ $0.take() }) { throw error }
    return result
  }

  private func takeSession() -> Session {
    while true {
      let session = lock.withLock { _ in Idle(unsafe idle.popLast()) }.session
      if let session { return session }
      if let session = try? makeSession() { return session }
      // Only memory can be missing, because the first session was created. Another thread uses it.
      usleep(100)
    }
  }

  private func putBack(_ session: Session) {
    let session = Idle(session)
    lock.withLock { _ in
      guard unsafe idle.count < Self.idleLimit else { return }
      if let session = session.session { unsafe idle.append(session) }
    }
  }

  /// A session that moves to or from the idle sessions.
  // Safe: no other code has the session.
  private struct Idle: @unchecked Sendable {
    let session: Session?

    init(_ session: Session?) { self.session = session }
  }
}
