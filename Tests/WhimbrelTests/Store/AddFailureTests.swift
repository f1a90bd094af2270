import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// What is left of an add that failed, in a write that goes on and commits.
@Suite struct AddFailureTests {
  @Test func `two objects with the same text key in one add leave nothing`() throws {
    let test = try TestStore()
    let store = try test.open()
    let root = Named(name: "root", partner: Named(name: "twin", partner: Named(name: "twin")))
    try store.write {
      try expectError(.duplicatePrimaryKey) { try store.add(root) }
      #expect(store.objects(Named.self).isEmpty)
    }
    #expect(!root.isManaged)
    #expect(root.partner?.partner?.name == "twin")
    #expect(store.objects(Named.self).isEmpty)
    try test.expectWhole()
  }

  @Test func `two objects with the same integer key in one add leave nothing`() throws {
    let test = try TestStore()
    let store = try test.open()
    let twin = Numbered(number: 1, partner: Numbered(number: 1))
    let root = Numbered(number: 0, partner: twin)
    try store.write { try expectError(.duplicatePrimaryKey) { try store.add(root) } }
    #expect(!root.isManaged && !twin.isManaged)
    #expect(store.objects(Numbered.self).isEmpty)
    try test.expectWhole()
  }

  // Objects that were met through a link were taken back twice: the second time as
  // object 0, which is that of the least integer key.
  @Test func `a failed add leaves the object with the least key alone`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Numbered(number: .min, text: "least")) }
    let root = Numbered(
      number: 5, partner: Numbered(number: 6, partner: Numbered(number: 6)))
    try store.write { try expectError(.duplicatePrimaryKey) { try store.add(root) } }
    #expect(store.objects(Numbered.self).map(\.text) == ["least"])
    try test.expectWhole()
  }

  // The existing object had lent its ID to the unmanaged one that was to replace
  // it, and went with it.
  @Test(arguments: [UpdatePolicy.modified, .all])
  func `a failed update leaves existing objects that it leads to`(policy: UpdatePolicy) throws {
    let test = try TestStore(TestStore.models + [LinksFirst.self])
    let store = try test.open()
    let gone = Node(name: "gone")
    try store.write {
      try store.add(Named(name: "old", number: 1))
      try store.add(Numbered(number: 9, text: "old"))
      try store.add(gone)
      try store.delete(gone)
    }
    let root = LinksFirst(
      key: 1, named: Named(name: "old", number: 2), numbered: Numbered(number: 9, text: "new"),
      last: gone)
    try store.write {
      try expectError(.objectDeleted) { try store.add(root, update: policy) }
    }
    #expect(store.objects(Named.self).map(\.number) == [1])
    #expect(store.objects(Numbered.self).map(\.text) == ["old"])
    #expect(store.objects(LinksFirst.self).isEmpty)
    #expect(!root.isManaged && root.named?.isManaged == false)
    try test.expectWhole()
  }

  @Test func `an update that has replaced something and fails undoes the whole write`() throws {
    let test = try TestStore()
    let store = try test.open()
    let gone = Named(name: "gone", number: 0)
    try store.write {
      try store.add(Named(name: "old", number: 1))
      try store.add(gone)
      try store.delete(gone)
    }
    let bad = Named(name: "bad", partner: gone)
    let root = Named(name: "old", number: 2, partner: bad)
    try expectError(.objectDeleted) {
      try store.write { _ = try? store.add(root, update: .all) }
    }
    #expect(store.objects(Named.self).map(\.number) == [1])
    #expect(!root.isManaged && !bad.isManaged)
    try test.expectWhole()
  }

  @Test func `an object of another store is refused, alone and behind a link`() throws {
    let (first, second) = (try TestStore(), try TestStore())
    let (store, other) = (try first.open(), try second.open())
    let foreign = Node(name: "foreign")
    try other.write { try other.add(foreign) }
    let root = Node(name: "root", next: foreign)
    try store.write {
      try expectError(.objectOfOtherStore) { try store.add(foreign) }
      try expectError(.objectOfOtherStore) { try store.add(root) }
      try expectError(.objectOfOtherStore) { try store.delete(foreign) }
    }
    #expect(!root.isManaged)
    #expect(store.objects(Node.self).isEmpty)

    let own = Node(name: "own")
    try store.write { try store.add(own) }
    try expectError(.objectOfOtherStore) { try store.write { own.next = foreign } }
    #expect(own.next == nil)
    try first.expectWhole()
    try second.expectWhole()
  }

  @Test func `an object of another store of the same file is refused`() throws {
    let test = try TestStore()
    let (store, other) = (try test.open(), try test.open())
    let node = Node(name: "a")
    try other.write { try other.add(node) }
    try store.write { try expectError(.objectOfOtherStore) { try store.add(node) } }
    try test.expectWhole()
  }

  // The ID of an object that is gone went into the record all the same.
  @Test func `a link to a deleted object is refused`() throws {
    let test = try TestStore()
    let store = try test.open()
    let (node, gone) = (Node(name: "a"), Node(name: "gone"))
    try store.write {
      try store.add(node)
      try store.add(gone)
    }
    try store.write { try store.delete(gone) }
    try expectError(.objectDeleted) { try store.write { node.next = gone } }
    try store.write {
      try expectError(.objectDeleted) { try store.add(Node(name: "b", next: gone)) }
      try expectError(.objectDeleted) { try store.add(gone) }
    }
    #expect(node.next == nil)
    #expect(store.objects(Node.self).count == 1)
    try test.expectWhole()
  }

  @Test func `a link to an object of a write that was rolled back is refused`() throws {
    let test = try TestStore()
    let store = try test.open()
    let (node, gone) = (Node(name: "a"), Node(name: "gone"))
    try store.write { try store.add(node) }
    #expect(throws: RollBack.self) {
      try store.write {
        try store.add(gone)
        throw RollBack()
      }
    }
    #expect(gone.isInvalidated)
    try expectError(.objectDeleted) { try store.write { node.next = gone } }
    try test.expectWhole()
  }
}

/// Its links are met before its text is found to be too large.
@Model
final class LinksFirst {
  @PrimaryKey var key: Int
  var named: Named?
  var numbered: Numbered?
  var last: Node?
}
