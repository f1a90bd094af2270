internal import Foundation

extension Environment {
  /// A thread that holds the writers' lock.
  package struct Writer: Hashable, Sendable {
    package let processID: Int32
    /// The number that the system gives to the thread.
    package let threadID: Int32
  }

  /// Returns the thread, of any process, that is writing the file. Returns nil if there is none, or
  /// if the system does not report it.
  ///
  /// LMDB: the writers' lock is a robust POSIX mutex in the lock file, after one part that has a
  /// cache line for itself. Linux keeps the number of the owning thread in the first word of the
  /// mutex, to release it when the thread dies. The mutex is read through the memory of this
  /// process, because opening and closing the lock file would drop the locks of this process.
  package func currentWriter() -> Writer? {
    #if os(Linux)
      guard let place, let word = Self.firstWord(ofWritersLockIn: place) else { return nil }
      // The two highest bits mean that others wait, and that the owner has died.
      let thread = Int32(bitPattern: word & 0x3fff_ffff)
      guard thread > 0, let process = Self.process(of: thread) else { return nil }
      return Writer(processID: process, threadID: thread)
    #else
      return nil
    #endif
  }

  #if os(Linux)
    private static let cacheLine = 64

    /// The offset of the lock in the lock file. Two numbers, another lock, and two numbers precede
    /// it.
    private static var writersLockOffset: Int {
      let used = unsafe 8 + MemoryLayout<pthread_mutex_t>.size + 12
      return (used + cacheLine - 1) / cacheLine * cacheLine
    }

    private static func firstWord(ofWritersLockIn place: Place) -> UInt32? {
      for line in lines(of: "/proc/self/maps") {
        // The fields are the address range, permissions, offset, device, inode and path.
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[5].hasSuffix("-lock"), Int(fields[2], radix: 16) == 0,
          UInt64(fields[4]) == place.lockFile.node,
          let start = fields[0].split(separator: "-").first.flatMap({ Int($0, radix: 16) })
        else { continue }
        // The word is not read through a pointer: another thread may close the file, which unmaps
        // it.
        let memory = unsafe Foundation.open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { return nil }
        defer { close(memory) }
        var word: UInt32 = 0
        guard unsafe pread(memory, &word, 4, off_t(start + writersLockOffset)) == 4 else {
          return nil
        }
        return word
      }
      return nil
    }

    private static func process(of thread: Int32) -> Int32? {
      let status = lines(of: "/proc/\(thread)/status")
      let line = status.first { $0.hasPrefix("Tgid:") }
      return line.flatMap { Int32($0.dropFirst(5).trimmingCharacters(in: .whitespaces)) }
    }

    /// Returns the lines of a system file, whose size is not known before it is read.
    private static func lines(of path: String) -> [Substring] {
      guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
      guard let data = try? handle.readToEnd() else { return [] }
      return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }
  #endif
}
