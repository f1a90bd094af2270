internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The trace that reading leaves beside a store: a lock file that was not there before.
///
/// LMDB keeps a lock file beside a store and leaves it there. Removing it is dangerous: another
/// program may be about to open the store with it. That program and the next opener would then each
/// have their own lock file and would not see each other's snapshots. `remove()` therefore acts
/// only if the file was not there before, nobody has the store open, and nobody can open it.
/// Otherwise the lock file stays.
package struct LockFileTrace: Sendable {
  private let path: String
  private let wasThere: Bool
  /// The lock files that reads have made in this process and that still exist. A second reader
  /// finds such a file already there, and may be the last to leave.
  private static let made = Mutex<Set<String>>([])

  /// Notes whether there is a lock file. Call it before the store is opened.
  package init(path: String) {
    self.path = path
    let lockPath = Environment.lockPath(of: path)
    var status = stat()
    let isThere = unsafe lstat(lockPath, &status) == 0
    wasThere = Self.made.withLock { made in
      if !isThere { made.insert(lockPath) }
      return !made.contains(lockPath)
    }
  }

  /// Removes the lock file if it was not there before and nobody has the store open, in this
  /// process or another.
  ///
  /// Safe: every opener holds the file's guard from before it looks for the lock file until LMDB
  /// has locked it, and everyone who moves or replaces the file holds the guard alone, as this
  /// function does. Only a program that uses LMDB without this library does not know the guard.
  /// Such a program is at risk in the microseconds between opening and locking the lock file.
  package func remove() {
    guard !wasThere, let real = Environment.resolve(path), StoreFile.exists(at: real),
      let identity = FileIdentity(path: real)
    else { return }
    let lockPath = Environment.lockPath(of: real)
    let outcome = try? Environment.whileUnused(real, identity, patience: .zero) {
      unsafe unlink(lockPath) == 0
    }
    if case .done(true) = outcome { _ = Self.made.withLock { $0.remove(lockPath) } }
  }
}
