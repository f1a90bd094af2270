internal import Foundation
internal import Synchronization

/// A share of an open environment; the environment is closed with the last one.
package final class EnvironmentLease: Sendable {
  package let environment: Environment
  /// What file it is, wherever that has been moved to.
  package let identity: FileIdentity

  init(environment: Environment, identity: FileIdentity) {
    self.environment = environment
    self.identity = identity
  }

  deinit {
    Registry.shared.release(identity, environment)
  }
}

/// What a file is, whatever paths lead to it.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let node: UInt64

  /// The identity of the file at a path, or nil when there is none.
  ///
  /// - Parameter followsLinks: whether that of a symbolic link is that of where it leads.
  package init?(path: String, followsLinks: Bool = true) {
    var status = stat()
    guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      return nil
    }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension Environment {
  /// Opens the file at a path, which must exist, or shares it when this process
  /// has it open.
  ///
  /// - Throws: ``LMDBError`` with `noSuchFile`, also when the file has been moved away meanwhile;
  ///   with `otherSettings` when the file is open read-only and is now to be written.
  package static func open(
    path: String, options: Options = Options()
  ) throws(LMDBError) -> EnvironmentLease {
    FileStepProbe.reach(.openingFound, path)
    // What this process has open nobody moves: it needs no guard.
    if let lease = try Registry.shared.share(FileIdentity(path: path), options) { return lease }
    guard let real = resolve(path) else { throw LMDBError(code: .noSuchFile, function: "stat") }
    guard !options.ignoresLocks else {
      guard let identity = FileIdentity(path: real) else {
        throw LMDBError(code: .noSuchFile, function: "stat")
      }
      return try Registry.shared.lease(identity, path: real, options: options)
    }
    let guarding = try PathGuard(sharing: real)
    let lease = try guarding.whileHeld { () throws(LMDBError) in
      FileStepProbe.reach(.openingGuarded, path)
      return try Registry.shared.lease(guarding.identity, path: real, options: options)
    }
    FileStepProbe.reach(.openingOpened, path)
    return lease
  }

  /// The path of the lock file that belongs to a file.
  package static func lockPath(of path: String) -> String { (resolve(path) ?? path) + "-lock" }

  /// The path without symbolic links: all processes must use the same lock file.
  package static func resolve(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// The environments that this process has open.
///
/// A file is never opened before it is closed: closing would take the locks and
/// the reader slots of whoever has opened it meanwhile. An environment outlives its
/// last lease for as long as transactions have it, and closes outside of the lock;
/// so who opens the file then takes it over, or waits until it is closed.
final class Registry: Sendable {
  static let shared = Registry()

  private struct Entry {
    let environment: Environment
    var leases: Int
  }

  /// An environment without leases, which is closed or soon will be.
  private struct Leaving {
    weak var environment: Environment?
    let closing: Environment.Closing
  }

  private struct State {
    var entries: [FileIdentity: Entry] = [:]
    var leaving: [FileIdentity: Leaving] = [:]
  }

  private let state = Mutex(State())

  /// A lease of a file that this process has open, or nil when it does not.
  func share(
    _ identity: FileIdentity?, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentLease? {
    guard let identity else { return nil }
    return try state.withLock { state throws(LMDBError) in
      guard let environment = state.entries[identity]?.environment, environment.isOfThisProcess
      else { return nil }
      return try share(environment, identity, options, &state)
    }
  }

  /// A lease of a file, which is opened if this process does not have it open. The caller keeps
  /// the file at its path.
  func lease(
    _ identity: FileIdentity, path: String, options: Environment.Options
  ) throws(LMDBError) -> EnvironmentLease {
    while true {
      let lease = try state.withLock { state throws(LMDBError) -> EnvironmentLease? in
        // A child of a fork opens its own, and leaves its parent's alone.
        if let environment = state.entries[identity]?.environment, environment.isOfThisProcess {
          return try share(environment, identity, options, &state)
        }
        if let leaving = state.leaving[identity], !leaving.closing.isDone {
          guard let environment = leaving.environment else { return nil }
          if environment.isOfThisProcess {
            return try share(environment, identity, options, &state)
          }
        }
        let environment = try Environment.openUnregistered(path: path, options: options)
        return try share(environment, identity, options, &state)
      }
      if let lease { return lease }
      // Never longer than `mdb_env_close` takes.
      usleep(50)
    }
  }

  private func share(
    _ environment: Environment, _ identity: FileIdentity, _ options: Environment.Options,
    _ state: inout State
  ) throws(LMDBError) -> EnvironmentLease {
    guard options.isReadOnly || !environment.options.isReadOnly else {
      throw LMDBError(code: .otherSettings, function: "mdb_env_open")
    }
    var entry = Entry(environment: environment, leases: 1)
    if let known = state.entries[identity], known.environment === environment {
      entry.leases += known.leases
    }
    state.leaving[identity] = nil
    state.entries[identity] = entry
    return EnvironmentLease(environment: environment, identity: identity)
  }

  func release(_ identity: FileIdentity, _ environment: Environment) {
    state.withLock { state in
      guard var entry = state.entries[identity], entry.environment === environment else { return }
      entry.leases -= 1
      state.entries[identity] = entry.leases == 0 ? nil : entry
      if entry.leases > 0 { return }
      state.leaving = state.leaving.filter { !$0.value.closing.isDone }
      // The lease that is going has the environment still: it is not closed here.
      state.leaving[identity] = Leaving(
        environment: entry.environment, closing: entry.environment.closing)
    }
  }

  /// Runs `body` and opens nothing meanwhile, unless the file is open.
  func whileClosed<Result>(_ identity: FileIdentity, _ body: () throws -> Result) rethrows
    -> Result?
  {
    try state.withLock { state in
      let isLeaving = state.leaving[identity].map { !$0.closing.isDone } ?? false
      guard state.entries[identity] == nil, !isLeaving else { return nil }
      return try body()
    }
  }
}

extension Environment {
  /// Makes a new file at a path where nothing is yet, fills it, and closes it.
  package static func create(
    path: String, options: Options, _ fill: (Environment) throws -> Void
  ) throws {
    guard FileIdentity(path: path) == nil else {
      throw LMDBError(code: .init(rawValue: EEXIST), function: "mdb_env_open")
    }
    let environment = try openUnregistered(path: path, options: options)
    try fill(environment)
  }
}

// MARK: - Files that nobody has open

extension Environment {
  /// Opens a file for as long as `body` runs: one that nobody else in this process has
  /// open, or may open meanwhile.
  package static func temporarily<Result>(
    path: String, options: Options, _ body: (Environment) throws -> Result
  ) throws -> Result {
    try body(openUnregistered(path: path, options: options))
  }

  /// Another process that has a file open, or nil when there is none.
  ///
  /// This process must not have it open: that would lose its locks.
  ///
  /// LMDB: who has a file open holds a shared lock of the first byte of its lock file.
  package static func otherUser(of path: String) throws(LMDBError) -> Int32? {
    let descriptor = unsafe Foundation.open(lockPath(of: path), O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw LMDBError(code: .init(rawValue: errno), function: "open")
    }
    defer { close(descriptor) }
    var probe = flock()
    probe.l_type = Int16(F_WRLCK)
    probe.l_whence = Int16(SEEK_SET)
    probe.l_len = 1
    guard unsafe fcntl(descriptor, F_GETLK, &probe) == 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "fcntl")
    }
    return probe.l_type == Int16(F_UNLCK) ? nil : probe.l_pid
  }
}
