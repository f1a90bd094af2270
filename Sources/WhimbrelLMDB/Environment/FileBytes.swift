internal import Foundation

/// Operations on the raw bytes of files.
package enum FileBytes {
  /// Copies a file to a path where none exists, and waits until the copy is on the disk.
  ///
  /// The copy is writable, regardless of the original's mode. After an error no copy is left.
  package static func copy(_ path: String, to new: String) throws(LMDBError) {
    let signals = SizeSignal.block()
    defer { signals.end() }
    let source = try open(path, O_RDONLY)
    defer { close(source) }
    let copy = try open(new, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(copy) }
    do throws(LMDBError) {
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while case let count = try read(source, &buffer), count > 0 {
        try write(buffer[..<count], to: copy)
      }
      guard sync(copy) == 0 else {
        throw LMDBError(code: .init(rawValue: errno), function: "fsync")
      }
    } catch {
      unsafe unlink(new)
      throw error
    }
  }

  /// Waits until an open file is on the disk. Returns 0, or -1 with `errno`, as `fsync` does.
  ///
  /// Darwin: `fsync` leaves what it writes in the cache of the drive, which a power loss clears.
  package static func sync(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      // Not every file system can do this.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor)
  }

  /// Gives an open file the owner, the group and the permissions of the file at a path, as far as
  /// this user may: root can give it to any owner, others only to a group of their own.
  ///
  /// - Parameter mode: Permissions that the file gets in any case.
  package static func share(_ descriptor: Int32, like path: String, adding mode: UInt16 = 0) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      _ = fchown(descriptor, uid_t.max, status.st_gid)
    }
    fchmod(descriptor, status.st_mode & 0o777 | mode_t(mode))
  }

  private static func open(_ path: String, _ flags: Int32) throws(LMDBError) -> Int32 {
    let descriptor = unsafe Foundation.open(path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: errno), function: "open") }
    return descriptor
  }

  private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) throws(LMDBError) -> Int {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { buffer in
        unsafe Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw LMDBError(code: .init(rawValue: errno), function: "read") }
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(LMDBError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Foundation.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw LMDBError(code: .init(rawValue: errno), function: "write")
      }
    }
  }
}
