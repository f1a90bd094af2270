internal import Foundation
internal import Synchronization

/// Counts the commits of this process, and kills it at one of them: for child processes of
/// tests, which look at what is left then.
package enum CommitProbe {
  /// When the process is killed.
  package enum Moment: Int, Codable, CaseIterable, Sendable {
    case before = 1
    case after
  }

  private static let commits = Atomic(0)
  private static let fatalCommit = Atomic(0)
  private static let moment = Atomic(0)

  /// How many commits there have been.
  package static var count: Int { commits.load(ordering: .relaxed) }

  /// Lets this process be killed at a commit from now on, of which the next has the number 1.
  package static func kill(_ moment: Moment, commit number: Int) {
    Self.moment.store(moment.rawValue, ordering: .relaxed)
    fatalCommit.store(count + number, ordering: .relaxed)
  }

  static func willCommit() { step(.before, commits.load(ordering: .relaxed) + 1) }

  static func didCommit() {
    step(.after, commits.add(1, ordering: .relaxed).newValue)
  }

  private static func step(_ moment: Moment, _ number: Int) {
    guard number == fatalCommit.load(ordering: .relaxed),
      moment.rawValue == Self.moment.load(ordering: .relaxed)
    else { return }
    Foundation.kill(getpid(), SIGKILL)
  }
}
