import Foundation

extension FileStructure {
  /// A read-only descriptor of the data file.
  final class DataFile: Sendable {
    private let descriptor: Int32

    /// Opens the file. Throws unless it is a regular file.
    init(path: String) throws(Failure) {
      // The file is examined first: a socket cannot be opened, and opening a device may have an
      // effect.
      if let found = FileFacts(path: path) { try Self.requireRegular(found) }
      do throws(LMDBError) {
        try StandardStreams.reserve()
      } catch {
        throw .io(error.code.rawValue)
      }
      // Without O_NONBLOCK, opening a pipe would wait for its writer.
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .io(errno) }
      try Self.requireRegular(Self.facts(of: descriptor))
    }

    private static func requireRegular(_ facts: FileFacts) throws(Failure) {
      let mode = mode_t(facts.mode) & S_IFMT
      guard mode == S_IFREG else { throw .notAFile(isDirectory: mode == S_IFDIR) }
    }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the size in bytes of the file of a descriptor.
    static func size(of descriptor: Int32) throws(Failure) -> Int { try facts(of: descriptor).size }

    private static func facts(of descriptor: Int32) throws(Failure) -> FileFacts {
      guard let facts = FileFacts(descriptor: descriptor) else { throw .io(errno) }
      return facts
    }

    /// Returns the size of the file, in bytes.
    func size() throws(Failure) -> UInt64 { UInt64(try Self.size(of: descriptor)) }

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
