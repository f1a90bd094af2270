internal import Foundation

/// A guard that keeps a file at its path.
///
/// LMDB opens a file by its path alone, creates one if it is missing, and takes over an existing
/// lock file. A file must therefore not be moved, replaced or removed while it is being opened, and
/// must not be opened meanwhile. All processes follow these rules:
///
/// 1. An opener holds the file's guard shared from before it resolves the path until LMDB has
///    opened the file and thereby holds a lock that others see.
/// 2. A process that moves, replaces or removes a file holds its guard exclusively, and then checks
///    whether the file is open.
/// 3. A file gets its final name only when it is complete, and only if no other file has that name.
///
/// The guard is a lock on one byte far beyond the file's end. The lock belongs to the open
/// descriptor, not to the process. It therefore also works between threads, and the system releases
/// it when the process dies. It is independent of the migration lock, which openers do not wait
/// for.
struct PathGuard: ~Copyable {
  /// The time that an opener waits while the file is moved, perhaps to another disk.
  static let patience = Duration.seconds(60)

  let identity: FileIdentity
  private let descriptor: Int32

  /// The byte whose lock is the guard.
  private static let byte = Int64.max - 1

  /// Takes the shared guard of the file at a path. Waits while the file is moved.
  ///
  /// - Throws: ``LMDBError`` with `noSuchFile` if the path does not exist, or with `busy` if the
  ///   wait takes too long.
  init(sharing path: String, patience: Duration = patience) throws(LMDBError) {
    let deadline = ContinuousClock.now + patience
    while true {
      let (descriptor, identity) = try Self.open(path, O_RDONLY)
      do throws(LMDBError) {
        while try !ByteLock.take(Self.byte, .shared, in: descriptor) {
          guard ContinuousClock.now < deadline else {
            throw LMDBError(code: .busy, function: "fcntl")
          }
          usleep(2_000)
        }
      } catch {
        close(descriptor)
        throw error
      }
      // The file may have been moved before the guard was taken.
      if FileIdentity(path: path) == identity {
        self.identity = identity
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  /// Takes the exclusive guard of the file at a path. Waits while others are opening the file.
  ///
  /// - Returns: Nil if another holder keeps the guard throughout `patience`.
  /// - Throws: ``LMDBError`` with `noSuchFile` if the path does not exist.
  init?(excluding path: String, patience: Duration) throws(LMDBError) {
    let deadline = ContinuousClock.now + patience
    let (descriptor, identity) = try Self.open(path, O_RDWR)
    do throws(LMDBError) {
      while try !ByteLock.take(Self.byte, .exclusive, in: descriptor) {
        guard ContinuousClock.now < deadline else {
          close(descriptor)
          return nil
        }
        usleep(1_000)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.identity = identity
    self.descriptor = descriptor
  }

  deinit {
    ByteLock.drop(Self.byte, in: descriptor)
    close(descriptor)
  }

  func whileHeld<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try body() }

  /// Whether a process has the file open.
  var isFileOpen: Bool { ByteLock.isHeld(Environment.openingBytes, in: descriptor) }

  private static func open(
    _ path: String, _ mode: Int32
  ) throws(LMDBError) -> (Int32, FileIdentity) {
    try StandardStreams.reserve()
    let descriptor = unsafe Foundation.open(path, mode | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: errno), function: "open") }
    guard let identity = FileIdentity(descriptor: descriptor) else {
      close(descriptor)
      throw LMDBError(code: .init(rawValue: EIO), function: "fstat")
    }
    return (descriptor, identity)
  }
}

// MARK: - Files that nobody uses

extension Environment {
  /// The outcome of ``whileUnused(_:_:patience:_:)``.
  package enum Exclusion<Result> {
    case done(Result)
    /// The file is open in this process or another one. The ID is given if it is known.
    case inUse(processID: Int32?)
    /// The path now leads to another file, or does not exist.
    case elsewhere
  }

  /// Runs `body` while no process has a file open or can open it.
  ///
  /// All openings in this process wait for the end of `body`. Within `body`, open files only with
  /// ``temporarily(path:options:_:)``.
  ///
  /// - Parameters:
  ///   - path: The path of the file, without symbolic links.
  ///   - identity: The expected identity of the file.
  ///   - patience: The time to wait for others that are opening or closing the file.
  package static func whileUnused<Result>(
    _ path: String, _ identity: FileIdentity, patience: Duration = .milliseconds(500),
    _ body: () throws -> Result
  ) throws -> Exclusion<Result> {
    let deadline = ContinuousClock.now + patience
    let taken: PathGuard?
    do throws(LMDBError) {
      taken = try PathGuard(excluding: path, patience: patience)
    } catch {
      if error.code == .noSuchFile { return .elsewhere }
      throw error
    }
    guard let taken else { return .inUse(processID: nil) }
    return try taken.whileHeld {
      guard taken.identity == identity, FileIdentity(path: path) == identity else {
        return .elsewhere
      }
      let outcome: Exclusion<Result>? = try Registry.shared.whileClosed(identity, until: deadline) {
        if let process = try otherUser(of: path) { return .inUse(processID: process) }
        // It may be open with another lock file, or without one.
        if taken.isFileOpen { return .inUse(processID: nil) }
        return .done(try body())
      }
      return outcome ?? .inUse(processID: getpid())
    }
  }

  /// Runs `body` while a file that is about to get its final name cannot be opened. Returns nil if
  /// another holder keeps the guard throughout `patience`.
  package static func whileGuarded<Result>(
    _ path: String, patience: Duration = .zero, _ body: () throws -> Result
  ) throws -> Result? {
    guard let taken = try PathGuard(excluding: path, patience: patience) else { return nil }
    return try taken.whileHeld(body)
  }
}

extension Environment {
  /// Gives a complete file its final name, and removes its temporary one. The file is not open.
  ///
  /// The file has both names for a moment. Openers wait until that is over, because they refuse a
  /// file with two names. A lock file of the same name, which a file that was deleted while it was
  /// open has left, goes first.
  ///
  /// - Parameter named: A closure to run when the file has both names. If it throws, the file loses
  ///   its new name.
  /// - Returns: Whether the file now has the name. False means that another file has it.
  package static func giveName(
    _ path: String, to temporary: String, _ named: () throws(LMDBError) -> Void = {}
  ) throws(LMDBError) -> Bool {
    guard unsafe access(temporary, R_OK | W_OK) == 0 else {
      // A copy of a read-only file cannot be guarded.
      return try moveName(path, to: temporary, named)
    }
    guard let taken = try PathGuard(excluding: temporary, patience: PathGuard.patience) else {
      throw LMDBError(code: .busy, function: "fcntl")
    }
    return try taken.whileHeld { () throws(LMDBError) in try moveName(path, to: temporary, named) }
  }

  private static func moveName(
    _ path: String, to temporary: String, _ named: () throws(LMDBError) -> Void
  ) throws(LMDBError) -> Bool {
    guard unsafe link(temporary, path) == 0 else {
      if errno == EEXIST { return false }
      throw LMDBError(code: .init(rawValue: errno), function: "link")
    }
    // LMDB: an opener takes over the lock file beside a file, so it must not be that of another
    // file.
    unsafe unlink(lockPath(of: path))
    do throws(LMDBError) {
      try named()
    } catch {
      unsafe unlink(path)
      throw error
    }
    unsafe unlink(temporary)
    return true
  }
}
