import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct DeleteTests {
  @Test func `links from every class to a deleted object become nil`() throws {
    let test = try TestStore()
    let store = try test.open()
    let target = Named(name: "target")
    target.partner = target
    let friend = Named(name: "friend", partner: target)
    let number = Numbered(number: 1, named: target)
    let nodes = (0..<300).map { Node(name: "\($0)", named: target) }
    try store.write {
      try store.add(friend)
      try store.add(number)
      try store.add(nodes)
    }
    try store.write {
      try store.delete(target)
      #expect(target.isInvalidated)
      #expect(nodes[7].named == nil)
    }
    #expect(friend.partner == nil)
    #expect(number.named == nil)
    #expect(nodes.allSatisfy { $0.named == nil && !$0.isInvalidated })
    #expect(store.objects(Named.self).map(\.name) == ["friend"])
    try test.expectWhole()
  }

  @Test func `both links of one object to the same other become nil`() throws {
    let test = try TestStore()
    let store = try test.open()
    let target = Node(name: "target")
    target.next = target
    target.other = target
    let node = Node(name: "a", next: target, other: target)
    try store.write { try store.add(node) }
    try store.write { try store.delete(target) }
    #expect(node.next == nil)
    #expect(node.other == nil)
    #expect(store.objects(Node.self).map(\.name) == ["a"])
    try test.expectWhole()
  }

  @Test func `deleting twice is an error, and so is an unmanaged object`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a")
    try store.write { try store.add(node) }
    try store.write {
      try store.delete(node)
      try expectError(.objectDeleted) { try store.delete(node) }
      // The error said that it belongs to another store.
      try expectError(.notInStore) { try store.delete(Node(name: "b")) }
      try expectError(.notInStore) { try store.delete([Node(name: "b")]) }
    }
    try expectError(.notInWrite) { try store.delete(node) }
    try test.expectWhole()
  }

  @Test func `deleting results empties the class and nulls links to it`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      for index in 0..<200 {
        let named = Named(name: "\(index)", numbered: Numbered(number: index))
        named.partner = named
        try store.add(Node(name: "\(index)", named: named))
      }
    }
    try store.write {
      try store.delete(store.objects(Named.self))
      #expect(store.objects(Named.self).isEmpty)
      #expect(store.objects(Node.self).allSatisfy { $0.named == nil })
      try store.add(Named(name: "5"))
    }
    #expect(store.objects(Named.self).map(\.name) == ["5"])
    #expect(store.objects(Numbered.self).count == 200)
    #expect(store.objects(Node.self).count == 200)
    try test.expectWhole()
  }

  // Whose results they are was not looked at.
  @Test func `results of another store are refused`() throws {
    let (first, second) = (try TestStore(), try TestStore())
    let (store, other) = (try first.open(), try second.open())
    try store.write { try store.add(Node(name: "a")) }
    try store.write {
      try expectError(.objectOfOtherStore) { try store.delete(other.objects(Node.self)) }
    }
    #expect(store.objects(Node.self).count == 1)
  }

  // It was deleted by its ID alone, and the object with the same one went from this store.
  @Test func `a dynamic object of another store is refused`() throws {
    let (first, second) = (try TestStore(), try TestStore())
    let (store, other) = (try first.open(), try second.open())
    try store.write { try store.add(Node(name: "a")) }
    try other.write { try other.add(Node(name: "b")) }
    let foreign = try #require(try other.dynamicObjects("Node").first)
    try store.write {
      try expectError(.objectOfOtherStore) { try store.delete(foreign) }
    }
    #expect(store.objects(Node.self).map(\.name) == ["a"])
  }

  @Test func `deleting all leaves a store that works, and IDs are not given out again`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a", next: Node(name: "b"), named: Named(name: "n"))
    try store.write { try store.add(node) }
    let used = store.objects(Node.self).compactMap(\.objectID)
    try store.write {
      try store.deleteAll()
      try store.add(Node(name: "inside"))
    }
    let reopened = try test.open()
    try reopened.write { try reopened.add(Node(name: "after")) }
    #expect(reopened.objects(Node.self).map(\.name) == ["inside", "after"])
    #expect(reopened.objects(Named.self).isEmpty)
    #expect(reopened.objects(Node.self).allSatisfy { !used.contains($0.objectID ?? used[0]) })
    #expect(node.isInvalidated)
    try test.expectWhole()
  }
}
