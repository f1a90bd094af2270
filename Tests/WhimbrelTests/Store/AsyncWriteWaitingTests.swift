import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// Asynchronous writes that wait: for others, for busy actors, and in vain.
@Suite(.oneAtATime, .mustEnd) struct AsyncWriteWaitingTests {
  private func wait(until condition: () throws -> Bool) async rethrows {
    while try !condition() { try? await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits until the thread of the queue waits for another writer.
  private func waitForQueue(_ store: Store) async throws {
    try await wait { try store.session.file.environment.hasWaitingWriters }
  }

  @Test func `a cancelled task does not wait, and nothing is written`() async throws {
    let test = try TestStore()
    let configuration = test.configuration
    let store = try test.open()
    let writer = try StoreWriter(configuration)
    let held = HeldWrite(configuration)
    let tasks = [
      Task { try await writer.add("one") },
      Task {
        _ = try await Store.write(configuration) { try $0.add(Node(name: "two")) }
      },
    ]
    try await waitForQueue(store)
    for task in tasks {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    held.release()
    try await writer.add("three")
    #expect(await writer.names == ["three"])
  }

  @Test func `a task that is cancelled in its closure has written`() async throws {
    let test = try TestStore()
    let writer = try StoreWriter(test.configuration)
    let task = Task {
      try await Store.write(test.configuration) { store in
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try store.add(Node(name: "one"))
      }
    }
    try await task.value
    try await writer.with { _ = try $0.refresh() }
    #expect(await writer.names == ["one"])
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(-1e12)])
  func `a limit that is over before the wait begins ends it`(_ limit: Duration) async throws {
    let test = try TestStore()
    let writer = try StoreWriter(test.configuration)
    let held = HeldWrite(test.configuration)
    let error = try await #require(
      #expect(throws: StoreError.self) { try await writer.add("one", waitingUpTo: limit) })
    #expect(error.code == .writeTimedOut)
    held.release()
    try await writer.add("two")
    #expect(await writer.names == ["two"])
  }

  @Test func `a limit names the thread of this process that writes`() async throws {
    let test = try TestStore()
    let configuration = test.configuration
    let writer = try StoreWriter(configuration)
    let held = HeldWrite(configuration)
    for usesActor in [true, false] {
      let error = try await #require(
        #expect(throws: StoreError.self) {
          if usesActor {
            try await writer.add("one", waitingUpTo: .milliseconds(50))
          } else {
            try await Store.write(configuration, waitingUpTo: .milliseconds(50)) { _ in }
          }
        })
      #expect(error.code == .writeTimedOut, "\(error)")
      #if os(Linux)
        #expect(error.context.processID == getpid() && error.context.threadID != nil)
        #expect(error.message.contains("of this process was writing"))
      #endif
    }
    held.release()
    try await writer.add("two", waitingUpTo: .seconds(600))
    #expect(await writer.names == ["two"])
  }

