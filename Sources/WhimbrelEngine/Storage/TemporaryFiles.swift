internal import Foundation
package import WhimbrelLMDB

/// The temporary files beside a path, and those that dead processes left behind.
///
/// Each name consists of the path, a purpose and a UUID, so it is unique. Each file has an owner,
/// as ``OwnersFile`` describes, so that no living process loses a file.
package struct TemporaryFiles {
  package enum Purpose: String, CaseIterable {
    /// A file that gets the name at the path when it is complete.
    case new
    /// A store that is being replaced.
    case old
    /// A copy in which migrations are tried.
    case dryRun = "dry-run"
    /// A store of the objects that a salvage has found.
    case salvage
    /// A copy of data that can be read only once.
    case spool
    /// Sorted strings. The file loses its name at once, so it needs no owner.
    case sort
  }

  /// The number of bytes that the name of a store may have. Those of its temporary files and their
  /// lock files are longer, and the system limits them.
  static let longestName: Int = {
    let purpose = Purpose.allCases.map(\.rawValue.utf8.count).max() ?? 0
    return Int(NAME_MAX) - ".-".utf8.count - purpose - 36 - "-lock".utf8.count
  }()

  /// The path of the store or other file.
  let path: String

  /// - Parameter path: The path. Its folder gets the files. If it is the path of a temporary file,
  ///   the files belong to the path that this file belongs to, where leftovers are searched for.
  package init(path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    for purpose in Purpose.allCases {
      let mark = ".\(purpose.rawValue)-"
      guard name.utf8.count > mark.utf8.count + 36 else { continue }
      let end = name.utf8.index(name.endIndex, offsetBy: -36)
      let start = name[..<end]
      if start.hasSuffix(mark), UUID(uuidString: String(name[end...])) != nil {
        self.path = String(path.dropLast(36 + mark.count))
        return
      }
    }
    self.path = path
  }

  /// A path for sorted strings. Its file loses its name at once.
  var sortPath: String { "\(path).\(Purpose.sort.rawValue)-\(UUID().uuidString)" }

  /// Removes the files that no living process owns, and returns whether there were any.
  ///
  /// - Parameter searches: Whether to list the folder even if there is no sign of temporary files.
  ///   Otherwise one check for the owners' file is enough.
  @discardableResult
  package func removeLeftovers(searches: Bool = false) -> Bool {
    guard OwnersFile.exists(for: path) || searches && !found().isEmpty else { return false }
    var isFound = false
    OwnersFile.withDeadOwners(of: path) { isDead in
      let (removed, isEmpty) = removeFiles(where: isDead)
      isFound = removed
      return isEmpty
    }
    return isFound
  }

  /// Returns whether a name belongs to a temporary file of the path.
  func isTemporary(_ name: String) -> Bool {
    let start = (path as NSString).lastPathComponent + "."
    return name.hasPrefix(start) && Self.uuid(in: name.dropFirst(start.count)) != nil
  }

  fileprivate func removeFiles(where isDead: (Int64) -> Bool) -> (isFound: Bool, isEmpty: Bool) {
    var (isFound, isEmpty) = (false, true)
    for (file, byte) in found() {
      let isGone = isDead(byte) && TemporaryFile.remove(file)
      if isGone { isFound = true } else { isEmpty = false }
    }
    return (isFound, isEmpty)
  }

  /// Returns the paths of the temporary files, each with the byte of its owner.
  private func found() -> [(path: String, byte: Int64)] {
    let folder = FilePreflight.folder(of: path)
    let start = (path as NSString).lastPathComponent + "."
    // A folder that cannot be listed counts as empty: nothing in it can be found.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(start), let uuid = Self.uuid(in: name.dropFirst(start.count)) else {
        return nil
      }
      return ((folder as NSString).appendingPathComponent(name), uuid.ownersByte)
    }
  }

  /// Returns the UUID at the end of a temporary file's name, or nil for any other name.
  private static func uuid(in end: Substring) -> UUID? {
    let rest = end.hasSuffix("-lock") ? end.dropLast("-lock".count) : end
    for purpose in Purpose.allCases where rest.hasPrefix(purpose.rawValue + "-") {
      if let uuid = UUID(uuidString: String(rest.dropFirst(purpose.rawValue.count + 1))) {
        return uuid
      }
    }
    return nil
  }
}

/// A path for a temporary file or folder that this process owns.
///
/// The owner removes the file and its lock file by ``remove()``. If the owner dies before, they are
/// removed when the store beside them is opened to be written, or with the next temporary file of
/// the same path.
package final class TemporaryFile {
  /// A path where no file exists.
  package let path: String
  private let files: TemporaryFiles
  private var owner: OwnersFile?

  /// Takes a path beside another. First removes what dead processes left there.
  ///
  /// - Throws: ``LMDBError`` if the folder cannot be written.
  package init(_ purpose: TemporaryFiles.Purpose, beside path: String) throws(LMDBError) {
    let files = TemporaryFiles(path: path)
    files.removeLeftovers()
    let uuid = UUID()
    owner = try OwnersFile(of: files.path, owning: uuid.ownersByte)
    self.path = "\(files.path).\(purpose.rawValue)-\(uuid.uuidString)"
    self.files = files
  }

  deinit { remove() }

  /// Takes a path for a new file beside another.
  ///
  /// - Throws: ``StoreError``, with the path of the other file.
  static func new(beside path: String) throws -> TemporaryFile {
    try StoreError.naming(path) { try TemporaryFile(.new, beside: path) }
  }

  /// Removes the file, if it still has its temporary name. Call it at the end of the file's use
  /// even on success. Otherwise this object might be released earlier, and the ownership with it.
  package func remove() {
    guard let owner = owner.take() else { return }
    for name in [path, path + "-lock"] { Self.remove(name) }
    owner.end { isDead in files.removeFiles(where: isDead).isEmpty }
  }

  /// Ends the ownership, but keeps the file for now.
  func leave() { owner = nil }

  /// Removes a file, a symbolic link or a folder, and returns whether it is gone.
  @discardableResult
  fileprivate static func remove(_ path: String) -> Bool {
    if unsafe unlink(path) == 0 || errno == ENOENT { return true }
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return false
    }
    return (try? FileManager.default.removeItem(atPath: path)) != nil
  }
}

extension UUID {
  /// The byte that the owner of a temporary file locks. Its position consists of 62 bits of the
  /// UUID, which keeps it far from the last possible byte.
  fileprivate var ownersByte: Int64 {
    let bytes = uuid
    let all = [bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7]
    return Int64(all.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 2)
  }
}
