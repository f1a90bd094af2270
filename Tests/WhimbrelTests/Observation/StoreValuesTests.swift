import Foundation
import Synchronization
import Testing
import WhimbrelTestSupport

@testable import Whimbrel

/// Loops over values that a closure reads from a store.
@Suite struct StoreValuesTests {
  private let harbors: HarborStore
  private var store: Store { harbors.store }
  private let notes = FollowingTests.Notes()

  init() throws { harbors = try HarborStore() }

  private func add(_ ids: Int...) throws {
    try store.write { for id in ids { try store.add(Harbor(id: id, name: "new")) } }
  }

  /// Notes the values, the error and the end of a sequence.
  private func loop(_ values: StoreValues<Int>) -> Task<Void, Never> {
    let notes = notes
    return Task.detached {
      do {
        for try await value in values { notes.add("\(value)") }
        notes.add("end")
      } catch {
        notes.add((error as? StoreError)?.code.description ?? "\(error)")
      }
    }
  }

  private var counts: StoreValues<Int> { store.values { $0.objects(Harbor.self).count } }

  @Test func `the value at hand comes first, and then each that differs`() async throws {
    let task = loop(counts)
    #expect(await notes.wait { $0 == ["20"] })
    try add(50)
    #expect(await notes.wait { $0 == ["20", "21"] })
    // The number of harbors stays the same.
    try store.write { try harbors.harbor(3).size = 100 }
    let other = try harbors.place.open()
    try other.write { try other.add([Harbor(id: 51, name: "a"), Harbor(id: 52, name: "b")]) }
    #expect(await notes.wait { $0 == ["20", "21", "23"] })
    task.cancel()
    await task.value
    #expect(notes.all == ["20", "21", "23", "end"])
  }

