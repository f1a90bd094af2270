internal import Foundation
internal import Synchronization

/// A share of an open environment; the environment is closed with the last one.
package final class EnvironmentLease: Sendable {
  package let environment: Environment
  private let identity: FileIdentity

  fileprivate init(environment: Environment, identity: FileIdentity) {
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
  package init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension Environment {
  /// Opens the file at a path, which must exist, or shares it when this process
  /// has it open.
  ///
  /// - Throws: ``LMDBError`` with `otherSettings` when the file is open read-only
  ///   and is now to be written.
  package static func open(
    path: String, options: Options = Options()
  ) throws(LMDBError) -> EnvironmentLease {
    guard let identity = FileIdentity(path: path), let real = resolve(path) else {
      throw LMDBError(code: .noSuchFile, function: "stat")
    }
    return try Registry.shared.lease(identity, path: real, options: options)
  }

  /// The path of the lock file that belongs to a file.
  package static func lockPath(of path: String) -> String { (resolve(path) ?? path) + "-lock" }

  /// The path without symbolic links: all processes must use the same lock file.
  private static func resolve(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// The environments that this process has open.
///
/// Opening and closing happen under one lock: a file closed while another thread
/// opens it would take that thread's locks with it.
private final class Registry: Sendable {
  static let shared = Registry()

  private struct Entry {
    let environment: Environment
    var leases: Int
  }

  private let entries = Mutex<[FileIdentity: Entry]>([:])

  func lease(
    _ identity: FileIdentity, path: String, options: Environment.Options
  ) throws(LMDBError) -> EnvironmentLease {
    try entries.withLock { entries throws(LMDBError) in
      // A child of a fork opens its own, and leaves its parent's alone.
      if var entry = entries[identity], entry.environment.isOfThisProcess {
        guard options.isReadOnly || !entry.environment.options.isReadOnly else {
          throw LMDBError(code: .otherSettings, function: "mdb_env_open")
        }
        entry.leases += 1
        entries[identity] = entry
        return EnvironmentLease(environment: entry.environment, identity: identity)
      }
      let environment = try Environment.openUnregistered(path: path, options: options)
      entries[identity] = Entry(environment: environment, leases: 1)
      return EnvironmentLease(environment: environment, identity: identity)
    }
  }

  func release(_ identity: FileIdentity, _ environment: Environment) {
    entries.withLock { entries in
      guard var entry = entries[identity], entry.environment === environment else { return }
      entry.leases -= 1
      entries[identity] = entry.leases == 0 ? nil : entry
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
