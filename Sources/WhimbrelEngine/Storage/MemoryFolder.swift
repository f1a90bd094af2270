internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The folder of a store that is kept in memory: it is there as long as the store is open in this
/// process.
///
/// LMDB needs a file and a lock file with paths, so the folder is on the system's file system in
/// memory where there is one, and else among the temporary files. Folders that processes have left
/// which were killed are removed when the next one is made.
package final class MemoryFolder: Sendable {
  /// Where the store is.
  package let path: String
  private let folder: String
  private let processID = getpid()
  /// Open as long as the folder is in use: the lock on it tells others that it is.
  private let owner: Int32

  private struct Known {
    weak var folder: MemoryFolder?
  }

  /// Those of this process by the names of their stores.
  private static let known = Mutex<[String: Known]>([:])
  private static let prefix = "whimbrel-memory-\(getuid())-"
  private static let ownerName = "owner"
  /// A file system in memory that has less room is not used.
  private static let leastSpace = 256 << 20

  /// The folder of the store with a name, which is made if the store is not open.
  package static func named(_ name: String) throws -> MemoryFolder {
    try known.withLock { known in
      if let folder = known[name]?.folder { return folder }
      known = known.filter { $0.value.folder != nil }
      let folder = try MemoryFolder(name)
      known[name] = Known(folder: folder)
      return folder
    }
  }

  private init(_ name: String) throws {
    let base = Self.base
    Self.removeAbandoned(in: base)
    folder = "\(base)/\(Self.prefix)\(UUID().uuidString)"
    // The name shows in errors.
    let shown = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(60)
    path = "\(folder)/\(String(shown)).whimbrel"
    // It gets its name when its owner is known: without one it would count as abandoned.
    let unnamed = "\(base)/.\(UUID().uuidString)"
    guard unsafe mkdir(unnamed, 0o700) == 0 else { throw Self.failure("mkdir", unnamed) }
    owner = unsafe open("\(unnamed)/\(Self.ownerName)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard owner >= 0, flock(owner, LOCK_EX | LOCK_NB) == 0,
      unsafe rename(unnamed, folder) == 0
    else {
      let error = Self.failure("open", unnamed)
      try? FileManager.default.removeItem(atPath: unnamed)
      throw error
    }
    AbandonedAtExit.add(folder)
  }

  deinit {
    // In a child of a fork it is that of the parent.
    if getpid() == processID { AbandonedAtExit.remove(folder) }
    close(owner)
  }

  private static var base: String {
    #if os(Linux)
      let shared = "/dev/shm"
      if unsafe access(shared, W_OK | X_OK) == 0,
        FilePreflight.freeSpace(beside: shared + "/store") ?? 0 >= leastSpace
      {
        return shared
      }
    #endif
    let folder = FileManager.default.temporaryDirectory.path
    return folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// Removes the folders of processes that have died.
  private static func removeAbandoned(in base: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let folder = "\(base)/\(name)"
      let owner = unsafe open("\(folder)/\(ownerName)", O_RDWR | O_CLOEXEC)
      guard owner >= 0 else { continue }
      if flock(owner, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: folder)
      }
      close(owner)
    }
  }

  private static func failure(_ function: String, _ path: String) -> StoreError {
    StoreError.describing(LMDBError(code: .init(rawValue: errno), function: function), path: path)
  }
}

/// The folders that are removed when the process ends without closing its stores.
private enum AbandonedAtExit {
  private static let folders = Mutex<(process: Int32, paths: Set<String>)?>(nil)

  static func add(_ folder: String) {
    folders.withLock { folders in
      if folders?.process != getpid() {
        folders = (getpid(), [])
        atexit { AbandonedAtExit.removeAll() }
      }
      folders?.paths.insert(folder)
    }
  }

  static func remove(_ folder: String) {
    folders.withLock { _ = $0?.paths.remove(folder) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func removeAll() {
    let left = folders.withLock { folders in
      // A child of a fork has those of its parent.
      folders?.process == getpid() ? folders?.paths ?? [] : []
    }
    for folder in left { try? FileManager.default.removeItem(atPath: folder) }
  }
}
