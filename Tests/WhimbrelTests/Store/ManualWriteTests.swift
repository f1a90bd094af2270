import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Writes that begin and end with calls of their own.
@Suite struct ManualWriteTests {
  @Test func `what is written until the commit is there afterwards`() throws {
    let test = try TestStore()
    let (store, other) = (try test.open(), try test.open())
    try store.beginWrite()
    #expect(store.isInWrite)
    let node = Node(name: "a")
    try store.add(node)
    #expect(store.objects(Node.self).count == 1)
    #expect(try !other.refresh())
    try store.commitWrite()
    #expect(!store.isInWrite)
    #expect(node.name == "a")
    #expect(try other.refresh())
    #expect(other.objects(Node.self).map(\.name) == ["a"])
    try test.expectWhole()
  }

  @Test func `what was written before a cancellation is undone`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a")
    try store.write { try store.add(node) }
    try store.beginWrite()
    node.name = "b"
    let added = Node(name: "c")
    try store.add(added)
    try store.cancelWrite()
    #expect(node.name == "a")
    #expect(added.isInvalidated)
    #expect(store.objects(Node.self).count == 1)
    try store.write { node.name = "d" }
    try test.expectWhole()
  }

  @Test func `writes are not put inside of each other`() throws {
    let test = try TestStore()
    let (store, other) = (try test.open(), try test.open())
    try store.beginWrite()
    try expectError(.nestedWrite) { try store.beginWrite() }
    try expectError(.nestedWrite) { try store.write {} }
    try expectError(.nestedWrite) { try other.beginWrite() }
    try expectError(.nestedWrite) { try other.write {} }
    try store.commitWrite()
    try store.write {
      try expectError(.nestedWrite) { try store.beginWrite() }
      // The closure ends it.
      try expectError(.inWrite) { try store.commitWrite() }
      try expectError(.inWrite) { try store.cancelWrite() }
      try store.add(Node(name: "a"))
    }
    try expectError(.notInWrite) { try store.commitWrite() }
    try expectError(.notInWrite) { try store.cancelWrite() }
    let reader = try test.openReadOnly()
    try expectError(.readOnlyStore) { try reader.beginWrite() }
    #expect(try other.refresh())
    #expect(other.objects(Node.self).count == 1)
  }

  @Test func `a commit that fails undoes the write, and the next one can begin`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.beginWrite()
    try store.add(Named(name: "a"))
    // What cannot be thrown where it happens is thrown by the commit.
    let named = Named(name: "b")
    try store.add(named)
    named.partner = Named(name: "a")
    #expect(throws: StoreError.self) { try store.commitWrite() }
    #expect(!store.isInWrite)
    #expect(store.objects(Named.self).isEmpty)
    try store.beginWrite()
    try store.add(Named(name: "c"))
    try store.commitWrite()
    try test.expectWhole()
  }

  @Test func `a store that goes away in a write cancels it`() throws {
    let test = try TestStore()
    let node = Node(name: "a")
    var store: Store? = try test.open()
    try store?.beginWrite()
    try store?.add(node)
    store = nil
    // The object is kept, and others can write.
    let other = try test.open()
    try other.write { try other.add(Node(name: "b")) }
    #expect(other.objects(Node.self).map(\.name) == ["b"])
    withExtendedLifetime(node) {}
  }

  @Test func `a write is not ended on another thread`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.beginWrite()
    try store.add(Node(name: "a"))
    // Safe: this thread waits meanwhile.
    nonisolated(unsafe) let sent = store
    let thread = Thread {
      #expect(throws: StoreError.self) { try sent.commitWrite() }
      #expect(throws: StoreError.self) { try sent.cancelWrite() }
      unsafe sent.configuration.url.withUnsafeFileSystemRepresentation { _ in }
    }
    thread.start()
    while !thread.isFinished { usleep(1_000) }
    try store.commitWrite()
    #expect(store.objects(Node.self).count == 1)
  }
}
