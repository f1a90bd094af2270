internal import Foundation
internal import WhimbrelLMDB

/// The replacement of a store, which nobody may have open, by a new one.
package struct StoreReplacement {
  private let path: String
  private let transaction: Int
  private let identity: FileIdentity

  /// The reason why a store cannot be replaced.
  package enum Refusal: Error, Hashable {
    /// Another process or this one has the store open. The ID is that of the process, if known.
    case inUse(processID: Int32?)
    /// The store has been written or replaced since the new one was begun.
    case changed
    /// The new store is damaged.
    case unsound(String)
  }

  /// Notes the file and the transaction that a session sees.
  ///
  /// - Parameter session: The source of the new store.
  package init(of session: Session) {
    path = Environment.resolve(session.file.path) ?? session.file.path
    transaction = session.view.transactionID
    identity = session.file.identity
  }

  /// Returns a path beside the store, for the new one.
  package func newFile() throws -> TemporaryFile {
    try TemporaryFile.new(beside: path)
  }

  /// Checks a new store, puts it in the place of the old one, and removes the old one.
  ///
  /// The old store keeps a second name until the new one has been read in its place. A crash leaves
  /// that name behind. Close the source session before the call.
  ///
  /// - Throws: ``Refusal`` or `StoreError`. The old store is then still in its place.
  package func replace(with newPath: String) throws {
    try Self.requireSound(newPath)
    FileStepProbe.reach(.replacementDecided, path)
    guard let lock = try MigrationLock(path: path) else {
      throw Refusal.inUse(processID: nil)
    }
    try StoreError.naming(path) {
      let outcome = try lock.whileHeld {
        try Environment.whileUnused(path, identity) { try swap(newPath) }
      }
      switch outcome {
      case .done: return
      case .elsewhere: throw Refusal.changed
      case .inUse(let process): throw Refusal.inUse(processID: process)
      }
    }
  }

  /// Replaces the old file. The caller ensures that nobody has it open and nobody can open it.
  private func swap(_ newPath: String) throws {
    FileStepProbe.reach(.replacementGuarded, path)
    guard try lastTransaction() == transaction else { throw Refusal.changed }
    let descriptor = unsafe open(newPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 {
      FileBytes.share(descriptor, like: path)
      close(descriptor)
    }
    let oldFile = try TemporaryFile(.old, beside: path)
    let (old, lockPath) = (oldFile.path, Environment.lockPath(of: path))
    guard unsafe link(path, old) == 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "link")
    }
    FileStepProbe.reach(.replacementLinked, path)
    // LMDB: an opener takes over the lock file beside a file, so it must not be that of another
    // file.
    _ = unsafe Foundation.rename(lockPath, old + "-lock")
    FileStepProbe.reach(.replacementLockMoved, path)
    do {
      // The guard keeps openers out until the new file has been read in its place.
      let done: Void? = try Environment.whileGuarded(newPath) { try takePlace(newPath) }
      if done == nil { throw Refusal.inUse(processID: nil) }
    } catch {
      do {
        try putBack(old)
      } catch {
        // The old store may have no other name.
        oldFile.leave()
        throw error
      }
      _ = unsafe Foundation.rename(old + "-lock", lockPath)
      oldFile.remove()
      // The new file's name may be on the disk. A power loss would bring it back, after writes to the
      // old file.
      try FilePreflight.syncFolder(of: path)
      throw error
    }
    oldFile.remove()
    unsafe unlink(newPath + "-lock")
  }

  private func takePlace(_ newPath: String) throws {
    try StoreFile.rename(newPath, to: path)
    try StoreError.naming(path) { try FilePreflight.syncFolder(of: path) }
    FileStepProbe.reach(.replacementNamed, path)
    do {
      _ = try StoreFile.header(ofFileAt: path)
    } catch {
      throw Refusal.unsound("\(error)")
    }
    FileStepProbe.reach(.replacementChecked, path)
  }

  /// Restores the old file's name if another file has it.
  private func putBack(_ old: String) throws {
    if FileIdentity(path: path) == identity {
      unsafe unlink(old)
    } else {
      try StoreFile.rename(old, to: path)
    }
  }

  private func lastTransaction() throws -> Int {
    try FilePreflight.inspect(path) { Int(clamping: $0.transaction) }
  }

  /// Throws unless all pages, records, indexes and links of a store are sound.
  private static func requireSound(_ path: String) throws {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.file.checks = .allPages
    let session = try Session(StoreFile.attach(request))
    if let finding = try IntegrityCheck.run(session).first {
      throw Refusal.unsound(finding.description)
    }
  }
}
