import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

@Suite struct AddTests {
  @Test func `an added object is managed, and so is all that it leads to`() throws {
    let test = try TestStore()
    let store = try test.open()
    let number = Numbered(number: 4, text: "four")
    let named = Named(name: "a", numbered: number)
    let node = Node(name: "root", named: named)
    try store.write { try store.add(node) }
    #expect(node.isManaged && named.isManaged && number.isManaged)
    #expect(node.named?.isSameObject(as: named) == true)
    #expect(node.named?.numbered?.text == "four")
    #expect(try test.open().objects(Node.self).first?.named?.numbered?.number == 4)
    try test.expectWhole()
  }

  @Test func `an object added twice stays as it is`() throws {
    let test = try TestStore()
    let store = try test.open()
    let object = Named(name: "a", number: 1)
    try store.write {
      try store.add(object)
      object.number = 2
      try store.add(object)
      try store.add(object, update: .all)
    }
    #expect(store.objects(Named.self).count == 1)
    #expect(object.number == 2)
    try test.expectWhole()
  }

  @Test func `circles of links are added once`() throws {
    let test = try TestStore()
    let store = try test.open()
    let nodes = ["a", "b", "c"].map { Node(name: $0) }
    for (index, node) in nodes.enumerated() {
      node.next = nodes[(index + 1) % 3]
      node.other = nodes[(index + 2) % 3]
    }
    try store.write { try store.add(nodes[1]) }
    #expect(store.objects(Node.self).count == 3)
    let found = try #require(test.open().objects(Node.self).first { $0.name == "a" })
    #expect(found.next?.name == "b")
    #expect(found.other?.name == "c")
    #expect(found.next?.next?.next?.isSameObject(as: found) == true)
    try test.expectWhole()
  }

  @Test func `an object that links to itself once keeps the link`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "self")
    node.next = node
    let numbered = Numbered(number: -3)
    numbered.partner = numbered
    let named = Named(name: "me")
    named.partner = named
    try store.write {
      try store.add(node)
      try store.add(numbered, update: .all)
      try store.add(named, update: .modified)
    }
    #expect(node.next?.isSameObject(as: node) == true)
    #expect(numbered.partner?.isSameObject(as: numbered) == true)
    #expect(named.partner?.isSameObject(as: named) == true)
    try test.expectWhole()
  }

  // The second link took another ID for the object that was being added, and the
  // first was left leading nowhere.
  @Test func `an object that links to itself twice keeps both links`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "self")
    node.next = node
    node.other = node
    try store.write { try store.add(node) }
    #expect(store.objects(Node.self).count == 1)
    #expect(node.next?.isSameObject(as: node) == true)
    #expect(node.other?.isSameObject(as: node) == true)
    try test.expectWhole()
  }

  @Test(.takesLong) func `a chain of 100,000 objects is added in one go`() throws {
    let test = try TestStore()
    let store = try test.open()
    let count = 100_000
    var first = Node(name: "\(count - 1)")
    let last = first
    for number in (0..<(count - 1)).reversed() { first = Node(name: "\(number)", next: first) }
    try store.write { try store.add(first) }
    #expect(store.objects(Node.self).count == count)
    var node: Node? = first
    for number in 0..<count {
      guard node?.name == "\(number)" else {
        Issue.record("The chain breaks at \(number).")
        break
      }
      node = node?.next
    }
    #expect(node == nil)
    #expect(last.isManaged)
    try test.expectWhole()
  }

  @Test func `an unmanaged object becomes managed by a link that is set`() throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "a")
    try store.write {
      try store.add(node)
      let second = Node(name: "b", next: Node(name: "c", next: node))
      node.next = second
      #expect(second.isManaged)
    }
    #expect(store.objects(Node.self).count == 3)
    #expect(node.next?.next?.next?.isSameObject(as: node) == true)
    try test.expectWhole()
  }

  @Test func `adding a sequence adds each`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add((0..<500).map { Numbered(number: $0 * 7 - 900) }) }
    #expect(store.objects(Numbered.self).map(\.number) == (0..<500).map { $0 * 7 - 900 })
    try test.expectWhole()
  }

  @Test func `adding outside of a write is an error`() throws {
    let test = try TestStore()
    let store = try test.open()
    let object = Named(name: "a")
    try expectError(.notInWrite) { try store.add(object) }
    try expectError(.notInWrite) { try store.create(Named.self, value: ["name": "a"]) }
    try expectError(.notInWrite) { try store.deleteAll() }
    try expectError(.notInWrite) { try store.delete(store.objects(Named.self)) }
    #expect(!object.isManaged)
  }
}
