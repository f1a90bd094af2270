internal import Foundation
internal import Synchronization

/// A lease of an open environment. The environment closes when its last lease is released.
package final class EnvironmentLease: Sendable {
  package let environment: Environment
  /// The identity of the file, which stays the same when the file is moved.
  package let identity: FileIdentity

  init(environment: Environment, identity: FileIdentity) {
    self.environment = environment
    self.identity = identity
  }

  deinit {
    Registry.shared.release(identity, environment)
  }
}

extension Environment {
  /// Opens an existing file, or shares its environment if this process already has it open.
  ///
  /// - Throws: ``LMDBError`` with `noSuchFile` if the file does not exist or is moved away
  ///   meanwhile; with `otherSettings` if the file is open read-only and is now to be written; with
  ///   `fileReplaced` if the lock file beside it is still in use for a file that was there before;
  ///   with an error of ``requireInPlace()``.
  package static func open(
    path: String, options: Options = Options()
  ) throws(LMDBError) -> EnvironmentLease {
    FileStepProbe.reach(.openingFound, path)
    // A file that this process has open is not moved, so it needs no guard.
    if let lease = try Registry.shared.share(FileIdentity(path: path), options) {
      try lease.environment.requireInPlace()
      return lease
    }
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
      let lease = try Registry.shared.lease(guarding.identity, path: real, options: options)
      // This happens inside the guard: a file that gets its final name has two names for a moment.
      try lease.environment.requireInPlace()
      return lease
    }
    if !options.isReadOnly { lease.environment.adoptLastCommit() }
    FileStepProbe.reach(.openingOpened, path)
    return lease
  }

  package static func lockPath(of path: String) -> String { (resolve(path) ?? path) + "-lock" }

  /// Returns the path without symbolic links, because all processes must use the same lock file.
  package static func resolve(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// The registry of the environments that this process has open.
///
/// Invariant: a file is not opened again before its previous environment is closed. A late close
/// would drop the locks and reader slots of the new one. An environment outlives its last lease
/// while transactions use it, and it closes outside the lock. An opener therefore takes it over, or
/// waits until it is closed: always if it is being closed, and for a while if LMDB refuses its use.
final class Registry: Sendable {
  static let shared = Registry()

  private struct Entry {
    let environment: Environment
    var leases: Int
  }

  /// An environment without leases, which is closed or about to be closed.
  private struct Leaving {
    weak var environment: Environment?
    let lockFile: FileIdentity?
    let closing: Environment.Closing
  }

  private struct State {
    var entries = ByFile<Entry>()
    var leaving = ByFile<Leaving>()

    /// Returns whether an environment of this process uses a lock file.
    func usesLockFile(_ lockFile: FileIdentity) -> Bool {
      entries.contains {
        $0.environment.place?.lockFile == lockFile && $0.environment.isOfThisProcess
      } || leaving.contains { $0.lockFile == lockFile && !$0.closing.isDone }
    }
  }

  private let state = Mutex(State())

  /// The time that an opener waits for the end of an environment without leases that LMDB refuses
  /// to use. Another thread may be about to release it.
  private static let patience = Duration.seconds(1)

  /// Returns a lease of a file that this process has open, or nil if it does not.
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

  /// Returns a lease of a file, and opens the file if necessary. The caller keeps the file at its
  /// path.
  func lease(
    _ identity: FileIdentity, path: String, options: Environment.Options
  ) throws(LMDBError) -> EnvironmentLease {
    let end = ContinuousClock.now + Self.patience
    while true {
      let lease = try state.withLock { state throws(LMDBError) -> EnvironmentLease? in
        // A forked child opens its own environment and does not touch its parent's.
        if let environment = state.entries[identity]?.environment, environment.isOfThisProcess {
          return try share(environment, identity, options, &state)
        }
        if let leaving = state.leaving[identity], !leaving.closing.isDone {
          guard let environment = leaving.environment else { return nil }
          if environment.isUnusable, ContinuousClock.now < end { return nil }
          if environment.isOfThisProcess {
            return try share(environment, identity, options, &state)
          }
        }
        // The lock file may be that of a file that was moved or deleted while it was open. LMDB
        // would drop the locks of both when it closes one of them.
        if !options.ignoresLocks, let lockFile = FileIdentity(path: Environment.lockPath(of: path)),
          state.usesLockFile(lockFile)
        {
          throw LMDBError(code: .fileReplaced, function: "mdb_env_open")
        }
        let environment = try Environment.openUnregistered(path: path, options: options)
        return try share(environment, identity, options, &state)
      }
      if let lease { return lease }
      // The wait usually takes no longer than `mdb_env_close`.
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
    if options.syncsMetaPage, !options.isReadOnly { try environment.syncMetaPage() }
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
      state.leaving.removeAll { $0.closing.isDone }
      // The released lease still holds the environment, so it does not close here.
      state.leaving[identity] = Leaving(
        environment: entry.environment, lockFile: entry.environment.place?.lockFile,
        closing: entry.environment.closing)
    }
  }

  /// Returns whether this process has a file open.
  func isOpen(_ identity: FileIdentity) -> Bool {
    state.withLock { $0.entries[identity]?.environment.isOfThisProcess == true }
  }

  /// Runs `body` while no file can be opened. Waits for an environment that is about to be closed.
  /// Returns nil if the file is open, or is not closed until the deadline.
  func whileClosed<Result>(
    _ identity: FileIdentity, until deadline: ContinuousClock.Instant,
    _ body: () throws -> Result
  ) rethrows -> Result? {
    while true {
      let isLeaving = state.withLock { state in
        if state.entries[identity] != nil { return false }
        return state.leaving[identity].map { !$0.closing.isDone } ?? false
      }
      guard isLeaving, ContinuousClock.now < deadline else { break }
      usleep(1_000)
    }
    return try state.withLock { state in
      let isLeaving = state.leaving[identity].map { !$0.closing.isDone } ?? false
      guard state.entries[identity] == nil, !isLeaving else { return nil }
      return try body()
    }
  }
}

/// The values of files. There are few, so a search takes no time. A dictionary would make the
/// Swift runtime search all libraries for a conformance of its keys, at the first opening of each
/// process.
private struct ByFile<Value> {
  private var rows: [(file: FileIdentity, value: Value)] = []

  subscript(file: FileIdentity) -> Value? {
    get { rows.first { $0.file == file }?.value }
    set {
      rows.removeAll { $0.file == file }
      if let newValue { rows.append((file, newValue)) }
    }
  }

  func contains(where isMatch: (Value) -> Bool) -> Bool { rows.contains { isMatch($0.value) } }

  mutating func removeAll(where isMatch: (Value) -> Bool) { rows.removeAll { isMatch($0.value) } }
}

extension Environment {
  /// Returns whether this process has a file open.
  package static func isOpen(_ identity: FileIdentity) -> Bool { Registry.shared.isOpen(identity) }

  /// Creates a file at a path where none exists, fills it, and closes it.
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
  /// Opens a file while `body` runs. The caller ensures that this process does not otherwise open
  /// it.
  package static func temporarily<Result>(
    path: String, options: Options, _ body: (Environment) throws -> Result
  ) throws -> Result {
    try body(openUnregistered(path: path, options: options))
  }

  /// Returns the ID of another process that has a file open, or nil.
  ///
  /// This process must not have the file open, because it would lose its locks.
  ///
  /// LMDB: each opener of a file holds a shared lock on the first byte of the lock file.
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