  @Test func `a limit names the other process that writes`() async throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Node(name: "first")) }
    let path = test.url.path
    async let child = #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store(
        Store.Configuration(url: URL(filePath: path), models: TestStore.models))
      try store.write {
        Signal.send(path + ".writing", "\(getpid())")
        try Signal.wait(for: path + ".enough")
        try store.add(Node(name: "other"))
      }
    }
    let process = Int32(try await Signal.arrival(of: path + ".writing"))
    let error = try await #require(
      #expect(throws: StoreError.self) {
        try await Store.write(test.configuration, waitingUpTo: .milliseconds(100)) { _ in }
      })
    #expect(error.code == .writeTimedOut)
    #if os(Linux)
      #expect(error.context.processID == process, "\(error)")
    #endif
    let task = Task { [configuration = test.configuration] in
      try await Store.write(configuration) { store in
        store.objects(Node.self).map(\.name)
      }
    }
    Signal.send(path + ".enough")
    _ = await child
    #expect(try await task.value == ["first", "other"])
  }

  @Test func `a synchronous write of an actor with a turn to take does not wait for it`()
    async throws
  {
    let test = try TestStore()
    let configuration = test.configuration
    let store = try test.open()
    let writer = try StoreWriter(configuration)
    for round in 0..<20 {
      let held = HeldWrite(configuration)
      let task = Task { try await writer.add("async \(round)") }
      try await waitForQueue(store)
      try await writer.with { store in
        held.release()
        held.wait()
        // The turn is offered now, or soon.
        if round % 2 == 0 { usleep(500) }
        try store.write { try store.add(Node(name: "sync \(round)")) }
      }
      try await task.value
    }
    #expect(await writer.names.count == 40)
    try test.expectWhole()
  }

  @Test func `a busy actor holds up no other write`() async throws {
    let test = try TestStore()
    let configuration = test.configuration
    let busy = try StoreWriter(configuration)
    let other = try StoreWriter(configuration)
    let (isBusy, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let task = Task {
      // Its actor is asked for a turn while it is busy.
      async let first: Void = busy.add("busy")
      await busy.with { _ in
        isBusy.signal()
        isFree.wait()
      }
      try await first
    }
    await Task.detached { isBusy.waitHere() }.value
    for number in 0..<10 { try await other.add("\(number)") }
    for _ in 0..<10 { try await Store.write(configuration) { try $0.add(Node(name: "x")) } }
    isFree.signal()
    try await task.value
    #expect(await busy.names.count == 21)
  }

  @Test func `an actor that is mostly busy gets its turn`() async throws {
    let test = try TestStore()
    let busy = try StoreWriter(test.configuration)
    let isOver = Shared(false)
    try await withThrowingTaskGroup(of: Void.self) { [configuration = test.configuration] group in
      group.addTask {
        while !isOver.value {
          _ = await busy.with { _ in usleep(5_000) }
        }
      }
      group.addTask {
        while !isOver.value {
          try await Store.write(configuration) { _ in }
        }
      }
      for number in 0..<5 { try await busy.add("\(number)") }
      isOver.value = true
      try await group.waitForAll()
    }
    #expect(await busy.names.count == 5)
  }

  // A turn beside other writers was withdrawn after a millisecond, however many were missed.
  @Test func `an actor that is busy at each turn gets one`() async throws {
    let test = try TestStore()
    let busy = try StoreWriter(test.configuration)
    let store = try test.open()
    let queue = store.session.file.writeQueue
    (queue.limits.patience, queue.limits.maximumPatience) = (.zero, .zero)
    let isOver = Shared(false)
    await withTaskGroup { group in
      group.addTask {
        while !isOver.value { _ = await busy.with { _ in usleep(5_000) } }
      }
      for number in 0..<3 {
        await #expect(throws: Never.self) {
          try await busy.add("\(number)", waitingUpTo: .seconds(30))
        }
      }
      isOver.value = true
    }
    #expect(await busy.names.count == 3)
  }

  @Test func `a write in a write is an error, and the outer one goes on`() async throws {
    let test = try TestStore()
    let writer = try StoreWriter(test.configuration)
    await expectAsync(.nestedWrite) { try await writer.writeInWrite() }
    try await Store.write(test.configuration) { [configuration = test.configuration] store in
      try store.add(Node(name: "outer"))
      try expectError(.nestedWrite) { try store.write {} }
      let other = try Store(configuration)
      try expectError(.nestedWrite) { try other.write {} }
      #expect(store.isInWrite)
    }
    try await writer.add("more")
    #expect(await writer.names == ["outer", "more"])
    let store = try test.open()
    let other = try test.open()
    try await store.asyncWrite {
      try expectError(.nestedWrite) { try store.write {} }
      try expectError(.nestedWrite) { try other.write {} }
      try expectError(.inWrite) { try store.close() }
      try store.add(Node(name: "last"))
    }
    #expect(store.objects(Node.self).count == 3)
  }

  @Test func `closing the store ends its waiting writes`() async throws {
    let test = try TestStore()
    let store = try test.open()
    let writer = try StoreWriter(test.configuration)
    let held = HeldWrite(test.configuration)
    let tasks = (0..<3).map { number in Task { try await writer.add("\(number)") } }
    try await waitForQueue(store)
    await wait { store.session.file.writeQueue.count == 2 }
    try await writer.with { try $0.close() }
    for task in tasks {
      let error = await #expect(throws: StoreError.self) { try await task.value }
      #expect(error?.code == .storeClosed)
    }
    await expectAsync(.storeClosed) { try await writer.add("late") }
    held.release()
    held.wait()
    try store.refresh()
    #expect(store.objects(Node.self).isEmpty)
  }

  @Test func `the thread of the queue ends when the file is closed while the thread is busy`()
    async throws
  {
    let test = try TestStore()
    weak var queue: WriteQueue?
    do {
      let store = try test.open()
      let file = store.session.file
      let known = file.writeQueue
      queue = known
      // The test ends before the time of a thread that waits in vain.
      known.limits.idleTime = .seconds(3_600)
      try await file.writeQueued(waitingUpTo: nil) { _ in known.close() }
    }
    await wait { queue == nil }
  }

  @Test func `a write that has to run again in another group can leave`() throws {
    let test = try TestStore()
    let store = try test.open()
    let write = QueuedWrite(store.session.file)
    write.finish(isOutdated: true)
    #expect(write.leave(CancellationError()))
    withExtendedLifetime(store) {}
  }

  @Test func `a store that nobody else keeps writes, and goes away afterwards`() async throws {
    let test = try TestStore()
    let held = HeldWrite(test.configuration)
    let task = Task { [configuration = test.configuration] in
      let writer = try StoreWriter(configuration)
      try await writer.add("one")
    }
    try await Task.sleep(for: .milliseconds(20))
    held.release()
    held.wait()
    try await task.value
    #expect(try test.open().objects(Node.self).map(\.name) == ["one"])
    #expect(try Store.deleteFiles(at: test.url))
  }

  @Test func `a store that is read-only refuses`() async throws {
    let test = try TestStore()
    _ = try test.open()
    let store = try test.openReadOnly()
    await expectAsync(.readOnlyStore) { try await store.asyncWrite {} }
    await expectAsync(.readOnlyStore) {
      try await Store.write(store.configuration) { _ in }
    }
  }
}

extension DispatchSemaphore {
  /// Waits, also in asynchronous code, whose thread is held up.
  fileprivate func waitHere() { wait() }
}

/// Expects that `body` throws a ``StoreError`` of a kind.
private func expectAsync(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}
