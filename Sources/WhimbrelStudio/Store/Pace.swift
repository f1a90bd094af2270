internal import Synchronization
internal import WhimbrelInspection

/// A limit on reports of progress: ten a second are enough for an eye.
final class Pace: Sendable {
  private let last = Mutex(ContinuousClock.now - .seconds(1))

  /// Returns whether enough time has passed. Then the time begins anew.
  func isDue() -> Bool {
    last.withLock { last in
      guard .now - last > .milliseconds(100) else { return false }
      last = .now
      return true
    }
  }
}

extension JSONText {
  /// Returns progress as the members of an object.
  static func members(of progress: WorkProgress) -> String {
    #""step":\#(of(progress.step)),"completed":\#(progress.completed)"#
      + #","total":\#(progress.total.map(String.init) ?? "null")"#
  }
}
