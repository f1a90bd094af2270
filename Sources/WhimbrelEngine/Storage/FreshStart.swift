public import Foundation
internal import Logging
internal import WhimbrelLMDB

/// A fresh start: the app chose to open an empty store when the migration of the old one failed.
public struct FreshStart: Sendable {
  /// The reason why the migration failed.
  public let reason: StoreError
  /// The new location of the old file.
  public let oldStore: URL
  /// The new location of the old file's backup, or nil if it had none at the configured URL. It is
  /// beside the old location, with a number, so that the new store can have a backup there.
  public let oldBackup: URL?
}

/// A migration that would fail again, and the identity of the file, which is unchanged.
struct FailedMigration: Error {
  let error: StoreError
  let identity: FileIdentity
}

extension StoreFile {
  /// The time to wait until others have closed the file.
  private static let patience = Duration.seconds(2)

  /// Moves a file away and opens a new store in its place.
  static func startFresh(
    _ request: OpenRequest, after failure: FailedMigration
  ) throws -> StoreFile {
    var request = request
    // Moving the file of a symbolic link would leave a dangling link.
    request.path = Environment.resolve(request.path) ?? request.path
    let deadline = ContinuousClock.now + patience
    while true {
      // Another opener may already have started fresh.
      guard FileIdentity(path: request.path) == failure.identity else {
        return try openInPlace(request)
      }
      do {
        guard let moved = try replaceByNew(request, failure) else { continue }
        let freshStart = FreshStart(
          reason: failure.error, oldStore: URL(fileURLWithPath: moved.store),
          oldBackup: moved.backup.map { URL(fileURLWithPath: $0) })
        Logger(label: "whimbrel.migration").warning(
          """
          \(failure.error) The store is now at \(Sentence.quoted(moved.store))\
          \(moved.backup.map { ", and its backup at \(Sentence.quoted($0))" } ?? "").
          """,
          metadata: ["path": "\(request.path)"])
        return try StoreFile(openInPlace(request), after: freshStart)
      } catch StoreError.Code.freshStartRefused where ContinuousClock.now < deadline {
        usleep(20_000)
      }
    }
  }

  /// Moves the file of a request away and puts a new store in its place.
  ///
  /// - Returns: The new paths of the old file and of its backup, if it has one. Nil if the old file
  ///   has gone from its path.
  private static func replaceByNew(
    _ request: OpenRequest, _ failure: FailedMigration
  ) throws -> (store: String, backup: String?)? {
    let destination = request.migration.failedStorePath ?? request.path
    func refused(_ problem: StoreError.FreshStartProblem) -> StoreError {
      StoreError.freshStartRefused(
        path: request.path, destination: destination, problem: problem,
        underlying: failure.error)
    }
    guard FileIdentity(path: FilePreflight.folder(of: destination)) != nil else {
      throw refused(.folderMissing)
    }
    // The new file is created before the old one is moved: the disk may have no room for it.
    let new = try NewStoreFile(request)
    FileStepProbe.reach(.movingDecided, request.path)
    do {
      guard let lock = try MigrationLock(path: request.path) else {
        throw refused(.inUse(processID: nil))
      }
      let outcome = try lock.whileHeld {
        try Environment.whileUnused(request.path, failure.identity) {
          // Nobody opens the new store before it is clear that it stays.
          try Environment.whileGuarded(new.temporaryPath) {
            let backup = moveBackup(request, failure.identity)
            do {
              return (try move(request, failure.identity, to: destination, for: new), backup?.moved)
            } catch {
              // Each opening would leave one more backup.
              if let backup { try? renameWithLock(backup.moved, to: backup.path) }
              throw error
            }
          }
        }
      }
      switch outcome {
      case .done(let moved?): return moved
      case .done(nil): throw refused(.inUse(processID: nil))
      case .elsewhere: return nil
      case .inUse(let process): throw refused(.inUse(processID: process))
      }
    } catch StoreError.Code.fileNotFound {
      return nil
    } catch let error as LMDBError {
      throw StoreError.describing(error, path: request.path)
    }
  }

  /// Moves a file, and puts a new store in its place. The caller ensures that nobody has either file
  /// open and nobody can open them.
  ///
  /// The file gets its new name before the new store takes the old one, so a crash cannot lose the
  /// file. There is a store at the path at any moment: without one, the next opener would create an
  /// empty one, and the app would not learn where the old one is.
  private static func move(
    _ request: OpenRequest, _ identity: FileIdentity, to destination: String, for new: NewStoreFile
  ) throws -> String {
    FileStepProbe.reach(.movingGuarded, request.path)
    guard let moved = try name(request.path, identity, like: destination) else {
      return try moveAcross(request, to: destination, for: new)
    }
    try keepName(moved)
    FileStepProbe.reach(.movingLinked, request.path)
    let lockPath = Environment.lockPath(of: request.path)
    _ = unsafe Foundation.rename(lockPath, moved + "-lock")
    FileStepProbe.reach(.movingLockMoved, request.path)
    do {
      try rename(new.temporaryPath, to: request.path)
      FileStepProbe.reach(.movingDone, request.path)
      try FilePreflight.syncFolder(of: request.path)
    } catch {
      if FileIdentity(path: request.path) == identity {
        unsafe unlink(moved)
      } else if (try? rename(moved, to: request.path)) == nil {
        throw error
      }
      _ = unsafe Foundation.rename(moved + "-lock", lockPath)
      // The new store's name may be on the disk. A power loss would bring it back.
      try? FilePreflight.syncFolder(of: request.path)
      throw error
    }
    return moved
  }

