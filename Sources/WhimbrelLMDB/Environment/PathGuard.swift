internal import Foundation

/// Keeps a file at its path.
///
/// LMDB opens a file by its path alone, makes one where none is, and takes over the lock file that
/// it finds there. So nobody may move, replace or remove a file while somebody is about to open
/// it, and nobody may open it meanwhile. The rules, which all processes keep:
///
/// 1. Who opens a file holds its guard shared from before it looks where the path leads until LMDB
///    has the file open, and with it a lock that others see.
/// 2. Who moves, replaces or removes a file holds its guard exclusively, and looks then whether
///    anybody has it open.
/// 3. A file gets a name only when it is whole, and only where no other file has it.
///
/// The guard is a lock on one byte of the file, far behind its end. It belongs to the open
/// descriptor and not to the process: threads keep each other out with it too, and the system drops
/// it when the process dies. It has nothing to do with the lock of a migration, which openers do
/// not wait for.
struct PathGuard: ~Copyable {
  /// How long an opener waits for somebody who moves the file, perhaps to another disk.
  static let patience = Duration.seconds(60)

  /// What file it is.
  let identity: FileIdentity
  private let descriptor: Int32

  /// The numbers of `F_OFD_SETLK`, which Swift does not import on Linux.
  #if canImport(Darwin)
    private static let setLock: Int32 = 90
  #else
    private static let setLock: Int32 = 37
  #endif

  /// Takes the guard of the file to which a path leads, and waits while it is moved.
  ///
  /// - Throws: ``LMDBError`` with `noSuchFile` when the path leads nowhere, and with `busy` when
  ///   it has waited for too long.
  init(sharing path: String, patience: Duration = patience) throws(LMDBError) {
    let deadline = ContinuousClock.now + patience
    while true {
      let (descriptor, identity) = try Self.open(path, O_RDONLY)
      do throws(LMDBError) {
        while try !Self.lock(descriptor, F_RDLCK) {
          guard ContinuousClock.now < deadline else {
            throw LMDBError(code: .busy, function: "fcntl")
          }
          usleep(2_000)
        }
      } catch {
        close(descriptor)
        throw error
      }
      // It may have been moved before the guard was taken.
      if FileIdentity(path: path) == identity {
        self.identity = identity
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  /// Takes the guard of the file to which a path leads for this one alone, and waits for those who
  /// are opening it.
  ///
  /// - Returns: nil when somebody else has it for all of `patience`.
  /// - Throws: ``LMDBError`` with `noSuchFile` when the path leads nowhere.
  init?(excluding path: String, patience: Duration) throws(LMDBError) {
    let deadline = ContinuousClock.now + patience
    let (descriptor, identity) = try Self.open(path, O_RDWR)
    do throws(LMDBError) {
      while try !Self.lock(descriptor, F_WRLCK) {
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
    close(descriptor)
  }

  /// Runs `body` while the guard is held.
  func whileHeld<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try body() }

  private static func open(
    _ path: String, _ mode: Int32
  ) throws(LMDBError) -> (Int32, FileIdentity) {
    let descriptor = unsafe Foundation.open(path, mode | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: errno), function: "open") }
    guard let identity = FileIdentity(descriptor: descriptor) else {
      close(descriptor)
      throw LMDBError(code: .init(rawValue: EIO), function: "fstat")
    }
    return (descriptor, identity)
  }

  /// Locks the byte, or returns false when somebody else has it.
  private static func lock(_ descriptor: Int32, _ kind: some BinaryInteger) throws(LMDBError)
    -> Bool
  {
    var lock = flock()
    lock.l_type = Int16(kind)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = .max - 1
    lock.l_len = 1
    if unsafe fcntl(descriptor, setLock, &lock) == 0 { return true }
    if errno == EAGAIN || errno == EACCES || errno == EINTR { return false }
    throw LMDBError(code: .init(rawValue: errno), function: "fcntl")
  }
}

// MARK: - Files that nobody uses

extension Environment {
  /// What came of ``whileUnused(_:_:patience:_:)``.
  package enum Exclusion<Result> {
    case done(Result)
    /// It is open in another process, which is named, or in this one.
    case inUse(processID: Int32?)
    /// The path leads to another file by now, or nowhere.
    case elsewhere
  }

  /// Runs `body` while nobody has a file open, in any process, and nobody can open it.
  ///
  /// Opening any file in this process waits for the end of `body`, which must not open one itself
  /// but by ``temporarily(path:options:_:)``.
  ///
  /// - Parameters:
  ///   - path: where the file is, without symbolic links.
  ///   - identity: what file it is.
  ///   - patience: how long to wait for those who are opening it.
  package static func whileUnused<Result>(
    _ path: String, _ identity: FileIdentity, patience: Duration = .milliseconds(500),
    _ body: () throws -> Result
  ) throws -> Exclusion<Result> {
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
      let outcome: Exclusion<Result>? = try Registry.shared.whileClosed(identity) {
        if let process = try otherUser(of: path) { return .inUse(processID: process) }
        return .done(try body())
      }
      return outcome ?? .inUse(processID: nil)
    }
  }

  /// Runs `body` while nobody can open a file that is about to get its name.
  package static func whileGuarded<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws -> Result? {
    guard let taken = try PathGuard(excluding: path, patience: .zero) else { return nil }
    return try taken.whileHeld(body)
  }
}

extension FileIdentity {
  /// The identity of an open file.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}
