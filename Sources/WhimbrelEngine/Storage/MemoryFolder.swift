internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// The folder of an in-memory store. It exists as long as the store is open in this process.
///
/// LMDB needs paths for a file and a lock file. The folder is therefore in the system's memory file
/// system if there is one, and otherwise among the temporary files. Creating a folder also removes
/// the folders of processes that were killed.
package final class MemoryFolder: Sendable {
  /// The path of the store's file.
  package let path: String
  private let folder: String
  private let processID = getpid()
  /// The descriptor of the owner file. Its lock tells other processes that the folder is in use.
  private let owner: Int32

  private struct Known {
    weak var folder: MemoryFolder?
  }

  /// The folders of this process, by the names of their stores.
  private static let known = Mutex<[String: Known]>([:])
  private static let prefix = "whimbrel-memory-\(getuid())-"
  private static let ownerName = "owner"
  /// The free space below which a memory file system is not used.
  private static let leastSpace = 256 << 20

  /// Returns the folder of the store with a name, and creates it if the store is not open.
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
    // Errors show this path, so it contains the name.
    let shown = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(60)
    path = "\(folder)/\(String(shown)).whimbrel"
    // The folder gets its final name after its owner file is locked. Other processes would
    // otherwise take it for abandoned.
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
    // After a fork, the folder belongs to the parent process.
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

/// The folders to remove when the process ends without closing its stores.
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
      // After a fork, these folders belong to the parent process.
      folders?.process == getpid() ? folders?.paths ?? [] : []
    }
    for folder in left { try? FileManager.default.removeItem(atPath: folder) }
  }
}