  /// Gives the backup of a file that is about to be moved another name, with a number. The backup of
  /// the new store does not replace one of another store.
  ///
  /// - Returns: The old and the new path, or nil if there is no backup or the move fails.
  private static func moveBackup(
    _ request: OpenRequest, _ identity: FileIdentity
  ) -> (path: String, moved: String)? {
    guard let configured = request.migration.backupPath,
      let path = Environment.resolve(configured), let found = FileIdentity(path: path),
      found != identity, let store = try? readHeader(ofFileAt: request.path),
      let backup = try? readHeader(ofFileAt: path), backup.uuid == store.uuid,
      let moved = try? name(path, found, like: path), (try? keepName(moved)) != nil
    else { return nil }
    unsafe unlink(path)
    _ = unsafe Foundation.rename(path + "-lock", moved + "-lock")
    // If that fails, a power loss may bring the old name back as well.
    try? FilePreflight.syncFolder(of: path)
    return (path, moved)
  }

  private static func renameWithLock(_ path: String, to other: String) throws(LMDBError) {
    try rename(path, to: other)
    _ = unsafe Foundation.rename(path + "-lock", other + "-lock")
    try FilePreflight.syncFolder(of: other)
  }

  /// Waits until a file's new name is on the disk, because the old name must not disappear before.
  /// If that fails, removes the new name.
  private static func keepName(_ path: String) throws(LMDBError) {
    do throws(LMDBError) {
      try FilePreflight.syncFolder(of: path)
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Moves a file to another file system. The original is removed only after the copy is complete
  /// and readable.
  private static func moveAcross(
    _ request: OpenRequest, to destination: String, for new: NewStoreFile
  ) throws -> String {
    let file = try TemporaryFile(.new, beside: destination)
    defer { file.remove() }
    let temporary = file.path
    try Environment.temporarily(path: request.path, options: request.options) { environment in
      try environment.copy(to: temporary, isCompacted: false)
    }
    guard let identity = FileIdentity(path: temporary) else {
      throw LMDBError(code: .noSuchFile, function: "stat")
    }
    _ = try header(ofFileAt: temporary, describedAs: request.path)
    guard let moved = try name(temporary, identity, like: destination) else {
      throw LMDBError(code: .init(rawValue: EXDEV), function: "link")
    }
    try keepName(moved)
    // The lock file goes first, while the guard still keeps every opener out.
    unsafe unlink(Environment.lockPath(of: request.path))
    do throws(LMDBError) {
      try rename(new.temporaryPath, to: request.path)
    } catch {
      unsafe unlink(moved)
      throw error
    }
    FileStepProbe.reach(.movingDone, request.path)
    // If that fails, a power loss may bring the old file back, and the next opener moves it again.
    try? FilePreflight.syncFolder(of: request.path)
    return moved
  }

  /// Links a file to a wanted path. If another file has that name, a number is appended.
  ///
  /// - Returns: The new path, or nil if it is on another file system.
  private static func name(
    _ path: String, _ identity: FileIdentity, like wanted: String
  ) throws(LMDBError) -> String? {
    let url = URL(fileURLWithPath: wanted)
    var (candidate, number) = (wanted, 1)
    while true {
      if unsafe link(path, candidate) == 0 { return candidate }
      switch errno {
      case EXDEV: return nil
      case EEXIST:
        // A process that died while it moved the file has left both names.
        if isOtherName(candidate, of: path, identity) { return candidate }
      case let number: throw LMDBError(code: .init(rawValue: number), function: "link")
      }
      number += 1
      let name = "\(url.deletingPathExtension().path)-\(number)"
      candidate = url.pathExtension.isEmpty ? name : "\(name).\(url.pathExtension)"
    }
  }

  private static func isOtherName(
    _ candidate: String, of path: String, _ identity: FileIdentity
  ) -> Bool {
    guard FileIdentity(path: candidate, followsLinks: false) == identity,
      let one = Environment.resolve(candidate), let other = Environment.resolve(path)
    else { return false }
    return one != other
  }
}

extension StoreError {
  /// Whether a migration that failed with this error would fail again until its code or the data
  /// change. Cancellation and a full disk are not lasting.
  var isLastingFailure: Bool {
    switch code {
    case .migrationUnset, .migrationDuplicateKeys, .migrationNil, .conversionFailed,
      .invalidRename, .schemaMismatch, .damaged:
      true
    case .migrationBlockFailed: !(underlying is CancellationError)
    // Errors of the calls that a migration block makes.
    case .duplicatePrimaryKey, .missingValue, .wrongType, .outOfRange, .unknownClass,
      .unknownProperty, .objectDeleted, .objectOfOtherStore, .noPrimaryKey, .valueTooLarge,
      .primaryKeyIsFixed, .invalidMapKey, .nestedTooDeep, .embeddedHasOwner,
      .embeddedNeedsOwner, .positionOutOfBounds, .oldObjectIsReadOnly, .shapeMismatch:
      true
    default: false
    }
  }
}
