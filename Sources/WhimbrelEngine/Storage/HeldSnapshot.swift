internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// A note that a part of this process holds a snapshot, for ``ActiveSnapshot``. The note ends with
/// its last reference.
package final class HeldSnapshot: Sendable {
  struct Facts {
    var holder: ActiveSnapshot.Holder
    /// The number of the commit that the snapshot shows, or 0 if there is none yet.
    var commit = 0
    var since = Date()
  }

  private let facts: Mutex<Facts>
  private let register: HeldSnapshots
  private let number: Int

  fileprivate init(_ facts: Facts, _ register: HeldSnapshots) {
    self.facts = Mutex(facts)
    self.register = register
    number = register.takeNumber()
    register.add(self, number)
  }

  deinit { register.remove(number) }

  /// Notes the commit of a snapshot that has just been taken.
  package func note(_ commit: Int) {
    let now = Date()
    facts.withLock { ($0.commit, $0.since) = (commit, now) }
  }

  /// Notes that another part of the process holds the snapshots now.
  func become(_ holder: ActiveSnapshot.Holder) { facts.withLock { $0.holder = holder } }

  /// Returns a note for another part that holds the same snapshot, too.
  func copy(as holder: ActiveSnapshot.Holder) -> HeldSnapshot {
    var copy = facts.withLock { $0 }
    copy.holder = holder
    return HeldSnapshot(copy, register)
  }

  fileprivate var current: Facts { facts.withLock { $0 } }
}

/// The notes of all snapshots of a file that this process holds.
final class HeldSnapshots: Sendable {
  private struct Note {
    weak var held: HeldSnapshot?
  }

  private let notes = Mutex<[Int: Note]>([:])
  private let lastNumber = Atomic<Int>(0)

  fileprivate func takeNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  fileprivate func add(_ held: HeldSnapshot, _ number: Int) {
    notes.withLock { $0[number] = Note(held: held) }
  }

  fileprivate func remove(_ number: Int) { notes.withLock { $0[number] = nil } }

  fileprivate func make(_ holder: ActiveSnapshot.Holder) -> HeldSnapshot {
    HeldSnapshot(HeldSnapshot.Facts(holder: holder), self)
  }

  /// Returns the holders of snapshots, by the numbers of their commits. Frozen objects come last: a
  /// store that shares its snapshot with them has no snapshot of its own.
  func byCommit() -> [Int: [HeldSnapshot.Facts]] {
    let held = notes.withLock { notes in notes.values.compactMap(\.held) }
    let facts = held.map(\.current).sorted { left, right in
      if (left.holder == .frozen) != (right.holder == .frozen) { return right.holder == .frozen }
      return left.since > right.since
    }
    return Dictionary(grouping: facts, by: \.commit)
  }
}

extension StoreFile {
  /// Returns a note for the snapshots that a part of this process is about to take.
  package func hold(as holder: ActiveSnapshot.Holder) -> HeldSnapshot {
    heldSnapshots.make(holder)
  }
}

/// The snapshots of a file that threads of this process share: at most one for each commit.
final class SharedSnapshots: Sendable {
  private struct Entry {
    weak var snapshot: SharedSnapshot?
  }

  private let entries = Mutex<[Int: Entry]>([:])

  /// Returns the snapshot of a commit, and creates it if there is none.
  func snapshot(
    of commit: Int, orMake make: () throws -> SharedSnapshot
  ) throws -> SharedSnapshot {
    try entries.withLock { entries in
      if let known = entries[commit]?.snapshot { return known }
      let made = try make()
      entries = entries.filter { $0.value.snapshot != nil }
      entries[commit] = Entry(snapshot: made)
      return made
    }
  }
}

extension StoreFile {
  /// Returns the snapshot of a commit that threads of this process share.
  func sharedSnapshot(
    of commit: Int, orMake make: () throws -> SharedSnapshot
  ) throws -> SharedSnapshot {
    try sharedSnapshots.snapshot(of: commit, orMake: make)
  }

  /// Shares a snapshot with threads of this process, or returns a shared one of the same commit.
  func share(_ transaction: consuming ReadTransaction) throws -> SharedSnapshot {
    let commit = transaction.view.transactionID
    var given: ReadTransaction? = transaction
    return try sharedSnapshot(of: commit) {
      guard let transaction = given.take() else {
        throw LMDBError(code: .closed, function: "mdb_txn_begin")
      }
      return try SharedSnapshot(transaction)
    }
  }
}
