import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@testable import WhimbrelEngine

@Suite struct WriteTests {
  @Test func `a write returns the value of its closure`() throws {
    let test = try TestStore()
    let store = try test.open()
    let count = try store.write {
      #expect(store.isInWrite)
      try store.add(Named(name: "a"))
      return store.objects(Named.self).count
    }
    #expect(count == 1)
    #expect(!store.isInWrite)
  }

  @Test func `adding no objects outside of a write is an error, as adding some is`() throws {
    let test = try TestStore()
    let store = try test.open()
    try expectError(.notInWrite) { try store.add([Node(name: "a")]) }
    try expectError(.notInWrite) { try store.add([Node]()) }
    try store.write { try store.add([Node]()) }
  }

  @Test func `a write that throws undoes everything`() throws {
    let test = try TestStore()
    let store = try test.open()
    let (kept, other) = (Node(name: "kept"), Node(name: "other"))
    let named = Named(name: "n", text: "t")
    try store.write {
      try store.add(kept)
      try store.add(other)
      kept.next = other
      kept.named = named
      try store.add(Numbered(number: 3, text: "three"))
    }
    let added = Node(name: "added", next: kept)
    #expect(throws: RollBack.self) {
      try store.write {
        kept.name = String(repeating: "changed", count: 200)
        kept.next = nil
        named.text = nil
        try store.add(added)
        try store.delete(other)
        try store.delete(store.objects(Numbered.self))
        try store.add(Numbered(number: 3, text: "other"))
        throw RollBack()
      }
    }
    #expect(kept.name == "kept")
    #expect(kept.next?.isSameObject(as: other) == true)
    #expect(!other.isInvalidated)
    #expect(named.text == "t")
    #expect(added.isInvalidated)
    #expect(store.objects(Node.self).count == 2)
    #expect(store.objects(Numbered.self).map(\.text) == ["three"])
    try test.expectWhole()
  }

  @Test func `IDs given out in a write that was rolled back are not given out again`() throws {
    let test = try TestStore()
    let store = try test.open()
    var used: [ObjectID] = []
    for _ in 0..<3 {
      #expect(throws: RollBack.self) {
        try store.write {
          for name in ["a", "b"] {
            let node = Node(name: name)
            try store.add(node)
            used.append(try #require(node.objectID))
          }
          throw RollBack()
        }
      }
    }
    let node = Node(name: "c")
    let second = try test.open()
    try second.write { try second.add(node) }
    #expect(Set(used).count == 6)
    #expect(!used.contains(try #require(node.objectID)))
    try test.expectWhole()
  }

  @Test func `a write inside of a write is an error, and the outer one goes on`() throws {
    let test = try TestStore()
    let (store, second) = (try test.open(), try test.open())
    try store.write {
      try store.add(Node(name: "before"))
      try expectError(.nestedWrite) { try store.write {} }
      try expectError(.nestedWrite) { try second.write {} }
      // A store that is opened here shows what is committed.
      #expect(try test.open().objects(Node.self).isEmpty)
      try store.add(Node(name: "after"))
    }
    try second.refresh()
    #expect(second.objects(Node.self).map(\.name) == ["before", "after"])
    try second.write { try second.add(Node(name: "last")) }
    try test.expectWhole()
  }

  @Test func `opening with another schema inside of a write is an error, not a deadlock`() throws {
    let test = try TestStore([Node.self, Named.self, Numbered.self])
    let store = try test.open()
    try store.write {
      #expect(throws: StoreError.self) { try test.open(TestStore.models, version: 1) }
      try store.add(Node(name: "a"))
    }
    #expect(store.objects(Node.self).count == 1)
    try test.expectWhole()
  }

  @Test func `a store that was closed refuses everything that can throw`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a")
    try store.write { try store.add(node) }
    try store.close()
    try store.close()
    #expect(node.isInvalidated)
    try expectError(.storeClosed) { try store.write {} }
    try expectError(.storeClosed) { try store.refresh() }
    try expectError(.storeClosed) { try store.add(Node(name: "b")) }
    try expectError(.storeClosed) { try store.delete(node) }
    try test.expectWhole()
  }

  /// Adds two objects to a store, and deletes the second one.
  private func nodeAndDeletedNode(in store: Store) throws -> (Node, Node) {
    let (node, gone) = (Node(name: "a"), Node(name: "gone"))
    try store.write { try store.add([node, gone]) }
    try store.write { try store.delete(gone) }
    return (node, gone)
  }

  // Setters cannot throw. Their error outlived the write, and the next write threw it.
  @Test func `an error of a write that is rolled back is not one of the next write`() throws {
    let test = try TestStore()
    let store = try test.open()
    let (node, gone) = try nodeAndDeletedNode(in: store)
    #expect(throws: RollBack.self) {
      try store.write {
        node.next = gone
        throw RollBack()
      }
    }
    try store.write { node.name = "b" }
    #expect(node.name == "b" && node.next == nil)

    try store.beginWrite()
    node.next = gone
    try store.cancelWrite()
    try store.beginWrite()
    node.name = "c"
    try store.commitWrite()
    #expect(node.name == "c")
    try test.expectWhole()
  }

  @Test func `an error that a call in a write throws is not one of the next write`() throws {
    let test = try TestStore()
    let store = try test.open()
    let (node, gone) = try nodeAndDeletedNode(in: store)
    try expectError(.objectDeleted) {
      try store.write { try store.objects(Node.self).update { $0.next = gone } }
    }
    try store.write { node.name = "b" }
    #expect(node.name == "b")
    // A write that drops the error fails as a whole.
    try expectError(.objectDeleted) {
      try store.write { _ = try? store.objects(Node.self).update { $0.next = gone } }
    }
    try store.write { node.name = "c" }
    #expect(node.name == "c")
    try test.expectWhole()
  }

  @Test func `a write that outgrows its map fails whole, and the next one fits`() throws {
    var test = try TestStore()
    test.configuration.maximumSize = 1 << 20
    let store = try test.open()
    try store.write { try store.add(Named(name: "kept")) }
    let data = Data(repeating: 7, count: 1 << 20)
    var failures = 0
    var done = false
    while !done, failures < 20 {
      do {
        try store.write { for _ in 0..<100 { try store.add(Optionals(data: data)) } }
        done = true
      } catch StoreError.Code.mapFull {
        failures += 1
        #expect(store.objects(Optionals.self).isEmpty)
        #expect(store.objects(Named.self).first?.name == "kept")
      }
    }
    #expect(store.objects(Optionals.self).count == 100)
    try test.expectWhole()
  }

  // A store kept the last long value of each class in memory until the next write of that class.
  @Test(arguments: [true, false])
  func `a store keeps no long value in memory after a write`(isUndone: Bool) throws {
    let test = try TestStore()
    let store = try test.open()
    let (changed, text) = (Named(name: "changed"), String(repeating: "long", count: 1_000))
    try store.write { try store.add(changed) }
    do {
      try store.write {
        changed.text = text
        try store.add(Named(name: "added", text: text))
        if isUndone { throw RollBack() }
      }
    } catch is RollBack {}
    let table = try store.session.table("Named")
    #expect(table.encoder.pending.isEmpty)
    #expect(table.changes.pending.isEmpty)
    withExtendedLifetime(store) {}
  }
}
