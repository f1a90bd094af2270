import Foundation

extension FileStructure {
  /// A read-only descriptor of the data file.
  final class DataFile: Sendable {
    private let descriptor: Int32

    /// Opens the file. Throws unless it is a regular file.
    init(path: String) throws(Failure) {
      // Looked at first: a socket cannot be opened, and opening a device may do something.
      var found = stat()
      if unsafe stat(path, &found) == 0 { try Self.requireRegular(found) }
      // Without O_NONBLOCK, opening a pipe would wait for its writer.
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .io(errno) }
      try Self.requireRegular(status())
    }

    private static func requireRegular(_ status: stat) throws(Failure) {
      let mode = status.st_mode & S_IFMT
      guard mode == S_IFREG else { throw .notAFile(isDirectory: mode == S_IFDIR) }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    private func status() throws(Failure) -> stat { try Self.status(of: descriptor) }

    /// The size in bytes of the file of a descriptor.
    static func size(of descriptor: Int32) throws(Failure) -> Int {
      max(0, Int(try status(of: descriptor).st_size))
    }

    private static func status(of descriptor: Int32) throws(Failure) -> stat {
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { throw .io(errno) }
      return status
    }

    /// Returns the size of the file, in bytes.
    func size() throws(Failure) -> UInt64 {
      UInt64(max(0, try status().st_size))
    }

    /// Fills a page from an offset and returns the number of bytes read, which
    /// is smaller at the end of the file.
    func read(_ page: Page, at offset: UInt64) throws(Failure) -> Int {
      guard let start = off_t(exactly: offset) else { return 0 }
      var filled = 0
      while filled < page.count {
        let count = unsafe pread(
          descriptor, page.base + filled, page.count - filled, start + off_t(filled))
        if count > 0 {
          filled += count
        } else if count == 0 {
          break
        } else if errno != EINTR {
          throw .io(errno)
        }
      }
      return filled
    }
  }
}
