internal import Synchronization

/// A step of opening, creating, moving, replacing or removing a file. Each step changes what others
/// see at a path.
///
/// Tests pause a thread or kill the process at a step, and check what others see then.
package enum FileStep: String, Hashable, CaseIterable, Codable, Sendable {
  /// The opener has seen the file, but does not guard its path yet.
  case openingFound
  /// The opener guards the path, but LMDB has not opened the file yet.
  case openingGuarded
  /// LMDB has opened the file, but its contents have not been read.
  case openingOpened

  /// LMDB has created a file, which is empty.
  case creationEmpty
  /// A new store is complete, but does not have its name yet.
  case creationWhole
  /// A new store has its name.
  case creationNamed

  /// A file is about to be moved away. Until then it may be used.
  case movingDecided
  /// The file is not in use, and no process can open it.
  case movingGuarded
  /// The file has its new name and still the old one.
  case movingLinked
  /// The lock file has its new name, and the file has both names.
  case movingLockMoved
  /// A new store has the old name.
  case movingDone

  /// A new file is about to replace another. Until then the old one may be used.
  case replacementDecided
  /// The old file is not in use, and no process can open either file.
  case replacementGuarded
  /// The old file has a second name.
  case replacementLinked
  /// The lock file has another name.
  case replacementLockMoved
  /// The new file has the name of the old one.
  case replacementNamed
  /// The new file has been read in its place.
  case replacementChecked

  /// A backup is complete, but does not have its name yet.
  case backupWhole
  /// A backup has its name.
  case backupNamed

  /// A file that is to be removed is not in use, and no process can open it.
  case removalGuarded
  /// The lock file is removed.
  case removalLockRemoved
  /// The file is removed.
  case removalDone

  /// A copy is complete, but does not have its name yet.
  case copyWhole
  /// A copy has its name.
  case copyNamed
}

/// A probe that calls a test's action at each file step. Without a test it does nothing.
package enum FileStepProbe {
  package typealias Action = @Sendable (FileStep) -> Void

  private static let isArmed = Atomic(false)
  private static let actions = Mutex<[String: Action]>([:])

  /// Registers an action for the steps of the file at a path.
  package static func arm(_ path: String, _ action: @escaping Action) {
    actions.withLock { $0[path] = action }
    isArmed.store(true, ordering: .releasing)
  }

  package static func disarm(_ path: String) {
    _ = actions.withLock { $0.removeValue(forKey: path) }
  }

  /// Reports that the file at a path has reached a step.
  package static func reach(_ step: FileStep, _ path: String) {
    guard isArmed.load(ordering: .acquiring) else { return }
    let action = actions.withLock { $0[path] }
    action?(step)
  }
}
