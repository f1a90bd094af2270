import Foundation

/// The owner, the group and the permissions of a file.
struct FileRights: Hashable {
  let owner: uid_t
  let group: gid_t
  let mode: mode_t

  init(_ path: String) throws {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw POSIXError(.ENOENT) }
    (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
  }
}
