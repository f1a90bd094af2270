import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// The locks that `F_OFD_SETLK` gives: they belong to the open descriptor.
///
/// Those of `F_SETLK` belong to the process. They exclude no other descriptor of the process, and
/// closing any descriptor of the file drops them all.
@Suite struct ByteLockTests {
  /// A file to lock, in a folder of its own.
  private struct LockFile {
    let folder: StructureTestFolder
    var path: String { folder.file("file") }

    init() throws {
      folder = try StructureTestFolder()
      try Data("bytes".utf8).write(to: URL(filePath: path))
    }

    func open() throws -> FileHandle { try FileHandle(forUpdating: URL(filePath: path)) }
  }

  @Test func `two descriptors in one process exclude each other`() throws {
    let file = try LockFile()
    let (first, second) = (try file.open(), try file.open())
    #expect(try ByteLock.take(7, .exclusive, in: first.fileDescriptor))
    #expect(try !ByteLock.take(7, .exclusive, in: second.fileDescriptor))
    #expect(try !ByteLock.take(7, .shared, in: second.fileDescriptor))
    ByteLock.drop(7, in: first.fileDescriptor)
    #expect(try ByteLock.take(7, .exclusive, in: second.fileDescriptor))
    #expect(try !ByteLock.take(7, .exclusive, in: first.fileDescriptor))
  }

  @Test func `two descriptors share a byte and refuse a third that wants it alone`() throws {
    let file = try LockFile()
    let (first, second, third) = (try file.open(), try file.open(), try file.open())
    #expect(try ByteLock.take(7, .shared, in: first.fileDescriptor))
    #expect(try ByteLock.take(7, .shared, in: second.fileDescriptor))
    ByteLock.drop(7, in: first.fileDescriptor)
    #expect(try !ByteLock.take(7, .exclusive, in: third.fileDescriptor))
    ByteLock.drop(7, in: second.fileDescriptor)
    #expect(try ByteLock.take(7, .exclusive, in: third.fileDescriptor))
  }

  @Test func `a lock of one byte leaves its neighbours and not the whole file`() throws {
    let file = try LockFile()
    let (first, second) = (try file.open(), try file.open())
    let far: Int64 = 1 << 40
    #expect(try ByteLock.take(far, .exclusive, in: first.fileDescriptor))
    for byte in [0, far - 1, far + 1] {
      #expect(try ByteLock.take(byte, .exclusive, in: second.fileDescriptor), "\(byte)")
      ByteLock.drop(byte, in: second.fileDescriptor)
    }
    #expect(try !ByteLock.take(nil, .exclusive, in: second.fileDescriptor))
    ByteLock.drop(far, in: first.fileDescriptor)
    #expect(try ByteLock.take(nil, .exclusive, in: second.fileDescriptor))
    #expect(try !ByteLock.take(0, .shared, in: first.fileDescriptor))
  }

  @Test func `a lock survives the opening and closing of its file in the process`() throws {
    let file = try LockFile()
    let (holder, other) = (try file.open(), try file.open())
    #expect(try ByteLock.take(7, .exclusive, in: holder.fileDescriptor))
    for _ in 0..<3 {
      let passing = try file.open()
      #expect(try passing.readToEnd() == Data("bytes".utf8))
      #expect(try !ByteLock.take(7, .exclusive, in: passing.fileDescriptor))
      try passing.close()
    }
    #expect(try Data(contentsOf: URL(filePath: file.path)).count == 5)
    #expect(try !ByteLock.take(7, .exclusive, in: other.fileDescriptor))
  }

  @Test func `closing the descriptor drops its lock`() throws {
    let file = try LockFile()
    let (holder, other) = (try file.open(), try file.open())
    #expect(try ByteLock.take(7, .exclusive, in: holder.fileDescriptor))
    try holder.close()
    #expect(try ByteLock.take(7, .exclusive, in: other.fileDescriptor))
  }

  @Test func `another process meets a lock until this process drops it`() async throws {
    let file = try LockFile()
    let holder = try file.open()
    #expect(try ByteLock.take(7, .exclusive, in: holder.fileDescriptor))
    // Closing another descriptor would drop a lock of the process.
    try file.open().close()
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      #expect(try !ByteLock.take(7, .exclusive, in: file.fileDescriptor))
      #expect(try !ByteLock.take(7, .shared, in: file.fileDescriptor))
    }
    ByteLock.drop(7, in: holder.fileDescriptor)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      #expect(try ByteLock.take(7, .exclusive, in: file.fileDescriptor))
    }
  }

  @Test(.oneAtATime)
  func `a lock is dropped when its process is killed, and not before`() async throws {
    let file = try LockFile()
    let (path, ready, seen) = (file.path, file.folder.file("ready"), file.folder.file("seen"))
    async let child: Void = {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, ready = ready as String, seen = seen as String] in
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try #require(try ByteLock.take(7, .exclusive, in: file.fileDescriptor))
        Signal.send(ready)
        try Signal.wait(for: seen)
        kill(getpid(), SIGKILL)
      }
    }()
    try await Signal.arrival(of: ready)
    let handle = try file.open()
    #expect(try !ByteLock.take(7, .exclusive, in: handle.fileDescriptor))
    Signal.send(seen)
    await child
    #expect(try ByteLock.take(7, .exclusive, in: handle.fileDescriptor))
  }

  @Test func `a waiting lock is taken once the other holder drops it`() throws {
    let file = try LockFile()
    let (holder, other) = (try file.open(), try file.open())
    let (first, second) = (holder.fileDescriptor, other.fileDescriptor)
    #expect(try ByteLock.take(7, .shared, in: first))
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      #expect(throws: Never.self) { try ByteLock.take(7, .exclusive, in: second, waits: true) }
      done.signal()
    }
    thread.start()
    #expect(done.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    ByteLock.drop(7, in: first)
    done.wait()
    #expect(try !ByteLock.take(7, .shared, in: first))
    withExtendedLifetime((holder, other)) {}
  }

  @Test func `a descriptor that is not open is an error`() throws {
    let error = #expect(throws: LMDBError.self) { try ByteLock.take(7, .shared, in: -1) }
    #expect(error?.code.rawValue == EBADF)
  }
}
