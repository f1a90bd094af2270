internal import CWhimbrelLMDB
package import Foundation
internal import Synchronization

/// The last commits of this process to one file.
///
/// LMDB frees the slots of killed readers only when the file is opened or full. Until then a dead
/// reader pins all pages that are freed after its snapshot: a file grew from 20 MB to 1.06 GB in
/// 7 s. The reader table is therefore read after ``interval`` commits, and whenever the file has
/// grown by ``growth``.
final class CommitLog: Sendable {
  /// The number of commits between two reads of the reader table.
  static let interval = 64
  /// The growth of the file, in bytes, after which the reader table is read.
  static let growth = 16 << 20
  /// The number of commits to remember.
  private static let capacity = 4_096

  private struct Commit {
    let number: Int
    let date: Date
    let lastPage: Int
  }

  private struct State {
    var commits: [Commit] = []
    var lookedAt = 0
    var pagesThen = 0
  }

  private let state = Mutex(State())

  /// Notes a commit. Returns whether to read the reader table now.
  func add(_ number: Int, lastPage: Int, pageSize: Int) -> Bool {
    state.withLock { state in
      if state.commits.count == Self.capacity { state.commits.removeFirst(Self.capacity / 2) }
      state.commits.append(Commit(number: number, date: Date(), lastPage: lastPage))
      if state.lookedAt == 0 {
        (state.lookedAt, state.pagesThen) = (number, lastPage)
        return false
      }
      guard
        number - state.lookedAt >= Self.interval
          || (lastPage - state.pagesThen) * pageSize >= Self.growth
      else { return false }
      (state.lookedAt, state.pagesThen) = (number, lastPage)
      return true
    }
  }

  /// Returns the first known commit after a snapshot: its date, and the last page after it.
  func first(after number: Int) -> (date: Date, lastPage: Int)? {
    state.withLock { state in
      state.commits.first { $0.number > number }.map { ($0.date, $0.lastPage) }
    }
  }
}

extension Environment {
  /// A snapshot that is open in this process or another.
  package struct Snapshot: Hashable, Sendable {
    package let slot: ReaderSlot
    /// The number of commits since the snapshot.
    package let commitsBehind: Int
    /// The growth of the file since the snapshot, in bytes, as far as this process has seen it.
    package let growth: Int
    /// The latest time at which the snapshot can have been taken: that of the first commit of this
    /// process after it, or nil if there is none.
    package let date: Date?
  }

  /// Returns the open snapshots, the oldest first.
  package func snapshots() throws(LMDBError) -> [Snapshot] {
    let facts = try information()
    return try readerSlots().sorted { $0.transaction < $1.transaction }.map { slot in
      let commit = commits.first(after: slot.transaction)
      return Snapshot(
        slot: slot, commitsBehind: max(0, facts.lastTransaction - slot.transaction),
        growth: commit.map { max(0, facts.lastPage - $0.lastPage) * facts.pageSize } ?? 0,
        date: commit?.date)
    }
  }

  /// Notes a commit of this process, announces it to subscribers, and frees the slots of killed
  /// readers if they may pin pages.
  ///
  /// - Parameters:
  ///   - number: The number of the commit, or 0 if it has written nothing.
  ///   - facts: The sizes and numbers of the file after the commit, or nil if they are not known.
  func didCommit(_ number: Int, _ facts: Information?) {
    commitSignals.didCommit(number)
    guard !options.ignoresLocks, let facts,
      commits.add(facts.lastTransaction, lastPage: facts.lastPage, pageSize: facts.pageSize)
    else { return }
    // The commit has succeeded, so an error here is not reported. The next look may succeed.
    _ = try? removeDeadReaders()
  }
}

// MARK: - Killed writers

extension Environment {
  /// The time that a writer gets to finish its commit, before it is considered dead.
  private static let commitPatience = Duration.milliseconds(100)

  /// Lets readers see the last commit if its writer was killed before they could.
  ///
  /// LMDB: a commit writes its meta page, and then gives its number to readers. After a writer that
  /// was killed in between, the next writer does that. An app that starts again would not find what
  /// it had written, and might write it twice. A process that waited for a killed migration would
  /// read the old catalog, and then remove the tables of the new one.
  package func adoptLastCommit() {
    let end = ContinuousClock.now + Self.commitPatience
    while let numbers = commitSignals.reader.numbers(), let readable = numbers.readable,
      numbers.written > readable
    {
      if ContinuousClock.now < end {
        usleep(1_000)
        continue
      }
      // The next write reports an error again.
      do { try WriteTransaction(self).abort() } catch {}
      return
    }
  }
}
