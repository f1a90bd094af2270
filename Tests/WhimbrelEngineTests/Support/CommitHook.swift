#if os(Linux)
  import Foundation
  import Synchronization
  import WhimbrelEngine

  /// Stops this process, or the disk, at a commit: for child processes only.
  ///
  /// A transaction takes effect when LMDB writes one of the first two pages of the file,
  /// where it writes nothing else. It calls `pwrite` for that, through an address that the
  /// loader has put into the data of its library: another one is put there.
  enum CommitHook {
    /// What happens at the commit.
    enum Action: Int, Codable, CaseIterable, Sendable {
      case killBefore = 1
      case killAfter
      /// The disk refuses the write.
      case fail
    }

    private typealias Write =
      @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int) -> Int

    private static let action = Atomic(0)
    private static let remaining = Atomic(0)

    /// Lets something happen at a commit from now on, of which the first has the number 1.
    static func arm(_ action: Action, at commit: Int) throws {
      try hook()
      remaining.store(commit, ordering: .relaxed)
      Self.action.store(action.rawValue, ordering: .relaxed)
    }

    private static let write: Write = { descriptor, bytes, count, offset in
      var part = unsafe iovec(iov_base: bytes, iov_len: count)
      guard offset < 2 * pageSize, let action = Action(rawValue: action.load(ordering: .relaxed)),
        remaining.subtract(1, ordering: .relaxed).newValue == 0
      else { return unsafe pwritev(descriptor, &part, 1, offset) }
      switch action {
      case .killBefore: kill(getpid(), SIGKILL)
      case .killAfter:
        unsafe pwritev(descriptor, &part, 1, offset)
        kill(getpid(), SIGKILL)
      case .fail: errno = EIO
      }
      return -1
    }

    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))

    private struct NotHooked: Error {}

    private static func hook() throws {
      // The address may be put there with the first call only.
      _ = try TestStore([])
      guard let original = unsafe dlsym(nil, "pwrite") else { throw NotHooked() }
      let (old, new) = unsafe (UInt(bitPattern: original), unsafeBitCast(write, to: UInt.self))
      var count = 0
      guard let file = FileHandle(forReadingAtPath: "/proc/self/maps"),
        let maps = try file.readToEnd()
      else { throw NotHooked() }
      let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
      for line in lines where line.contains("/liblmdb.so") {
        let fields = line.split(separator: " ")
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, fields[1].hasPrefix("r"), !fields[1].contains("x") else {
          continue
        }
        for address in stride(from: bounds[0], to: bounds[1], by: MemoryLayout<UInt>.size) {
          guard let place = unsafe UnsafeMutablePointer<UInt>(bitPattern: address),
            unsafe place.pointee == old
          else { continue }
          let page = unsafe UnsafeMutableRawPointer(
            bitPattern: address & ~UInt(bitPattern: pageSize - 1))
          unsafe mprotect(page, pageSize, PROT_READ | PROT_WRITE)
          unsafe place.pointee = new
          count += 1
        }
      }
      if count != 1 { throw NotHooked() }
    }
  }
#endif
