import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Opening a store that another process migrates.
@Suite(.serialized, .oneAtATime) struct WaitingTests {
  private static let count = 50

  /// Lets another process migrate the file, and calls `body` in the midst of that.
  private func whileMigrated(
    _ store: TestStore, _ body: (_ processID: Int32, _ end: () -> Void) throws -> Void
  ) async throws {
    let path = store.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String] in
      _ = try StoreFile.open(
        BigMigration.request(path) { number in
          guard number == 10 else { return }
          Signal.send(path + ".begun", "\(getpid())")
          try Signal.wait(for: path + ".go")
        })
    }
    let text = try await Signal.arrival(of: path + ".begun")
    try body(try #require(Int32(text))) { Signal.send(path + ".go") }
    Signal.send(path + ".go")
    _ = await child
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    #expect(try store.contents().catalog.history.count == 1)
  }

  @Test func `who waits too long is told which process migrates`() async throws {
    let store = try BigMigration.store(Self.count)
    try await whileMigrated(store) { processID, _ in
      for milliseconds in [0, 200] {
        var request = BigMigration.request(store.path) { _ in Issue.record("It has begun.") }
        request.migration.timeout = .milliseconds(milliseconds)
        let ready = request
        let start = ContinuousClock.now
        let error = storeError { _ = try StoreFile.open(ready) }
        #expect(ContinuousClock.now - start >= .milliseconds(milliseconds))
        #expect(error?.code == .migrationInProgress)
        #expect(error?.context.processID == processID)
        #expect(error?.message.contains("process \(processID) is migrating it") == true)
      }
    }
  }

  @Test func `who waits is told so, and finds the migration done`() async throws {
    let store = try BigMigration.store(Self.count)
    try await whileMigrated(store) { _, end in
      let phases = Notes<MigrationProgress.Phase>()
      var request = BigMigration.request(store.path) { _ in Issue.record("It has begun.") }
      request.migration.timeout = nil
      request.migration.progress = { progress in
        phases.add(progress.phase)
        if phases.count == 3 { Signal.send(store.path + ".go") }
        return .continue
      }
      let session = try Session(StoreFile.open(request))
      #expect(try StoreContents(session).version == 2)
      #expect(phases.count >= 3 && Set(phases.all) == [.waiting])
      end()
    }
  }

  @Test func `waiting can be cancelled`() async throws {
    let store = try BigMigration.store(Self.count)
    try await whileMigrated(store) { _, _ in
      var request = BigMigration.request(store.path)
      request.migration.progress = { _ in .cancel }
      let ready = request
      let error = storeError { _ = try StoreFile.open(ready) }
      #expect(error?.code == .migrationCancelled)
      #expect(error?.context.path == store.path)
    }
  }

  // A waiting process must not keep what the migration frees, nor stand in its way.
  @Test func `a process that gives up the lock by dying lets the next go on`() async throws {
    let store = try BigMigration.store(Self.count)
    let path = store.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String] in
      _ = try StoreFile.open(
        BigMigration.request(path) { number in
          guard number == 10 else { return }
          Signal.send(path + ".begun")
          usleep(300_000)
          kill(getpid(), SIGKILL)
        })
    }
    try await Signal.arrival(of: path + ".begun")
    _ = try StoreFile.open(BigMigration.request(path))
    _ = await child
    #expect(try BigMigration.problems(store, Self.count, version: 2) == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }
}
