import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// Swift hides `fork`; C code in the same process may call it all the same.
@_silgen_name("fork") private func systemFork() -> pid_t

/// Processes that are forked while writes run and others wait for their turns.
@Suite(.oneAtATime, .mustEnd) struct ForkedWriteTests {
  /// Forks this process. A child that does not end by itself is ended after a minute.
  fileprivate static func fork() -> pid_t {
    let child = systemFork()
    if child == 0 { alarm(60) }
    return child
  }

  /// The exit code of a child that was refused as it must be. A child whose last thread ends exits
  /// with 0.
  fileprivate static let refused: Int32 = 42

  /// Waits for a child, and expects that it was refused.
  fileprivate static func expectRefusal(
    of child: pid_t, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var status: Int32 = -1
    #expect(unsafe waitpid(child, &status, 0) == child, sourceLocation: sourceLocation)
    #expect(status == refused << 8, "\(status >> 8), \(status)", sourceLocation: sourceLocation)
  }

  /// Whether a closure is refused because the store belongs to the parent process.
  private static func isRefused(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      return (error as? StoreError)?.code == .usedAfterFork
    }
  }

  /// Uses a store of the parent process. Returns the number of the use that was not refused, or
  /// ``refused``.
  private static func use(_ store: Store) async -> Int32 {
    guard isRefused({ try store.write { try store.add(Node(name: "child")) } }) else { return 11 }
    guard isRefused({ try store.beginWrite() }) else { return 12 }
    guard isRefused({ try store.refresh() }) else { return 13 }
    do {
      // It throws without a suspension: the child has no other threads.
      try await store.asyncWrite { try store.add(Node(name: "child")) }
      return 14
    } catch {
      guard (error as? StoreError)?.code == .usedAfterFork else { return 15 }
    }
    return refused
  }

  /// Opens a store of the child's own, and returns whether it has so many nodes.
  private static func opensOwn(_ configuration: Store.Configuration, _ count: Int) -> Bool {
    (try? Store(configuration).objects(Node.self).count) == count
  }

  @Test func `a child that is forked while writes wait is refused, and all of them are written`()
    async throws
  {
    let test = try TestStore()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      var test = try TestStore()
      test.configuration.url = URL(filePath: path)
      let crowd = try await WriterCrowd(test)
      _ = try await crowd.write("before")
      let store = crowd.patient.store
      try store.refresh()
      let errors = try await crowd.write("waiting") {
        #expect(crowd.patient.queue.count == WriterCrowd.count - 1)
        let child = Self.fork()
        if child == 0 {
          guard Self.opensOwn(test.configuration, WriterCrowd.kept) else { _exit(1) }
          _exit(await Self.use(store))
        }
        Self.expectRefusal(of: child)
      }
      #expect(errors.count { $0 == nil } == WriterCrowd.kept)
      for member in crowd.members {
        try await member.refresh()
        #expect(
          await member.names == WriterCrowd.names("before") + WriterCrowd.names("waiting"))
      }
      try test.expectWhole()
    }
    #expect(try test.open().objects(Node.self).count == WriterCrowd.kept * 2)
    try test.expectWhole()
  }

  // The child took a lock that another store of the file held, and was stopped or waited for ever.
  @Test func `a child that is forked in a write is refused while other stores open and close`()
    async throws
  {
    let test = try TestStore()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      var test = try TestStore()
      test.configuration.url = URL(filePath: path)
      let configuration = test.configuration
      let store = try Store(configuration)
      let isOver = Atomic<Bool>(false)
      for _ in 0..<8 {
        Thread.detachNewThread {
          while !isOver.load(ordering: .relaxed) { _ = try? Store(configuration) }
        }
      }
      for _ in 0..<200 {
        var child: pid_t = -1
        let isRefused = Self.isRefused { try store.write { child = Self.fork() } }
        if child == 0 { _exit(isRefused ? Self.refused : 3) }
        Self.expectRefusal(of: child)
      }
      isOver.store(true, ordering: .relaxed)
    }
  }

  // MARK: - Forks in closures

  /// An actor whose write forks.
  private actor Forker {
    private let store: Store

    init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

    /// Returns in the child, too, and there with the error of the write.
    func fork(in closure: Place) async throws {
      var child: pid_t = -1
      do {
        switch closure {
        case .write: try store.write { child = try add() }
        case .asyncWrite: try await store.asyncWrite { child = try add() }
        case .exitInAsyncWrite:
          try await store.asyncWrite {
            child = try add()
            if child == 0 { exit(ForkedWriteTests.refused) }
          }
        }
      } catch {
        let isRefused = (error as? StoreError)?.code == .usedAfterFork
        if child == 0 { _exit(isRefused ? ForkedWriteTests.refused : 3) }
        throw error
      }
      if child == 0 { _exit(4) }
    }

    private func add() throws -> pid_t {
      try store.add(Node(name: "forked"))
      let child = ForkedWriteTests.fork()
      // The child ends its write first.
      if child > 0 { ForkedWriteTests.expectRefusal(of: child) }
      return child
    }
  }

  enum Place: String, CaseIterable, Codable { case write, asyncWrite, exitInAsyncWrite }

  // The child committed its parent's transaction, and its `asyncWrite` never returned.
  @Test(arguments: Place.allCases)
  func `a child that is forked in a write writes nothing, and its parent and others do`(
    _ place: Place
  ) async throws {
    let test = try TestStore()
    await #expect(processExitsWith: .success) {
      [path = test.url.path as String, place = place as Place] in
      var test = try TestStore()
      test.configuration.url = URL(filePath: path)
      let patient = try PatientStore(test)
      let configuration = test.configuration
      let held = HeldWrite(configuration)
      var tasks = [Task { try await Forker(configuration).fork(in: place) }]
      try await patient.wait(for: 1)
      for number in 0..<3 {
        tasks.append(
          Task { try await Store.write(configuration) { try $0.add(Node(name: "\(number)")) } })
      }
      // One of them may be with the thread of the queue.
      try await patient.wait(for: 3)
      held.release()
      for task in tasks { try await task.value }
      try test.expectWhole()
      try await Store.write(configuration) { try $0.add(Node(name: "after")) }
    }
    let names = try test.open().objects(Node.self).map(\.name)
    #expect(names.first == "forked" && names.last == "after")
    #expect(Set(names) == ["forked", "0", "1", "2", "after"] && names.count == 5)
    try test.expectWhole()
  }

  @Test func `a child that is forked on the thread of the queue is stopped, and its parent writes`()
    async throws
  {
    let test = try TestStore()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      var test = try TestStore()
      test.configuration.url = URL(filePath: path)
      try await Store.write(test.configuration) { store in
        try store.add(Node(name: "forked"))
        let child = Self.fork()
        guard child > 0 else { return }
        var status: Int32 = 0
        #expect(unsafe waitpid(child, &status, 0) == child)
        // By the message that names the fork, and not by its alarm.
        #expect([SIGILL, SIGTRAP, SIGABRT].contains(status & 0x7F), "\(status)")
      }
      try await Store.write(test.configuration) { try $0.add(Node(name: "after")) }
    }
    #expect(try test.open().objects(Node.self).map(\.name) == ["forked", "after"])
    try test.expectWhole()
  }
}
