internal import Foundation
package import WhimbrelLMDB

/// Checks of a file before LMDB opens it, and the errors for the problems that they find. LMDB
/// itself trusts any bytes.
package enum FilePreflight {
  /// Returns whether the file does not exist yet and a store may be created there.
  ///
  /// - Throws: ``StoreError`` if the file is missing and must not or cannot be created.
  static func isMissing(_ request: OpenRequest) throws -> Bool {
    guard FileIdentity(path: request.path) == nil else { return false }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw systemError(errno, request.path)
    }
    let folder = folder(of: request.path)
    guard FileIdentity(path: folder) != nil else {
      throw StoreError.parentFolderMissing(path: request.path)
    }
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: request.path),
      FileIdentity(path: request.path) == nil
    {
      throw StoreError.danglingLink(path: request.path, target: target)
    }
    if request.isReadOnly || request.declaration == nil {
      throw StoreError.fileNotFound(path: request.path)
    }
    try requireFolderForNewFile(request.path)
    return true
  }

  /// Throws unless a file may be created at a path.
  ///
  /// - Throws: ``StoreError`` with `parentFolderMissing` or `readOnlyFolder`, or with the code of the
  ///   system.
  static func requireFolderForNewFile(_ path: String) throws {
    let folder = folder(of: path)
    guard FileIdentity(path: folder) != nil || errno == EACCES else {
      throw StoreError.parentFolderMissing(path: path, verb: "create")
    }
    guard unsafe access(folder, W_OK | X_OK) == 0 else {
      throw errno == EACCES || errno == EROFS
        ? StoreError.readOnlyFolder(path: path, verb: "create") : systemError(errno, path)
    }
  }

  /// Throws unless the file looks like an LMDB file that this request can open.
  static func check(_ request: OpenRequest) throws {
    let path = request.path
    try inspect(path) { _ in }
    guard unsafe access(path, request.isReadOnly ? R_OK : R_OK | W_OK) == 0 else {
      throw systemError(errno, path)
    }
    try checkLockFile(request)
  }

  /// Throws unless the lock file can be used or created.
  ///
  /// LMDB: readers write the lock file too.
  private static func checkLockFile(_ request: OpenRequest) throws {
    let lockPath = Environment.lockPath(of: request.path)
    if request.isReadOnly, isReadWithoutLockFile(request.path) { return }
    var status = stat()
    guard unsafe stat(lockPath, &status) == 0 else {
      if unsafe lstat(lockPath, &status) == 0 {
        // Another opener has created it since `stat`.
        guard status.st_mode & S_IFMT == S_IFLNK else { return try checkLockFile(request) }
        throw StoreError.lockFileUnusable(
          path: request.path, detail: "it is a symbolic link whose target does not exist")
      }
      let folder = folder(of: request.path)
      guard unsafe access(folder, W_OK | X_OK) == 0 else {
        throw folderError(errno, request.path)
      }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError.lockFileUnusable(path: request.path, detail: "it is not a regular file")
    }
    guard unsafe access(lockPath, R_OK | W_OK) == 0 else {
      throw StoreError.lockFileUnusable(
        path: request.path, detail: "this user needs permission to read and write it")
    }
  }

  /// Checks the pages of an open file. The caller holds a snapshot, which keeps them unchanged.
  ///
  /// - Parameter name: The name of the file in errors, or nil for its path.
  static func checkPages(
    _ path: String, describedAs name: String? = nil, _ checks: FileOptions.Checks = .allPages
  ) throws {
    try inspect(path, describedAs: name) { structure in
      switch checks {
      case .accounts: try structure.checkAccounts()
      case .catalog: _ = try structure.checkCatalog()
      case .allPages: try structure.checkPagesAndAccounts()
      }
    }
  }

  /// Calls `body` with the structure of a file.
  ///
  /// - Parameter name: The name of the file in errors, or nil for its path.
  /// - Throws: ``StoreError`` for a fault of the structure, or another error of `body`.
  static func inspect<Result>(
    _ path: String, describedAs name: String? = nil, _ body: (FileStructure) throws -> Result
  ) throws -> Result {
    do {
      return try body(FileStructure.inspect(path: path))
    } catch let failure as FileStructure.Failure {
      throw explain(failure, name ?? path)
    }
  }

  /// Returns whether a file is read without its lock file: its file system is mounted read-only, the
  /// modes of the file and its folder deny writing to everyone, or it is read as a guest. Others may
  /// write it all the same, and keep the pages that are read.
  static func isReadWithoutLockFile(_ path: String) -> Bool {
    isForbiddenToAll(path) || isOnReadOnlyFileSystem(path) || isGuest(path)
  }

  private static func isForbiddenToAll(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    let writeBits = S_IWUSR | S_IWGRP | S_IWOTH
    let fileIsLocked = status.st_mode & writeBits == 0
    guard unsafe stat(folder(of: path), &status) == 0 else { return false }
    return fileIsLocked && status.st_mode & writeBits == 0
  }

  private static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
    var facts = statvfs()
    guard unsafe statvfs(path, &facts) == 0 else { return false }
    return UInt(facts.f_flag) & UInt(ST_RDONLY) != 0
  }

  /// Returns whether this process can write neither a file nor its lock file. A lock file that it
  /// created would belong to its user, and might lock out the owner of the file.
  private static func isGuest(_ path: String) -> Bool {
    guard unsafe access(path, W_OK) != 0,
      unsafe access(Environment.lockPath(of: path), R_OK | W_OK) != 0
    else { return false }
    var status = stat()
    let isOwner = unsafe stat(path, &status) == 0 && status.st_uid == geteuid()
    return unsafe !isOwner || access(folder(of: path), W_OK) != 0
  }

  /// Returns the path of the folder that contains a file.
  static func folder(of path: String) -> String {
    // Foundation's version traps on Linux for a relative path of one character.
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    var folder = path[..<slash]
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    return folder.isEmpty ? "/" : String(folder)
  }

  /// Returns the bytes that this user may still write on a file's volume, or nil if the system does
  /// not say.
  static func freeSpace(beside path: String) -> Int? {
    #if canImport(Darwin)
      // Darwin: `statvfs` counts blocks with 32 bits, too few for 16 TiB.
      var facts = statfs()
      guard unsafe statfs(folder(of: path), &facts) == 0 else { return nil }
      let blockSize = facts.f_bsize
    #else
      var facts = statvfs()
      guard unsafe statvfs(folder(of: path), &facts) == 0 else { return nil }
      let blockSize = facts.f_frsize
    #endif
    return Int(
      clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(blockSize))
        .partialValue)
  }

  /// Returns whether a file's volume is practically full: less than 1 MiB is free for this user.
  static func isDiskFull(beside path: String) -> Bool {
    freeSpace(beside: path).map { $0 < 1 << 20 } ?? false
  }

  /// Returns whether a file is within 64 KiB of the size limit of this process (`RLIMIT_FSIZE`), or
  /// does not exist while there is a limit.
  static func isSizeLimited(_ path: String) -> Bool {
    var limit = rlimit()
    #if canImport(Darwin)
      let code = unsafe getrlimit(RLIMIT_FSIZE, &limit)
    #else
      let code = unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    guard code == 0, let most = Int(exactly: limit.rlim_cur), most < .max else { return false }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    return Int(status.st_size) > most - 1 << 16
  }

  /// Waits until the names in a file's folder are on the disk.
  ///
  /// Some file systems do not sync folders: they write names with the files, or give no promise.
  /// They report `EINVAL`, `ENOTSUP` or `ENOSYS`, which is not an error here. Neither is a folder
  /// that this user may write but not read (`EACCES`): there is no other way to sync it.
  ///
  /// - Throws: ``LMDBError`` with the code of the system: a power loss may undo the names.
  package static func syncFolder(of path: String) throws(LMDBError) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == EACCES { return }
      throw LMDBError(code: .init(rawValue: errno), function: "open")
    }
    defer { close(descriptor) }
    while FileBytes.sync(descriptor) != 0 {
      switch errno {
      case EINTR: continue
      case EINVAL, ENOTSUP, ENOSYS: return
      default: throw LMDBError(code: .init(rawValue: errno), function: "fsync")
      }
    }
  }
}

