internal import Dispatch
internal import Foundation
public import Observation
internal import WhimbrelEngine

extension Store {
  /// The choice of stores that tell Swift's `Observation` what is read from them: see
  /// ``Configuration/observationTracking``.
  public enum ObservationTracking: Hashable, Sendable {
    /// Those that are opened on the main actor, or on the main thread.
    case onMainActor
    /// All.
    case always
    /// None.
    case never
  }
}

extension Session {
  /// Tells `Observation` what is read from now on, if the configuration says so. Nothing may have been
  /// read before.
  func trackReads(_ tracking: Store.ObservationTracking) {
    let tracks =
      switch tracking {
      case .onMainActor: MainQueue.isCurrent
      case .always: true
      case .never: false
      }
    if tracks { readTracker = ReadTracker(self) { $0.followOnMainActor() } }
  }

  /// Lets the main actor follow the commits of others, if this code runs on it.
  private func followOnMainActor() {
    guard MainQueue.isCurrent else { return }
    // Safe: this code uses the session, and runs on the main actor.
    nonisolated(unsafe) let session = self
    MainActor.assumeIsolated {
      do {
        try unsafe session.follow(isolation: MainActor.shared)
      } catch {
        unsafe session.note(error)
      }
    }
  }
}

/// The queue on which the main actor runs.
private enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this code runs on the main queue or the main thread. On Linux the queue of a program with
  /// an asynchronous main function has another thread.
  static var isCurrent: Bool {
    Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true
  }
}

extension Results: Observable {}
extension ResultsSlice: Observable {}
extension SectionedResults: Observable {}
extension ResultsSection: Observable {}
extension LinkingObjects: Observable {}
extension StoredList: Observable {}
extension StoredSet: Observable {}
extension StoredMap: Observable {}
