internal import Foundation

/// A file that shows which temporary files beside a path have a living owner.
///
/// An owner holds a shared lock on one byte of the file while it lives. The system releases the
/// lock when the process dies. A process that can lock that byte exclusively knows that the owner
/// is dead. A process that can lock all bytes knows that there are no owners. The file is empty. It
/// exists only while there are temporary files, so a single check for it shows that nothing was
/// left behind.
///
/// Invariant: a process that removes the file holds all its bytes and leaves no temporary file. An
/// owner whose file was removed meanwhile starts again with a new one.
package struct OwnersFile: ~Copyable {
  private let path: String
  private let descriptor: Int32
  /// The byte of the owner, or nil if the file was opened to remove what others have left.
  private let byte: Int64?

  package static func path(of path: String) -> String { path + "-owners" }

  /// Returns whether the owners' file of a path exists.
  ///
  /// - Complexity: One call of `lstat`.
  package static func exists(for path: String) -> Bool {
    var status = stat()
    return unsafe lstat(Self.path(of: path), &status) == 0
  }

  /// Opens the owners' file of a path.
  ///
  /// - Parameter isNew: Whether to create the file if it is missing.
  private init(of path: String, isNew: Bool, byte: Int64? = nil) throws(LMDBError) {
    self.path = Self.path(of: path)
    self.byte = byte
    // In a shared folder, another user may create a link or a pipe of this name.
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var found = unsafe Foundation.open(
      self.path, flags | O_RDWR | (isNew ? O_CREAT : 0), 0o666)
    // The file belongs to another user. The shared lock of an owner needs only read permission.
    var number = errno
    if found < 0, number == EACCES, isNew {
      found = unsafe Foundation.open(self.path, flags)
      // Without a file, it is the folder that denies a new one.
      if errno != ENOENT { number = errno }
    }
    descriptor = found
    guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: number), function: "open") }
  }

  /// Takes ownership of a byte. Waits while another process removes what was left behind.
  ///
  /// - Throws: ``LMDBError`` if no file can be created beside the path.
  package init(of path: String, owning byte: Int64) throws(LMDBError) {
    while true {
      let file = try OwnersFile(of: path, isNew: true, byte: byte)
      // A file system without locks refuses all of them, so no process considers the owner dead.
      _ = try? ByteLock.take(byte, .shared, in: file.descriptor, waits: true)
      if file.isInPlace {
        self = file
        return
      }
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Calls `body` with a closure that returns whether the owner of a byte is dead. The answer stays
  /// valid until `body` returns.
  ///
  /// - Parameter body: Removes the files without a living owner, and returns whether none are left.
  package static func withDeadOwners(
    of path: String, _ body: (_ isDead: (_ byte: Int64) -> Bool) -> Bool
  ) {
    guard let file = try? OwnersFile(of: path, isNew: true) else { return }
    try? file.withDeadOwners(body)
  }

  /// Ends the ownership, and calls `body` as ``withDeadOwners(of:_:)`` does.
  package borrowing func end(_ body: (_ isDead: (_ byte: Int64) -> Bool) -> Bool) {
    // Of two owners that end at the same time, neither would be alone.
    if let byte { ByteLock.drop(byte, in: descriptor) }
    do {
      try withDeadOwners(body)
    } catch {
      // Without locks no process removes what others have left, so the file has no purpose.
      unsafe unlink(path)
    }
  }

  private borrowing func withDeadOwners(
    _ body: (_ isDead: (_ byte: Int64) -> Bool) -> Bool
  ) throws(LMDBError) {
    let descriptor = descriptor
    let isAlone = try ByteLock.take(nil, .exclusive, in: descriptor)
    // The locks of a removed file do not show its current owners.
    guard isInPlace else { return }
    let isEmpty = body { byte in
      isAlone || ((try? ByteLock.take(byte, .exclusive, in: descriptor)) ?? false)
    }
    if isAlone, isEmpty { unsafe unlink(path) }
  }

  private var isInPlace: Bool {
    guard let own = FileIdentity(descriptor: descriptor) else { return false }
    return FileIdentity(path: path, followsLinks: false) == own
  }
}
