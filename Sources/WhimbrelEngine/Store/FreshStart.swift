public import Foundation
internal import Logging
internal import WhimbrelLMDB

/// What became of a store whose migration failed, where the app has chosen to go on with an
/// empty one.
public struct FreshStart: Sendable {
  /// Why the migration failed.
  public let reason: StoreError
  /// Where the old file is now.
  public let oldStore: URL

  init(reason: StoreError, oldStore: URL) {
    self.reason = reason
    self.oldStore = oldStore
  }
}

/// A migration that would fail again, and the file that it left as it was.
struct FailedMigration: Error {
  let error: StoreError
  let identity: FileIdentity
}

extension StoreFile {
  /// How long others of this process, which open the file too, are waited for.
  private static let patience = Duration.seconds(2)

  /// Moves a file away and opens a new one in its place.
  static func startFresh(
    _ request: OpenRequest, after failure: FailedMigration
  ) throws -> StoreFile {
    var request = request
    // A symbolic link would lead nowhere.
    request.path = Environment.resolve(request.path) ?? request.path
    let deadline = ContinuousClock.now + patience
    while true {
      // Somebody else may have started fresh.
      guard FileIdentity(path: request.path) == failure.identity else {
        return try open(request)
      }
      do {
        let oldPath = try moveAway(request, failure)
        let freshStart = FreshStart(
          reason: failure.error, oldStore: URL(fileURLWithPath: oldPath))
        Logger(label: "whimbrel.migration").warning(
          "\(failure.error) The store is now at \(Sentence.quoted(oldPath)).",
          metadata: ["path": "\(request.path)"])
        return StoreFile(try open(request), after: freshStart)
      } catch StoreError.Code.freshStartRefused where ContinuousClock.now < deadline {
        usleep(20_000)
      }
    }
  }

  /// Moves the file of a request away, and returns where it is.
  ///
  /// Whoever opens it while it is moved finds the mark of a migration at the first write,
  /// and that the path leads elsewhere.
  private static func moveAway(
    _ request: OpenRequest, _ failure: FailedMigration
  ) throws -> String {
    let destination = request.failedStorePath ?? request.path
    func refused(_ problem: StoreError.FreshStartProblem) -> StoreError {
      StoreError.freshStartRefused(
        path: request.path, destination: destination, problem: problem,
        underlying: failure.error)
    }
    guard FileIdentity(path: FilePreflight.folder(of: destination)) != nil else {
      throw refused(.folderMissing)
    }
    guard let lock = try MigrationLock(path: request.path) else {
      throw refused(.inUse(processID: nil))
    }
    let moved = try lock.whileHeld {
      try Environment.whileClosed(failure.identity) { () throws -> String in
        do {
          if let process = try Environment.otherUser(of: request.path) {
            throw refused(.inUse(processID: process))
          }
          return try move(request, to: freePath(like: destination))
        } catch let error as LMDBError {
          throw StoreError.describing(error, path: request.path)
        }
      }
    }
    guard let moved else { throw refused(.inUse(processID: nil)) }
    return moved
  }

  private static func move(_ request: OpenRequest, to destination: String) throws -> String {
    try Environment.temporarily(path: request.path, options: request.options) { environment in
      try environment.write { view throws(LMDBError) in
        try MigrationMark.set(in: view, isCleaning: false)
      }
    }
    let lockPath = Environment.lockPath(of: request.path)
    // The lock file first: who opens the file at its new place then shares it with who
    // has opened it just before.
    _ = unsafe Foundation.rename(lockPath, destination + "-lock")
    do throws(LMDBError) {
      try rename(request.path, to: destination)
    } catch {
      guard error.code.rawValue == EXDEV else {
        _ = unsafe Foundation.rename(destination + "-lock", lockPath)
        throw error
      }
      try copyAcross(request, to: destination)
    }
    FilePreflight.syncFolder(of: destination)
    FilePreflight.syncFolder(of: request.path)
    return destination
  }

  /// Moves a file to another file system: it goes only when its copy is whole.
  private static func copyAcross(_ request: OpenRequest, to destination: String) throws {
    let temporary = destination + ".new"
    removeFiles(at: temporary)
    defer { removeFiles(at: temporary) }
    try Environment.temporarily(path: request.path, options: request.options) { environment in
      try environment.copy(to: temporary, isCompacted: false)
    }
    _ = try header(ofFileAt: temporary)
    try rename(temporary, to: destination)
    FilePreflight.syncFolder(of: destination)
    removeFiles(at: request.path)
  }

  /// A path where nothing is: that one, or one with a number behind the name.
  private static func freePath(like path: String) -> String {
    let url = URL(fileURLWithPath: path)
    var (candidate, number) = (path, 1)
    var status = stat()
    while unsafe lstat(candidate, &status) == 0 {
      number += 1
      let name = "\(url.deletingPathExtension().path)-\(number)"
      candidate = url.pathExtension.isEmpty ? name : "\(name).\(url.pathExtension)"
    }
    return candidate
  }
}

extension StoreError {
  /// Whether a migration that ended so will end so again: its code or the data must change
  /// first. A cancelled one will not, nor one that met a full disk.
  var isLastingFailure: Bool {
    switch code {
    case .migrationUnset, .migrationDuplicateKeys, .migrationNil, .conversionFailed,
      .invalidRename, .schemaMismatch, .damaged:
      true
    case .migrationBlockFailed: !(underlying is CancellationError)
    // What the block may throw of what it calls.
    case .duplicatePrimaryKey, .missingValue, .wrongType, .outOfRange, .unknownClass,
      .unknownProperty, .objectDeleted, .objectOfOtherStore, .noPrimaryKey, .valueTooLarge,
      .primaryKeyIsFixed, .invalidMapKey, .nestedTooDeep, .embeddedHasParent,
      .embeddedNeedsParent, .positionOutOfBounds, .oldObjectIsReadOnly:
      true
    default: false
    }
  }
}
