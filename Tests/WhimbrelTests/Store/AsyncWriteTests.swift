import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Asynchronous writes: on the actor of the caller, and on a thread of their own.
@Suite(.oneAtATime) struct AsyncWriteTests {
  @Test func `a write runs on the caller's actor, and its result is there`() async throws {
    let test = try TestStore()
    let writer = try StoreWriter(test.configuration)
    try await writer.add("one")
    #expect(await writer.names == ["one"])
    #expect(try test.open().objects(Node.self).map(\.name) == ["one"])
  }

  @MainActor
  @Test func `live objects of the main actor are changed there`() async throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "before")
    let count = try await store.asyncWrite {
      MainActor.assertIsolated()
      try store.add(node)
      return store.objects(Node.self).count
    }
    #expect(count == 1 && node.name == "before")
    try await store.asyncWrite { node.name = "after" }
    #expect(node.name == "after" && !store.isInWrite)
    #expect(try test.open().objects(Node.self).map(\.name) == ["after"])
  }

  /// An actor that reads an object which an asynchronous write has added, before that returns.
  private actor EarlyReader {
    private let store: Store
    private var added: Node?

    init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

    func read() async throws {
      // The write may be on the disk before anything reads.
      for _ in 0..<1_000 {
        added = nil
        async let write: Void = write()
        while added == nil { await Task.yield() }
        _ = added?.name
        try await write
      }
    }

    private func write() async throws {
      try await store.asyncWrite {
        let node = Node(name: "new")
        try store.add(node)
        added = node
      }
    }
  }

  @Test func `an object that is read before the write that adds it returns is named as such`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let test = try TestStore()
      try await EarlyReader(test.configuration).read()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("was added by an 'asyncWrite' that has not returned"), "\(text)")
  }

  @MainActor
  @Test func `a write of a configuration runs on another thread, and returns a value`() async throws
  {
    let test = try TestStore()
    let count = try await Store.write(test.configuration) { store in
      #expect(!Thread.isMainThread)
      try store.add(Node(name: "one"))
      return store.objects(Node.self).count
    }
    #expect(count == 1)
    #expect(try test.open().objects(Node.self).map(\.name) == ["one"])
  }

  @Test func `a write of a configuration makes the file, and lets go of it`() async throws {
    let test = try TestStore()
    for round in 0..<20 {
      try await Store.write(test.configuration) { try $0.add(Node(name: "\(round)")) }
      #expect(try Store.deleteFiles(at: test.url))
    }
  }

  @Test func `an error of an undone write is not one of the next write`() async throws {
    let test = try TestStore()
    let writer = try StoreWriter(test.configuration)
    try await writer.add("a")
    await #expect(throws: RollBack.self) {
      try await writer.write { store in
        let gone = Node(name: "gone")
        try store.add(gone)
        try store.delete(gone)
        store.objects(Node.self).first?.next = gone
        throw RollBack()
      }
    }
    try await writer.add("b")
    #expect(await writer.names == ["a", "b"])
    try test.expectWhole()
  }

  @Test func `a write that throws is undone alone, and others are kept`() async throws {
    let test = try TestStore()
    let store = try test.open()
    let configuration = test.configuration
    let writers = try (0..<4).map { _ in try StoreWriter(configuration) }
    let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        group.addTask {
          do {
            switch number % 4 {
            case 0: try await writers[number / 4 % 4].add("\(number)")
            case 1: try await writers[number / 4 % 4].addAndThrow("\(number)")
            case 2: try await Store.write(configuration) { try $0.add(Node(name: "\(number)")) }
            default:
              try await Store.write(configuration) { store in
                try store.add(Node(name: "\(number)"))
                throw RollBack()
              }
            }
            return false
          } catch is RollBack {
            return true
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 30)
    try store.refresh()
    let kept = (0..<60).filter { $0 % 2 == 0 }.map { "\($0)" }
    #expect(Set(store.objects(Node.self).map(\.name)) == Set(kept))
    #expect(Set(store.objects(Node.self).compactMap(\.objectID)).count == 30)
    try test.expectWhole()
  }
}
