internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// Removes the lock file that reading a store has made.
///
/// LMDB keeps a lock file beside a store, and leaves it there: whoever removed it might take it from
/// under a program that is about to open the store, and two programs with a lock file each would not
/// see each other's snapshots. This removes one that was not there before, while nobody has the store
/// open and nobody can open it. Where that cannot be had, it stays.
package struct LockFileTrace: Sendable {
  private let path: String
  private let wasThere: Bool
  /// The lock files that reading has made in this process, and that are still there: who opens a
  /// store a second time meanwhile finds one, and may be the last to leave.
  private static let made = Mutex<Set<String>>([])

  /// Looks whether there is a lock file; before the store is opened.
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

  /// Removes the lock file if it was not there before and nobody has the store open, this process
  /// included.
  ///
  /// Safe: every opener holds the guard of the file from before it looks for the lock file until
  /// LMDB has locked it, and whoever moves or replaces the file holds it alone, as this does. Only a
  /// program that opens the file with LMDB and without this library knows nothing of the guard; in
  /// the microseconds between its opening and locking of the lock file it must not meet this.
  package func remove() {
    guard !wasThere, let real = Environment.resolve(path), let identity = FileIdentity(path: real)
    else { return }
    let lockPath = Environment.lockPath(of: real)
    let outcome = try? Environment.whileUnused(real, identity, patience: .zero) {
      unsafe unlink(lockPath) == 0
    }
    if case .done(true) = outcome { _ = Self.made.withLock { $0.remove(lockPath) } }
  }
}
