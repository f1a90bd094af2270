/// The state of a store at which a query was answered.
package struct AnswerAge {
  private var epoch: UInt64?
  /// A stamp of what the query reads, or nil if there is none.
  private var stamp: ContentStamp?
  private var hasBegunBefore = false

  package init() {}

  /// Returns whether the answer would be the same now.
  package mutating func isCurrent(in session: Session) -> Bool {
    let now = session.epoch
    if epoch == now { return true }
    guard let stamp, session.isCurrent(stamp) else { return false }
    epoch = now
    return true
  }

  /// Begins with an answer that was found now.
  ///
  /// - Parameter makeStamp: A closure that returns a stamp of what the query reads, or nil if its
  ///   answer is not to be kept.
  package mutating func begin(in session: Session, _ makeStamp: () throws -> ContentStamp?) {
    // Most queries are answered in one state only, and need not know more than that.
    stamp = hasBegunBefore ? (try? makeStamp()) ?? nil : nil
    hasBegunBefore = true
    epoch = session.epoch
  }
}
