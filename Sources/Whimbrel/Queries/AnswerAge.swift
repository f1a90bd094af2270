internal import WhimbrelEngine

/// The state of a store at which a query was answered.
struct AnswerAge {
  private var epoch: UInt64?
  /// A mark of the objects of the classes that the query reads, or nil if there is none.
  private var stamp: ContentStamp?
  private var hasBegunBefore = false

  /// Returns whether the answer would be the same now.
  mutating func isCurrent(in session: Session) -> Bool {
    let now = session.epoch
    if epoch == now { return true }
    guard let stamp, session.isCurrent(stamp) else { return false }
    epoch = now
    return true
  }

  /// Begins with an answer that was found now.
  ///
  /// - Parameter query: A closure that returns the query, or nil if its answer is not to be kept.
  mutating func begin(in session: Session, _ query: () throws -> BoundQuery?) {
    // Most queries are answered at one commit only, and need not know more than that.
    stamp = hasBegunBefore ? (try? query()).flatMap { try? session.stamp(of: $0) } : nil
    hasBegunBefore = true
    epoch = session.epoch
  }
}
