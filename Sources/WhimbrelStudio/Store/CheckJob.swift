internal import Foundation
internal import Synchronization
internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelLMDB

/// The check of the store, which runs in the background.
final class CheckJob: Sendable {
  private enum State {
    case none
    case running(WorkProgress?)
    /// The check of a commit, or of a later one.
    case done(StoreCheck.Report, commit: Int)
    case failed(any Error)
  }

  private let state = Mutex(State.none)
  private let isStopped = Atomic(false)
  private let store: StudioStore
  /// Is called when there is something new to tell.
  private let tell: @Sendable ([UInt8]) -> Void

  init(_ store: StudioStore, tell: @escaping @Sendable ([UInt8]) -> Void) {
    self.store = store
    self.tell = tell
  }

  /// Starts a check, unless one is running.
  func start() {
    let isRunning = state.withLock { state in
      if case .running = state { return true }
      state = .running(nil)
      return false
    }
    if isRunning { return }
    do {
      try BackgroundThread.start("Whimbrel check") { self.run() }
    } catch {
      state.withLock { $0 = .failed(StoreError.describing(error, path: store.path)) }
    }
  }

  /// Asks a running check to stop.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  private func run() {
    let pace = Pace()
    let isCancelled = { self.isStopped.load(ordering: .relaxed) }
    let monitor = WorkMonitor(isCancelled: isCancelled) { progress in
      self.state.withLock { $0 = .running(progress) }
      if pace.isDue() { self.tellState() }
    }
    do {
      let commit = try store.read { $0.commit }
      let report = try StoreCheck(path: store.path).run(monitor: monitor)
      state.withLock { $0 = .done(report, commit: commit) }
    } catch {
      state.withLock { $0 = .failed(error) }
    }
    tellState()
  }

  private func tellState() {
    if let json = try? json() { tell(json) }
  }

  /// Returns the state as JSON.
  func json() throws -> [UInt8] {
    let state = state.withLock { $0 }
    switch state {
    case .none: return Array(#"{"state":"none"}"#.utf8)
    case .running(let progress):
      var text = #"{"state":"running""#
      if let progress { text += ",\(JSONText.members(of: progress))" }
      return Array((text + "}").utf8)
    case .done(let report, let commit):
      return try Array(#"{"state":"done","commit":\#(commit),"report":"#.utf8) + report.json()
        + [UInt8(ascii: "}")]
    case .failed(let error):
      return Array(#"{"state":"failed","error":"#.utf8) + StudioAPI.json(of: error)
        + [UInt8(ascii: "}")]
    }
  }
}
