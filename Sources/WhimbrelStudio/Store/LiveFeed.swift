internal import Foundation
internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The news of a store, from the library's observation: what other processes have committed.
///
/// A thread follows the store while a page is open, and lets go of it otherwise.
final class LiveFeed: Sendable {
  /// The limit of the objects of a class that are named in an event.
  private static let objectLimit = 1_000
  /// The least time between two events.
  private static let pause = Duration.milliseconds(100)
  /// The time after which the thread looks whether it is still wanted.
  private static let patience = Duration.milliseconds(200)
  /// The number of failures to open the file after which it counts as lost.
  private static let patientFailures = 6

  private let store: StudioStore
  private let events: EventStreams
  private let isStopped = Atomic(false)
  /// Is signalled when a page was opened, or when the thread shall end.
  private let wake = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ store: StudioStore, _ events: EventStreams) {
    self.store = store
    self.events = events
  }

  /// - Throws: ``StoreError`` if the system refuses a thread.
  func start() throws(StoreError) {
    do {
      try BackgroundThread.start("Whimbrel feed") {
        while !self.isStopped.load(ordering: .acquiring) {
          if self.events.isEmpty { self.wake.wait() } else { self.follow() }
        }
        self.hasEnded.signal()
      }
    } catch {
      hasEnded.signal()
      throw StoreError.describing(error, path: store.path)
    }
  }

  /// Looks at once whether a page is open.
  func lookForPages() { wake.signal() }

  /// Ends the thread, and waits for it.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    wake.signal()
    hasEnded.wait()
  }

  private var isWanted: Bool { !isStopped.load(ordering: .acquiring) && !events.isEmpty }

  /// Follows the file at the path until nobody wants to know any more.
  private func follow() {
    var (isFirst, isLost, failures) = (true, false, 0)
    while isWanted {
      do {
        let session = try store.makeSession()
        defer { session.close() }
        // The file is back, or it is another one.
        if !isFirst { tell("schema", #"{"commit":\#(session.view.transactionID)}"#) }
        (isFirst, isLost, failures) = (false, false, 0)
        try follow(session)
      } catch {
        failures += 1
        let isThere = FileManager.default.fileExists(atPath: store.path)
        // While a file is replaced, it cannot be opened for a moment.
        if !isLost, !isThere || failures == Self.patientFailures {
          isLost = true
          tell("lost", #"{"message":\#(JSONText.of(StudioAPI.message(of: error)))}"#)
        }
        isFirst = false
        Thread.sleep(forTimeInterval: 0.5)
      }
    }
  }

  private func follow(_ session: Session) throws {
    let waiter = try session.file.environment.commitSignals.makeWaiter()
    // It tells the state at hand first, which the page has loaded.
    var isFirst = true
    let observer = ContentObserver { [unowned session] news in
      switch news {
      case .initial:
        if !isFirst { self.tell("schema", #"{"commit":\#(session.view.transactionID)}"#) }
      case .change(let change): self.tell(change, session)
      case .failure: break
      }
    }
    try session.observers.add(observer)
    session.observers.deliver(to: observer)
    isFirst = false
    // A commit between the first snapshot and the waiter gives no signal.
    _ = try session.refresh()
    while isWanted {
      switch waiter.wait(until: .now + Self.patience) {
      case .commit:
        _ = try session.refresh()
        Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
      case .moved:
        if !FileManager.default.fileExists(atPath: store.path) {
          throw StoreError.storeMoved(path: store.path)
        }
        return
      case nil: break
      }
    }
  }

  private func tell(_ change: ContentChange, _ session: Session) {
    let classes = change.classes.sorted { $0.key < $1.key }.map { name, objects in
      let count = (try? session.table(name).count()) ?? 0
      func ids(_ kind: ContentChange.Kind) -> String {
        if objects.count > Self.objectLimit { return "null" }
        let ids = objects.filter { $0.value == kind }.keys.sorted()
        return JSONText.array(ids.map { JSONText.of($0) })
      }
      return #"{"name":\#(JSONText.of(name)),"objects":\#(count),"added":\#(ids(.added))"#
        + #","removed":\#(ids(.deleted)),"changed":\#(ids(.modified))}"#
    }
    tell(
      "commit", #"{"commit":\#(session.view.transactionID),"classes":\#(JSONText.array(classes))}"#)
  }

  private func tell(_ name: String, _ json: String) { events.send(name, Array(json.utf8)) }
}