  @Test func `a slow loop skips to the latest value`() async throws {
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next() == 20)
    for id in 50..<60 { try add(id) }
    #expect(try await iterator.next() == 30)
    try add(60)
    #expect(try await iterator.next() == 31)
  }

  @Test func `the closure is not called while nothing is asked for`() async throws {
    let notes = notes
    let values = store.values { store in
      notes.add("read")
      return store.objects(Harbor.self).count
    }
    var iterator = values.makeAsyncIterator()
    #expect(notes.all.isEmpty)
    #expect(try await iterator.next() == 20)
    for id in 50..<60 { try add(id) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(notes.all == ["read"])
  }

  @Test func `a thread of the library reads, and all reads of a loop use one store`() async throws {
    let threads = Mutex<Set<ObjectIdentifier>>([])
    let tasks = Mutex(0)
    let stores = Mutex<Set<ObjectIdentifier>>([])
    let values = store.values { store in
      threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
      if unsafe withUnsafeCurrentTask(body: { unsafe $0 != nil }) { tasks.withLock { $0 += 1 } }
      stores.withLock { _ = $0.insert(ObjectIdentifier(store)) }
      return store.objects(Harbor.self).count
    }
    var iterator = values.makeAsyncIterator()
    for id in 50..<54 {
      _ = try await iterator.next()
      try add(id)
    }
    #expect(threads.withLock { $0.count } == 1 && tasks.withLock { $0 } == 0)
    #expect(stores.withLock { $0.count } == 1)
  }

  @Test func `no snapshot is held while a loop waits`() async throws {
    let before = try store.activeSnapshots.count
    let task = loop(counts)
    #expect(await notes.wait { $0 == ["20"] })
    for id in 50..<54 { try add(id) }
    #expect(await notes.wait { $0.last == "24" })
    var count = -1
    for _ in 0..<200 where count != before {
      try await Task.sleep(for: .milliseconds(5))
      count = try store.activeSnapshots.count
    }
    #expect(count == before)
    task.cancel()
    await task.value
  }

  @Test func `several loops over one sequence each get all`() async throws {
    let values = counts
    let tasks = [loop(values), loop(values)]
    #expect(await notes.wait { $0 == ["20", "20"] })
    try add(50)
    #expect(await notes.wait { $0 == ["20", "20", "21", "21"] })
    for task in tasks {
      task.cancel()
      await task.value
    }
  }

  @Test func `closing the store is thrown once, and its files can be deleted`() async throws {
    var iterator = counts.makeAsyncIterator()
    #expect(try await iterator.next() == 20)
    let task = loop(counts)
    #expect(await notes.wait { $0 == ["20"] })
    try await Task.sleep(for: .milliseconds(20))
    try store.close()
    await task.value
    #expect(notes.all == ["20", "storeClosed"])
    await #expect(throws: StoreError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(try Store.deleteFiles(at: harbors.place.url))
  }

  // The error was lost if the thread failed before the loop had asked for the first value: the loop
  // over values of a closed store then ended as if there were no values.
  @Test func `an error from before the first request is thrown once`() async throws {
    let exchange = ValueExchange<Int>()
    exchange.fail(CocoaError(.fileNoSuchFile))
    func next() async throws -> Int? {
      try await withCheckedThrowingContinuation { exchange.request($0) }
    }
    await #expect(throws: CocoaError.self) { try await next() }
    #expect(try await next() == nil)
  }

  @Test func `a file that is moved away is thrown once`() async throws {
    let task = loop(counts)
    #expect(await notes.wait { $0 == ["20"] })
    let place = harbors.place.url
    let other = place.deletingLastPathComponent().appending(path: "moved.whimbrel")
    try FileManager.default.moveItem(at: place, to: other)
    await task.value
    #expect(notes.all == ["20", "storeMoved"])
    try FileManager.default.moveItem(at: other, to: place)
  }

  @Test func `a schema that the models cannot use is thrown once`() async throws {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self])
    let store = try test.open()
    try store.write { try store.add(Shape1.Thing(key: 1, name: "n", size: 1, note: nil)) }
    let task = loop(store.values { $0.objects(Shape1.Thing.self).count })
    #expect(await notes.wait { $0 == ["1"] })
    _ = try test.open([Shape2.Thing.self], version: 1) { migration, _ in
      try migration.enumerateObjects(ofType: "Thing") { _, new in new?["size"] = .string("x") }
    }
    await task.value
    #expect(notes.all == ["1", "schemaChangedElsewhere"])
  }

  @Test func `an error of the closure ends the loop`() async throws {
    let task = loop(
      store.values { store in
        let count = store.objects(Harbor.self).count
        if count > 20 { throw CancellationError() }
        return count
      })
    #expect(await notes.wait { $0 == ["20"] })
    try add(50)
    await task.value
    #expect(notes.all == ["20", "CancellationError()"])
  }

  @Test func `the closure cannot write, nor close the file for others`() async throws {
    let writing = store.values { store in
      try store.write {}
      return 0
    }
    await loop(writing).value
    #expect(notes.all == ["readOnlyStore"])
    let closing = store.values { store in
      try store.close()
      return 0
    }
    await loop(closing).value
    #expect(notes.all == ["readOnlyStore", "storeClosed"])
    #expect(!store.isClosed)
    try add(50)
    #expect(store.objects(Harbor.self).count == 21)
  }

  @Test func `the sequence keeps the file open, and not the store`() async throws {
    var configuration = Store.Configuration(
      inMemory: "values-\(UUID())", models: HarborStore.models)
    configuration.durability = .relaxed
    let values: StoreValues<Int>
    weak var released: Store?
    do {
      let store = try Store(configuration)
      try store.write { try store.add(Harbor(id: 1, name: "only")) }
      values = store.values { $0.objects(Harbor.self).count }
      released = store
    }
    #expect(released == nil)
    var iterator = values.makeAsyncIterator()
    #expect(try await iterator.next() == 1)
    let other = try Store(configuration)
    try other.write { try other.add(Harbor(id: 2, name: "second")) }
    #expect(try await iterator.next() == 2)
  }

  @Test func `values may be optional, and loops may end early`() async throws {
    let values = store.values { $0.object(ofType: Harbor.self, forPrimaryKey: 50)?.name }
    var found: [String?] = []
    let configuration = harbors.place.configuration
    for try await name in values {
      found.append(name)
      if found.count == 2 { break }
      try await Task.detached {
        let other = try Store(configuration)
        try other.write { try other.add(Harbor(id: 50, name: "new")) }
      }.value
    }
    #expect(found == [nil, "new"])
  }
}
