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
  package var newPath: String { path + ".new-\(UUID().uuidString)" }

  /// Checks a new store, gives it the place of the old one, and removes that.
  ///
  /// The old one has the name with `.backup` behind it from before the new one has its own until
  /// that has been looked at in its place; a crash leaves it there. The session that the new one was
  /// made of must be gone.
  ///
  /// - Throws: ``Refusal`` and `StoreError`; the old store is in its place then.
  package func replace(with newPath: String) throws {
    try Self.requireSound(newPath)
    guard let lock = try MigrationLock(path: path) else {
      throw Refusal.inUse(processID: nil)
    }
    try lock.whileHeld {
      guard FileIdentity(path: path) == identity else { throw Refusal.changed }
      let done: Void? = try Environment.whileClosed(identity) {
        do {
          if let process = try Environment.otherUser(of: path) {
            throw Refusal.inUse(processID: process)
          }
          try swap(newPath)
        } catch let error as LMDBError {
          throw StoreError.describing(error, path: path)
        }
      }
      if done == nil { throw Refusal.inUse(processID: nil) }
    }
  }

  /// Who opens the old file while it is replaced finds the mark of a migration at the first
  /// write, and that the path leads elsewhere.
  private func swap(_ newPath: String) throws {
    var options = Environment.Options()
    options.syncsMetaPage = true
    try Environment.temporarily(path: path, options: options) { environment in
      guard try environment.information().lastTransaction == transaction else {
        throw Refusal.changed
      }
      try environment.write { view throws(LMDBError) in
        try MigrationMark.set(in: view, isCleaning: false)
      }
    }
    let backup = path + ".backup"
    StoreFile.removeFiles(at: backup)
    guard unsafe link(path, backup) == 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "link")
    }
    var status = stat()
    if unsafe stat(path, &status) == 0 { unsafe chmod(newPath, status.st_mode & 0o777) }
    // LMDB: who opens a file takes over the lock file that is beside it, which must not be that
    // of another file.
    _ = unsafe Foundation.rename(Environment.lockPath(of: path), backup + "-lock")
    try StoreFile.rename(newPath, to: path)
    FilePreflight.syncFolder(of: path)
    do {
      _ = try StoreFile.header(ofFileAt: path)
    } catch {
      try StoreFile.rename(backup, to: path)
      throw Refusal.unsound("\(error)")
    }
    StoreFile.removeFiles(at: backup)
    unsafe unlink(newPath + "-lock")
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