// MARK: - Words

extension FilePreflight {
  /// Runs `body`, which opens or creates a file, and turns errors of LMDB into errors to show.
  static func explaining<Result>(
    _ request: OpenRequest, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as LMDBError { throw explain(error, request) }
  }

  /// Returns the error to show when LMDB cannot open a file.
  static func explain(_ error: LMDBError, _ request: OpenRequest) -> StoreError {
    let path = request.path
    switch error.code {
    case .invalid, .versionMismatch:
      // The data file has been checked, so LMDB means the lock file.
      return StoreError.lockFileUnusable(path: path, detail: "it is not a lock file of LMDB 0.9")
    case .accessDenied:
      if unsafe access(path, R_OK) == 0, unsafe access(folder(of: path), W_OK) != 0 {
        return StoreError.readOnlyFolder(path: path)
      }
      return StoreError.permissionDenied(path: path)
    case .noMemory:
      return StoreError.addressSpaceExhausted(
        path: path, size: request.file.maximumSize ?? Environment.defaultMapSize)
    default:
      return StoreError.describing(error, path: path)
    }
  }

  /// Returns the error to show for a failed check of a file's structure.
  ///
  /// - Parameter table: The name of the table that the page belongs to, or nil if it is not known.
  static func explain(
    _ failure: FileStructure.Failure, _ path: String, table: String? = nil
  ) -> StoreError {
    let place = table.map { " of the table \(Sentence.quoted($0))" } ?? ""
    return switch failure {
    case .notAFile(let isDirectory):
      isDirectory
        ? StoreError.isDirectory(path: path)
        : StoreError.notAStore(path: path, detail: specialKind(of: path))
    case .empty: StoreError.emptyFile(path: path)
    case .tooShort(let size):
      // The file is too short for its meta pages, so it may be anything.
      StoreError.notAStore(
        path: path, detail: "it has only \(size) \(size == 1 ? "byte" : "bytes")")
    case .notLMDB: StoreError.notAStore(path: path, detail: "it does not have the marks of a store")
    case .unsupportedVersion(let version):
      StoreError.notAStore(path: path, detail: "it has LMDB format \(version), not 1")
    case .badMeta(let page, _):
      StoreError.damaged(path: path, detail: "page \(page): \(failure.words)")
    case .truncated(_, let lastPage, let pageSize, let size):
      StoreError.truncated(
        path: path,
        expectedBytes: Int(clamping: (lastPage + 1) * pageSize),
        actualBytes: Int(size))
    case .damaged(let page, _):
      StoreError.damaged(path: path, detail: "page \(page)\(place): \(failure.words)")
    case .damagedEntry:
      StoreError.damaged(path: path, detail: "an entry\(place) has a wrong checksum")
    case .damagedCount(let count):
      StoreError.damaged(
        path: path,
        detail: "the header\(place) records \(count) entries, but a different number was counted")
    case .io(let number): systemError(number, path)
    }
  }

  /// Returns what a path leads to, if it is neither a regular file nor a folder.
  static func specialKind(of path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "it is not a regular file" }
    return switch status.st_mode & S_IFMT {
    case S_IFIFO: "it is a named pipe, not a file"
    case S_IFSOCK: "it is a socket, not a file"
    case S_IFCHR, S_IFBLK: "it is a device, not a file"
    default: "it is not a regular file"
    }
  }

  private static func systemError(_ number: Int32, _ path: String) -> StoreError {
    #if canImport(Darwin)
      // Darwin: the sandbox and the settings of privacy refuse files like this.
      if number == EPERM { return StoreError.permissionDenied(path: path) }
    #endif
    return StoreError.describing(
      LMDBError(code: .init(rawValue: number), function: "open"), path: path)
  }

  private static func folderError(_ number: Int32, _ path: String) -> StoreError {
    number == EACCES || number == EROFS
      ? StoreError.readOnlyFolder(path: path) : systemError(number, path)
  }
}
