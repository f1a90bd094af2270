internal import Foundation
internal import WhimbrelLMDB

/// Puts a new store in the place of one that nobody has open.
package struct StoreReplacement {
  private let path: String
  private let transaction: Int
  private let identity: FileIdentity

  /// Why a store cannot be replaced.
  package enum Refusal: Error, Hashable {
    /// Another process has it open, or this one; a process is named where one is known.
    case inUse(processID: Int32?)
    /// It has been written, or replaced, since the new one was begun.
    case changed
    /// The new one is not whole.
    case unsound(String)
  }

  /// - Parameter session: what the new store is made of.
  package init(of session: Session) {
    path = Environment.resolve(session.file.path) ?? session.file.path
    transaction = session.view.transactionID
    identity = session.file.identity
  }

  /// A path beside the store where no file is, for the new one.
  package var newPath: String { TemporaryFiles(path: path).newPath(.new) }

  /// Checks a new store, gives it the place of the old one, and removes that.
  ///
  /// The old one has a second name until the new one has been looked at in its place; a crash
  /// leaves it there. The session that the new one was made of must be gone.
  ///
  /// - Throws: ``Refusal`` and `StoreError`; the old store is in its place then.
  package func replace(with newPath: String) throws {
    try Self.requireSound(newPath)
    FileStepProbe.reach(.replacementDecided, path)
    guard let lock = try MigrationLock(path: path) else {
      throw Refusal.inUse(processID: nil)
    }
    do {
      let outcome = try lock.whileHeld {
        try Environment.whileUnused(path, identity) { try swap(newPath) }
      }
      switch outcome {
      case .done: return
      case .elsewhere: throw Refusal.changed
      case .inUse(let process): throw Refusal.inUse(processID: process)
      }
    } catch let error as LMDBError {
      throw StoreError.describing(error, path: path)
    }
  }

  /// Replaces the old file, which nobody has open and nobody can open.
  private func swap(_ newPath: String) throws {
    FileStepProbe.reach(.replacementGuarded, path)
    guard try lastTransaction() == transaction else { throw Refusal.changed }
    var status = stat()
    if unsafe stat(path, &status) == 0 { unsafe chmod(newPath, status.st_mode & 0o777) }
    let (old, lockPath) = (
      TemporaryFiles(path: path).newPath(.old), Environment.lockPath(of: path)
    )
    guard unsafe link(path, old) == 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "link")
    }
    FileStepProbe.reach(.replacementLinked, path)
    // LMDB: who opens a file takes over the lock file that is beside it, which must not be that
    // of another file.
    _ = unsafe Foundation.rename(lockPath, old + "-lock")
    FileStepProbe.reach(.replacementLockMoved, path)
    do {
      // Nobody opens the new file before it has been looked at in its place.
      let done: Void? = try Environment.whileGuarded(newPath) { try takePlace(newPath) }
      if done == nil { throw Refusal.inUse(processID: nil) }
    } catch {
      try putBack(old)
      _ = unsafe Foundation.rename(old + "-lock", lockPath)
      throw error
    }
    StoreFile.removeFiles(at: old)
    unsafe unlink(newPath + "-lock")
  }

  private func takePlace(_ newPath: String) throws {
    try StoreFile.rename(newPath, to: path)
    FilePreflight.syncFolder(of: path)
    FileStepProbe.reach(.replacementNamed, path)
    do {
      _ = try StoreFile.header(ofFileAt: path)
    } catch {
      throw Refusal.unsound("\(error)")
    }
    FileStepProbe.reach(.replacementChecked, path)
  }

  /// Gives the old file its name again, if another has it.
  private func putBack(_ old: String) throws {
    if FileIdentity(path: path) == identity {
      unsafe unlink(old)
    } else {
      try StoreFile.rename(old, to: path)
    }
  }

  private func lastTransaction() throws -> Int {
    do throws(FileStructure.Failure) {
      return Int(clamping: try FileStructure.inspect(path: path).transaction)
    } catch {
      throw FilePreflight.explain(error, path)
    }
  }

  /// Throws unless every page, record, index and link of a store is as it should be.
  private static func requireSound(_ path: String) throws {
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    request.checksPages = true
    let session = try Session(StoreFile.attach(request))
    if let finding = try IntegrityCheck.run(session).first {
      throw Refusal.unsound(finding.description)
    }
  }
}
