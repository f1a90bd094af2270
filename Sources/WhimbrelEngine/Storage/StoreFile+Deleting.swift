internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Returns whether a path leads to a regular file.
  package static func exists(at path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Deletes a store that nobody has open, with its lock file and the leftovers of processes that
  /// died.
  ///
  /// - Returns: Whether there was anything to delete.
  /// - Throws: ``StoreError`` with `storeInUse`, with `notAStore` for the file of another program,
  ///   or with the code for an error of the system.
  package static func deleteFiles(at path: String) throws -> Bool {
    let real = Environment.resolve(path) ?? path
    var isFound = false
    try StoreError.naming(path) {
      while !isFound, let identity = FileIdentity(path: real) {
        try requireFile(real)
        isFound = try lockedDelete(real, identity, describedAs: path)
      }
    }
    if TemporaryFiles(path: real).removeLeftovers(searches: true) { isFound = true }
    // A dangling symbolic link would remain, and no store could be created there.
    if isFound, real != path { removeLink(path) }
    if isFound { try? FilePreflight.syncFolder(of: real) }
    return isFound
  }

  private static func requireFile(_ path: String) throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    if status.st_mode & S_IFMT == S_IFDIR { throw StoreError.isDirectory(path: path) }
    // Opening a pipe would wait for its writer.
    throw StoreError.notDeleted(path: path, detail: FilePreflight.specialKind(of: path))
  }

  /// Deletes a file while holding its migration lock, or returns false if it is no longer at its
  /// path.
  private static func lockedDelete(
    _ path: String, _ identity: FileIdentity, describedAs name: String
  ) throws -> Bool {
    do {
      guard let lock = try MigrationLock(path: path) else {
        // A migration of this process or of another one has the lock.
        throw StoreError.storeInUse(
          verb: "delete", path: name, processID: Environment.isOpen(identity) ? getpid() : nil)
      }
      return try lock.whileHeld { try delete(path, identity, describedAs: name) }
    } catch StoreError.Code.fileNotFound {
      return false
    }
  }

  /// Deletes a file, or returns false if it is no longer at its path.
  private static func delete(
    _ path: String, _ identity: FileIdentity, describedAs name: String
  ) throws -> Bool {
    let outcome = try Environment.whileUnused(path, identity) {
      try requireStore(path, describedAs: name)
      FileStepProbe.reach(.removalGuarded, name)
      // The lock file goes first, while the file still keeps every opener out. In the reverse
      // order, the creator of a new store could find a lock file that is about to go.
      unsafe unlink(Environment.lockPath(of: path))
      FileStepProbe.reach(.removalLockRemoved, name)
      guard unsafe unlink(path) == 0 else {
        throw LMDBError(code: .init(rawValue: errno), function: "unlink")
      }
      FileStepProbe.reach(.removalDone, name)
    }
    switch outcome {
    case .done: return true
    case .elsewhere: return false
    case .inUse(let process):
      throw StoreError.storeInUse(verb: "delete", path: name, processID: process)
    }
  }

  /// Throws for the file of another program. A damaged store may be deleted.
  private static func requireStore(_ path: String, describedAs name: String) throws {
    do throws(FileStructure.Failure) {
      _ = try FileStructure.inspect(path: path).checkCatalog()
    } catch {
      switch error {
      case .empty, .badMeta, .truncated, .damaged, .damagedEntry, .damagedCount, .io: return
      case .notAFile, .tooShort, .notLMDB, .unsupportedVersion:
        throw StoreError.notDeleted(path: name, detail: "it is not an LMDB file")
      }
    }
    do {
      _ = try readHeader(ofFileAt: path)
    } catch Header.Problem.notAStore {
      throw StoreError.notDeleted(path: name, detail: "it is an LMDB file of another program")
    } catch {
      // An unreadable store may be deleted too.
      return
    }
  }

  private static func removeLink(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
    unsafe unlink(path)
  }
}
