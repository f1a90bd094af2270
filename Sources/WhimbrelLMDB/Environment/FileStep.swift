internal import Synchronization

/// A moment at which files are opened, made, moved, replaced or removed: what others see of a path
/// changes there.
///
/// Tests hold a thread up at one, or kill the process, and look at what others meet meanwhile.
package enum FileStep: String, Hashable, CaseIterable, Codable, Sendable {
  /// The file was looked at, and nothing keeps it at its path yet.
  case openingFound
  /// The file is kept at its path, and LMDB does not have it open yet.
  case openingGuarded
  /// LMDB has the file open, and what it holds has not been read.
  case openingOpened

  /// LMDB has made a file, and it holds nothing.
  case creationEmpty
  /// A new store is whole, and has no name.
  case creationWhole
  /// A new store has its name.
  case creationNamed

  /// A file is about to be moved away, and may be used until then.
  case movingDecided
  /// Nobody uses the file, and nobody can open it.
  case movingGuarded
  /// The file has its new name beside the old one.
  case movingLinked
  /// The lock file has its new name, and the file has both.
  case movingLockMoved
  /// The old name is gone.
  case movingDone

  /// A new file is about to take the place of another, and that may be used until then.
  case replacementDecided
  /// Nobody uses the old file, and nobody can open either.
  case replacementGuarded
  /// The old file has a second name.
  case replacementLinked
  /// The lock file has another name.
  case replacementLockMoved
  /// The new file has the name of the old one.
  case replacementNamed
  /// The new file has been looked at in its place.
  case replacementChecked

  /// A backup is whole, and has no name.
  case backupWhole
  /// A backup has its name.
  case backupNamed

  /// Nobody uses a file that is to be removed, and nobody can open it.
  case removalGuarded
  /// The lock file is gone.
  case removalLockRemoved
  /// The file is gone.
  case removalDone

  /// A copy is whole, and has no name.
  case copyWhole
  /// A copy has its name.
  case copyNamed
}

/// Calls what a test wants to happen at the steps of a file; without a test it does nothing.
package enum FileStepProbe {
  package typealias Action = @Sendable (FileStep) -> Void

  private static let isArmed = Atomic(false)
  private static let actions = Mutex<[String: Action]>([:])

  /// Lets `action` be called at the steps of the file at a path, from now on.
  package static func arm(_ path: String, _ action: @escaping Action) {
    actions.withLock { $0[path] = action }
    isArmed.store(true, ordering: .releasing)
  }

  package static func disarm(_ path: String) {
    _ = actions.withLock { $0.removeValue(forKey: path) }
  }

  /// Says that the file at a path is at a step.
  package static func reach(_ step: FileStep, _ path: String) {
    guard isArmed.load(ordering: .acquiring) else { return }
    let action = actions.withLock { $0[path] }
    action?(step)
  }
}
