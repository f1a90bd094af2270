internal import Foundation
internal import Synchronization

/// The files that notices of the system concern.
struct NoticedFiles {
  var names: Set<FileNotices.Name> = []
  /// Whether notices were lost, so that any file may have changed.
  var isAny = false

  func contains(_ name: FileNotices.Name?) -> Bool {
    guard let name else { return false }
    return isAny || names.contains(name)
  }
}

extension FileNotices {
  /// The longest wait if the thread cannot be woken.
  private static let blindWait = Duration.milliseconds(100)

  /// Whether a test makes the system refuse watches.
  static let refusesWatches = Atomic<Bool>(false)

  /// Returns the time to wait, or nil to wait without a limit.
  fileprivate func time(until deadline: ContinuousClock.Instant?) -> Duration? {
    let time = deadline.map { max($0 - .now, .zero) }
    return canBeWoken ? time : min(time ?? Self.blindWait, Self.blindWait)
  }
}

#if !canImport(Darwin)

  /// The system's notices that files were written, moved or deleted. It uses inotify.
  ///
  /// A watch belongs to the file and not to its path. Other descriptors of the data file are
  /// harmless. The lock file is not touched.
  struct FileNotices: ~Copyable, Sendable {
    /// The identifier of a watched file in notices.
    typealias Name = Int32

    /// The inotify descriptor, or -1 if this user has too many.
    private let descriptor: Int32
    /// The ends of a pipe that wakes the thread, or -1.
    private let wakeReader: Int32
    private let wakeWriter: Int32

    init() {
      descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
      var ends: [Int32] = [-1, -1]
      if unsafe pipe(&ends) != 0 { ends = [-1, -1] }
      for end in ends where end >= 0 {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      (wakeReader, wakeWriter) = (ends[0], ends[1])
    }

    deinit {
      for descriptor in [descriptor, wakeReader, wakeWriter] where descriptor >= 0 {
        close(descriptor)
      }
    }

    fileprivate var canBeWoken: Bool { wakeReader >= 0 }

    /// Begins to watch the file at a path. Returns nil if the system has no watches left.
    func add(_ path: String) -> Name? {
      guard descriptor >= 0, !Self.refusesWatches.load(ordering: .relaxed) else { return nil }
      let events = IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
      let name = unsafe inotify_add_watch(descriptor, path, UInt32(events))
      return name < 0 ? nil : name
    }

    /// Ends a watch.
    func remove(_ name: Name) { inotify_rm_watch(descriptor, name) }

    /// Wakes the waiting thread.
    func wake() {
      var byte: UInt8 = 1
      // A full pipe also wakes the thread.
      _ = unsafe write(wakeWriter, &byte, 1)
    }

    /// Waits for notices until a deadline, or without a limit.
    func wait(until deadline: ContinuousClock.Instant?) -> NoticedFiles {
      // `poll` ignores a negative descriptor.
      var waiting = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
      ]
      var milliseconds: Int32 = -1
      if let time = time(until: deadline) {
        // `poll` counts milliseconds, and `ppoll` is hidden from Swift.
        milliseconds = Int32(min(time / .milliseconds(1), 1e9))
        if milliseconds == 0, time > .zero { usleep(UInt32(time / .microseconds(1)) + 1) }
      }
      _ = unsafe poll(&waiting, 2, milliseconds)
      var noticed = NoticedFiles()
      var buffer = [UInt8](repeating: 0, count: 4_096)
      if waiting[1].revents != 0 {
        while unsafe read(wakeReader, &buffer, buffer.count) > 0 {}
      }
      while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return noticed }
        unsafe buffer.withUnsafeBytes { bytes in
          unsafe Self.readNotices(UnsafeRawBufferPointer(rebasing: bytes[..<count]), &noticed)
        }
      }
    }

    /// Reads notices. Each has the identifier of the watch, flags, a number that pairs moves, and
    /// the length of the file name that follows.
    private static func readNotices(_ bytes: UnsafeRawBufferPointer, _ noticed: inout NoticedFiles)
    {
      var offset = 0
      while offset + 16 <= bytes.count {
        let name = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let flags = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        let length = unsafe bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
        if flags & UInt32(IN_Q_OVERFLOW) != 0 { noticed.isAny = true }
        noticed.names.insert(name)
        offset += 16 + Int(length)
      }
    }
  }

#else

  /// The system's notices that files were written, moved or deleted. It uses kqueue.
  ///
  /// It has not been tested: this project has no Apple machine.
  struct FileNotices: ~Copyable, Sendable {
    /// The identifier of a watched file in notices: a descriptor of the data file, for events only.
    /// Closing it is harmless, because LMDB's locks belong to the lock file.
    typealias Name = Int32

    private let queue: Int32
    /// The identifier of the event that wakes the thread.
    private static let wakeName: UInt = 1

    init() {
      queue = kqueue()
      guard queue >= 0 else { return }
      _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
      var event = unsafe kevent()
      unsafe event.ident = Self.wakeName
      unsafe event.filter = Int16(EVFILT_USER)
      unsafe event.flags = UInt16(EV_ADD | EV_CLEAR)
      _ = unsafe kevent(queue, &event, 1, nil, 0, nil)
    }

    deinit { if queue >= 0 { close(queue) } }

    fileprivate var canBeWoken: Bool { queue >= 0 }

    /// Begins to watch the file at a path. Returns nil if the system has no descriptors left.
    func add(_ path: String) -> Name? {
      guard queue >= 0, !Self.refusesWatches.load(ordering: .relaxed) else { return nil }
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      var event = unsafe kevent()
      unsafe event.ident = UInt(descriptor)
      unsafe event.filter = Int16(EVFILT_VNODE)
      unsafe event.flags = UInt16(EV_ADD | EV_CLEAR)
      unsafe event.fflags =
        UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB | NOTE_DELETE | NOTE_RENAME)
      guard unsafe kevent(queue, &event, 1, nil, 0, nil) == 0 else {
        close(descriptor)
        return nil
      }
      return descriptor
    }

    /// Ends a watch: closing the descriptor removes its events.
    func remove(_ name: Name) { close(name) }

    /// Wakes the waiting thread.
    func wake() {
      var event = unsafe kevent()
      unsafe event.ident = Self.wakeName
      unsafe event.filter = Int16(EVFILT_USER)
      unsafe event.fflags = UInt32(NOTE_TRIGGER)
      _ = unsafe kevent(queue, &event, 1, nil, 0, nil)
    }

    /// Waits for notices until a deadline, or without a limit.
    func wait(until deadline: ContinuousClock.Instant?) -> NoticedFiles {
      var noticed = NoticedFiles()
      var events: [kevent] = unsafe Array(repeating: kevent(), count: 64)
      let count: Int32
      if let wait = time(until: deadline) {
        let (seconds, attoseconds) = wait.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        count =
          queue >= 0
          ? unsafe kevent(queue, nil, 0, &events, 64, &time) : unsafe nanosleep(&time, nil)
      } else {
        count = unsafe kevent(queue, nil, 0, &events, 64, nil)
      }
      for index in 0..<Int(max(count, 0))
      where unsafe events[index].filter == Int16(EVFILT_VNODE) {
        noticed.names.insert(unsafe Int32(events[index].ident))
      }
      return noticed
    }
  }

#endif
