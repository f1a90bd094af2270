import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Uses of a store on two threads, where the compiler was told to look away.
@Suite struct OtherThreadTests {
  /// What the compiler would not let pass to another thread.
  private struct Smuggled: @unchecked Sendable {
    let store: Store
    let node: Node
    let results: Results<Node>

    /// Runs `body` on another thread inside of a write of this one.
    static func inWrite(_ body: @escaping @Sendable (Smuggled) throws -> Void) throws {
      let store = try TestStore().open()
      let node = Node(name: "a")
      try store.write { try store.add(node) }
      let results = store.objects(Node.self)
      _ = (node.name, results.count, results.first)
      let smuggled = Smuggled(store: store, node: node, results: results)
      try store.write {
        node.name = "uncommitted"
        // This thread has read it in the write, and the other has the same object.
        _ = (node.name, results.first?.name)
        let done = DispatchSemaphore(value: 0)
        Thread {
          try? body(smuggled)
          done.signal()
        }.start()
        done.wait()
      }
    }
  }

  private func expectStop(
    _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try #require(result, sourceLocation: sourceLocation).standardErrorContent
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains("it was opened on another thread, and that thread is writing to it"), "\(text)",
      sourceLocation: sourceLocation)
  }

  @Test func `reading a property during another thread's write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { _ = $0.node.name } }
    try expectStop(result)
  }

  @Test func `going through results during another thread's write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { for node in $0.results { _ = node.objectID } } }
    try expectStop(result)
  }

  @Test func `counting during another thread's write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { _ = $0.results.count } }
    try expectStop(result)
  }

  @Test func `writing during another thread's write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { try $0.store.write {} } }
    try expectStop(result)
  }

  @Test func `setting a property during another thread's write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { $0.node.name = "b" } }
    try expectStop(result)
  }

  @Test func `refreshing during another thread's write stops`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { try $0.store.refresh() } }
    try expectStop(result)
  }

  @Test func `dynamic objects are checked, too`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try Smuggled.inWrite { _ = try $0.store.dynamicObjects("Node").first?["name"] } }
    try expectStop(result)
  }

  @Test func `an actor moves its store between threads`() async throws {
    let test = try TestStore()
    let keeper = try StoreKeeper(test.configuration)
    for round in 0..<200 {
      try await keeper.write("\(round)")
      await Task.yield()
      #expect(await keeper.names.last == "\(round)")
    }
    await withTaskGroup(of: Void.self) { group in
      for round in 0..<50 {
        group.addTask { try? await keeper.write("\(round)") }
        group.addTask { _ = await keeper.names }
      }
    }
    #expect(await keeper.names.count == 250)
    try test.expectWhole()
  }

  @Test func `objects that were read stay valid through a write of the same thread`() throws {
    let test = try TestStore()
    let store = try test.open()
    let nodes = (0..<10).map { Node(name: "\($0)") }
    try store.write { try store.add(nodes) }
    try store.write {
      for (index, node) in nodes.enumerated() {
        #expect(nodes.map(\.name).filter { $0 == "x" }.count == index)
        node.name = "x"
        #expect(node.name == "x" && store.objects(Node.self).map(\.name).contains("x"))
      }
      for node in store.objects(Node.self) { #expect(node.name == "x") }
    }
    #expect(nodes.allSatisfy { $0.name == "x" })
    try test.expectWhole()
  }
}

private actor StoreKeeper {
  private let store: Store

  init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

  func write(_ name: String) throws {
    try store.write { try store.add(Node(name: name)) }
    try store.refresh()
  }

  var names: [String] { store.objects(Node.self).map(\.name) }
}
