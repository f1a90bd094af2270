internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Writes a copy of the file to a path. The copy appears there only when it is complete and on
  /// the disk. The caller holds the migration lock and has set the mark.
  ///
  /// An older copy of the same store is replaced. Any other file at the path is an error.
  func backUp(to backup: String) throws {
    try requireReplaceable(backup)
    try requireSpace(for: backup)
    try StoreError.naming(backup) {
      let temporary = try TemporaryFile(.new, beside: backup)
      defer { temporary.remove() }
      try copy(to: temporary.path)
      FileStepProbe.reach(.backupWhole, path)
      try replace(backup, with: temporary.path)
      try FilePreflight.syncFolder(of: backup)
      FileStepProbe.reach(.backupNamed, path)
    }
  }

  /// Writes a copy of the file, without the mark of a migration.
  func copy(to path: String) throws {
    try environment.copy(to: path, isCompacted: false)
    var status = stat()
    if try unsafe stat(environment.path, &status) == 0 {
      unsafe chmod(path, status.st_mode & 0o777)
    }
    try Environment.temporarily(path: path, options: environment.options) { copy in
      try copy.write { view throws(LMDBError) in try MigrationMark.remove(in: view) }
      try copy.sync()
    }
  }

  /// Returns whether a path has a copy of the file with a lower schema version.
  func hasBackup(at backup: String) throws -> Bool {
    guard let found = FileIdentity(path: backup), found != identity else { return false }
    let current = try currentHeader()
    var isBackup = false
    try whileUnused(found, backup) {
      let old = try? Self.header(ofFileAt: backup)
      isBackup =
        old.map { $0.uuid == current.uuid && $0.schemaVersion < current.schemaVersion } ?? false
    }
    return isBackup
  }

  private func requireReplaceable(_ backup: String) throws {
    guard let found = FileIdentity(path: backup) else {
      guard FileIdentity(path: FilePreflight.folder(of: backup)) != nil else {
        throw backupFailed(backup, .folderMissing)
      }
      return
    }
    if found == identity { throw backupFailed(backup, .isTheStore) }
    guard Self.exists(at: backup) else { throw backupFailed(backup, .notAStore) }
    let current = try currentHeader()
    try whileUnused(found, backup) {
      guard let old = try? Self.header(ofFileAt: backup) else {
        throw backupFailed(backup, .notAStore)
      }
      if old.uuid != current.uuid { throw backupFailed(backup, .otherStore) }
      if old.schemaVersion > current.schemaVersion {
        throw backupFailed(backup, .newerVersion(old.schemaVersion))
      }
    }
  }

  private func requireSpace(for backup: String) throws {
    let facts = try environment.information()
    let needed = (facts.lastPage + 1) * facts.pageSize
    guard let available = FilePreflight.freeSpace(beside: backup), needed > available else {
      return
    }
    throw StoreError.noSpace(path: backup, needed: needed, available: available)
  }

  /// Replaces an earlier backup.
  ///
  /// LMDB: a process that opens a file uses its lock file, which must not be that of another file.
  private func replace(_ backup: String, with temporary: String) throws {
    guard let found = FileIdentity(path: backup) else {
      guard try Environment.giveName(backup, to: temporary) else {
        throw backupFailed(backup, .notAStore)
      }
      return
    }
    try whileUnused(found, backup) { try Self.rename(temporary, to: backup) }
  }

  /// Runs `body` while no process has an earlier backup open.
  private func whileUnused(
    _ identity: FileIdentity, _ backup: String, _ body: () throws -> Void
  ) throws {
    let path = Environment.resolve(backup) ?? backup
    switch try Environment.whileUnused(path, identity, body) {
    case .done: return
    case .inUse(let process): throw backupFailed(backup, .inUse(processID: process))
    case .elsewhere: throw backupFailed(backup, .inUse(processID: nil))
    }
  }

  private func backupFailed(
    _ backup: String, _ problem: StoreError.BackupProblem
  ) -> StoreError {
    StoreError.backupFailed(path: path, backup: backup, problem: problem)
  }
}

// MARK: - Files that are not open

extension StoreFile {
  /// Returns the header of a file that is not being written, after a check of all its pages.
  ///
  /// - Parameter name: The name of the file in errors, or nil for its path.
  static func header(ofFileAt path: String, describedAs name: String? = nil) throws -> Header {
    let name = name ?? path
    _ = try FilePreflight.inspect(path, describedAs: name) { try $0.checkPages() }
    do {
      return try StoreError.naming(name) { try readHeader(ofFileAt: path) }
    } catch let problem as Header.Problem {
      throw problem.explained(name)
    }
  }

  /// Returns the header of a file that is not being written, without a check of its pages.
  static func readHeader(ofFileAt path: String) throws -> Header {
    var options = Environment.Options()
    options.isReadOnly = true
    options.ignoresLocks = true
    return try Environment.temporarily(path: path, options: options) { environment in
      let transaction = try ReadTransaction(environment)
      guard let bytes = try transaction.view.value(.main, MainKey.header) else {
        throw Header.Problem.notAStore
      }
      return try Header(bytes)
    }
  }

  static func rename(_ path: String, to other: String) throws(LMDBError) {
    guard unsafe Foundation.rename(path, other) == 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "rename")
    }
  }

  /// Removes a file and its lock file.
  static func removeFiles(at path: String) {
    unsafe unlink(path)
    unsafe unlink(path + "-lock")
  }
}

extension MigrationTask {
  /// Returns the path for a copy of the file before this migration, or nil for no copy.
  ///
  /// The first of several steps makes the copy. If the steps were interrupted, an existing copy
  /// from before the first step is kept: it is worth more than one from between two steps.
  func requiredBackup() throws -> String? {
    guard case .migration = purpose, oldVersion != newVersion,
      request.migration.step == 1,
      let path = request.migration.backupPath
    else { return nil }
    if let last = loaded.catalog.history.last, last.to == oldVersion,
      !last.remainingSteps.isEmpty, try file.hasBackup(at: path)
    {
      return nil
    }
    return path
  }
}
