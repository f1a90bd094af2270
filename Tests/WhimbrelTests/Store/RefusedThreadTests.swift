#if os(Linux)
  import Foundation
  import Testing
  import Whimbrel
  import WhimbrelTestSupport

  /// Threads that the system refuses, as in a container with a limit.
  @Suite(.oneAtATime, .mustEnd) struct RefusedThreadTests {
    // `Thread.start()` ignored the refusal, and the caller waited forever.
    @Test func `work whose thread the system refuses is an error, and works later`() async throws {
      await #expect(processExitsWith: .success) {
        let test = try TestStore()
        let store = try test.open()
        try store.write { try store.add(Node(name: "first")) }
        // The cooperative pool keeps its threads for some seconds: it needs them, too.
        await withTaskGroup { group in for _ in 0..<4 { group.addTask { usleep(100_000) } } }
        try Self.limitAddresses(more: 4 << 20)
        await Self.expectRefusal { try await store.asyncWrite {} }
        await Self.expectRefusal { _ = try await Store.open(test.configuration) }
        await Self.expectRefusal {
          for try await _ in store.values({ $0.objects(Node.self).count }) { break }
        }
        try Self.limitAddresses(more: nil)
        try await store.asyncWrite { try store.add(Node(name: "second")) }
        #expect(try await Store.open(test.configuration).objects(Node.self).count == 2)
      }
    }

    private static func expectRefusal(_ body: () async throws -> Void) async {
      do {
        try await body()
        Issue.record("a thread was started")
      } catch {
        #expect((error as? StoreError)?.context.systemErrorNumber == EAGAIN)
        #expect("\(error)".contains("End unused threads"))
      }
    }

    /// Limits the addresses of this process to so many more than it has, or ends the limit. A thread
    /// needs 8 MiB.
    private static func limitAddresses(more: rlim_t?) throws {
      var limit = rlimit(rlim_cur: .max, rlim_max: .max)
      if let more {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(rlim_t(text.prefix { $0 != " " }))
        limit.rlim_cur = pages * rlim_t(getpagesize()) + more
      }
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    }
  }
#endif
