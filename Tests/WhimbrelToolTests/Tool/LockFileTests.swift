import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

#if os(Linux)
  /// A verb that only reads made a lock file beside the store, and left it there.
  struct LockFileTests {
    let folder: TestFolder
    private let lock: String

    init() throws {
      folder = try TestFolder()
      try Sample.make(at: folder.path("a.whimbrel"))
      lock = folder.path("a.whimbrel-lock")
      try FileManager.default.removeItem(atPath: lock)
    }

    private var hasLock: Bool { FileManager.default.fileExists(atPath: lock) }

    @Test(arguments: [
      ["info", "a.whimbrel"], ["info", "a.whimbrel", "--layouts"], ["ls", "a.whimbrel", "Zone"],
      ["show", "a.whimbrel", "Zone", "Europe/Andorra"],
      ["query", "a.whimbrel", "Zone where latitude > 1"],
      ["dump", "a.whimbrel"], ["dump", "a.whimbrel", "--csv", "Zone"], ["log", "a.whimbrel"],
      ["schema", "a.whimbrel"], ["diff", "a.whimbrel", "a.whimbrel"], ["check", "a.whimbrel"],
      ["coverage", "a.whimbrel"], ["plan", "a.whimbrel", "a.whimbrel", "--check"],
      ["prune", "a.whimbrel", "--dry-run"], ["prune", "a.whimbrel", "b.whimbrel"],
      ["compact", "a.whimbrel", "b.whimbrel"], ["anonymize", "a.whimbrel", "b.whimbrel"],
      ["set", "a.whimbrel", "Zone", "Europe/Andorra", "latitude=1"],
      ["ls", "a.whimbrel", "Nothing"],
    ])
    func `what only reads leaves no new lock file`(arguments: [String]) throws {
      let run = try ToolRun(arguments, in: folder)
      #expect(run.exitCode != -1, "\(run.errors)")
      #expect(!hasLock, "\(arguments): \(run.errors)")
    }

    @Test func `a damaged store leaves none, either`() throws {
      var data = try #require(folder.contents("a.whimbrel"))
      for offset in stride(from: 8_192, to: data.count, by: 97) { data[offset] ^= 0x55 }
      try data.write(to: folder.url.appending(path: "a.whimbrel"))
      for verb in ["dump", "check", "info"] {
        _ = try ToolRun([verb, "a.whimbrel"], in: folder)
        #expect(!hasLock, "\(verb)")
      }
    }

    @Test func `a lock file that was there stays`() throws {
      #expect(FileManager.default.createFile(atPath: lock, contents: nil))
      let run = try ToolRun(["dump", "a.whimbrel"], in: folder)
      #expect(run.exitCode == 0)
      #expect(hasLock)
    }

    @Test func `a lock file is not removed while somebody has the store open`() throws {
      let trace = LockFileTrace(path: folder.path("a.whimbrel"))
      let session = try readOnlySession(folder.path("a.whimbrel"))
      trace.remove()
      #expect(hasLock)
      session.close()
    }

    @Test func `readers that remove the lock file do not separate writers`() throws {
      // Each writer adds objects, and opens the store anew for each; readers come and go between
      // them. Two lock files at once would lose commits.
      let script = """
        for reader in 1 2 3; do
          (while [ ! -e done ]; do $whimbrel info a.whimbrel >/dev/null || echo reader failed; done) &
        done
        for writer in 1 2; do
          (for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
            # On a busy machine one says that it waits for the other.
            $whimbrel add a.whimbrel Country code=$writer-$number name=x --write \
              >/dev/null 2>errors.$writer || { echo writer failed; cat errors.$writer; }
          done; : > done.$writer) &
        done
        while [ ! -e done.1 ] || [ ! -e done.2 ]; do sleep 0.05; done
        : > done
        wait
        $whimbrel query a.whimbrel Country --count
        """
      let (output, exitCode) = try shell(script, in: folder)
      #expect(exitCode == 0)
      #expect(output == "25\n")
      #expect(try integrityFindings(folder.path("a.whimbrel")) == [])
    }
  }
#endif

/// A verb that had to wait for another writer said nothing.
struct WriterWaitTests {
  @Test func `waiting for another writer is said, and goes on when that is done`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let ready = folder.path("ready")
    let path = folder.path("a.whimbrel")
    let begun = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      defer { isDone.signal() }
      var request = OpenRequest(path: path)
      request.file.checks = .allPages
      guard let session = try? Session(StoreFile.attach(request)) else { return }
      try? session.write {
        begun.signal()
        // Until the tool has said that it waits.
        for _ in 0..<12_000 where !FileManager.default.fileExists(atPath: ready) { usleep(50_000) }
      }
      session.close()
    }
    begun.wait()
    let script = """
      $whimbrel set a.whimbrel Zone Europe/Andorra latitude=1 --write 2>err >out &
      for _ in $(seq 3000); do [ -s err ] && break; sleep 0.2; done
      : > ready
      wait $!
      cat err out
      """
    let (output, _) = try shell(script, in: folder)
    isDone.wait()
    #expect(
      output.hasPrefix("Waiting for another program that is writing 'a.whimbrel' …\n"), "\(output)")
    #expect(output.contains("Done: 1 changed."))
  }
}
