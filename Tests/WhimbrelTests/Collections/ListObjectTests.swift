import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

@Suite struct ListObjectTests {
  private func friends(_ names: String...) -> [Friend] { names.map { Friend(name: $0) } }

  @Test func `objects in a list are added with it`() throws {
    let test = try CollectionStore()
    let (a, b) = (Friend(name: "a"), Friend(name: "b"))
    a.others.append(b)
    b.others.append(objectsIn: [a, b])
    let other = ListHolder(id: 2, friends: [a, a])
    try test.store.write {
      try test.store.add(other)
      test.holder.friends.append(objectsIn: [b, Friend(name: "c")])
      test.holder.friends.insert(Friend(name: "d"), at: 0)
      test.holder.friends[1].others.append(Friend(name: "e"))
    }
    #expect(test.store.objects(Friend.self).map(\.name) == ["a", "b", "c", "d", "e"])
    #expect(other.friends.map(\.name) == ["a", "a"])
    #expect(test.holder.friends.map(\.name) == ["d", "b", "c"])
    #expect(b.others.map(\.name) == ["a", "b", "e"])
    #expect(other.friends.contains(a) && other.friends.index(of: b) == nil)
    #expect(test.holder.friends == [test.holder.friends[0], b, test.holder.friends[2]])
    try test.place.expectWhole()
  }

  /// Long sequences are appended in parts. What depends on the list must be read first.
  @Test(.takesLong) func `a list takes many objects, its own among them`() throws {
    let test = try CollectionStore()
    let count = 20_000
    let all = (0..<count).map { Friend(name: "\($0)") }
    all[0].others.append(all[count - 1])
    try test.store.write { test.holder.friends.append(objectsIn: all) }
    let names = (0..<count).map(String.init)
    #expect(test.holder.friends.map(\.name) == names)
    #expect(all[0].others.map(\.name) == ["\(count - 1)"])
    let friends = test.store.objects(Friend.self)
    #expect(friends.map(\.name) == names)
    try test.store.write {
      test.holder.friends.append(objectsIn: test.holder.friends)
      test.holder.friends.append(objectsIn: test.holder.friends.lazy.filter { $0.name == "7" })
      // The objects of the request change with the list.
      all[1].others.append(objectsIn: friends.where { $0.others.count == 0 })
      all[1].others.append(objectsIn: friends)
    }
    #expect(test.holder.friends.map(\.name) == names + names + ["7", "7"])
    #expect(all[1].others.map(\.name) == names.dropFirst() + names)
    #expect(throws: StoreError.self) {
      try test.store.write {
        test.holder.friends.append(objectsIn: all + [try deletedFriend(in: test.store)])
      }
    }
    #expect(test.holder.friends.count == 2 * count + 2)
    try test.place.expectWhole()
  }

  /// Returns an object that was deleted in the write at hand.
  private func deletedFriend(in store: Store) throws -> Friend {
    let friend = Friend(name: "gone")
    try store.add(friend)
    try store.delete(friend)
    return friend
  }

  @Test func `elements of deleted objects go`() throws {
    let test = try CollectionStore()
    let all = friends("a", "b", "c")
    try test.store.write {
      test.holder.friends.append(objectsIn: [all[0], all[1], all[0], all[2]])
      for _ in 0..<500 { test.holder.friends.append(objectsIn: all) }
      try test.store.delete(all[0])
      #expect(test.holder.friends.prefix(3).map(\.name) == ["b", "c", "b"])
    }
    #expect(test.holder.friends.count == 1_002)
    try test.store.write { try test.store.delete(test.store.objects(Friend.self)) }
    #expect(test.holder.friends.isEmpty)
    try test.place.expectWhole()
  }

  @Test func `an object of another store makes the write fail`() throws {
    let (test, other) = (try CollectionStore(), try CollectionStore())
    let friend = Friend(name: "a")
    try other.store.write { try other.store.add(friend) }
    try expectError(.objectOfOtherStore) {
      try test.store.write { test.holder.friends.append(friend) }
    }
    let deleted = Friend(name: "b")
    try test.store.write { try test.store.add(deleted) }
    try test.store.write { try test.store.delete(deleted) }
    try expectError(.objectDeleted) {
      try test.store.write { test.holder.friends.append(deleted) }
    }
    #expect(test.holder.friends.isEmpty)
    try test.place.expectWhole()
  }

  @Test func `a managed list as a property of an unmanaged object is copied when added`() throws {
    let test = try CollectionStore()
    try test.store.write {
      test.holder.friends.append(objectsIn: friends("a", "b"))
      let other = ListHolder(id: 2, friends: test.holder.friends)
      try test.store.add(other)
      other.friends.removeLast()
      #expect(test.holder.friends.count == 2 && other.friends.count == 1)
    }
    try test.place.expectWhole()
  }

  // MARK: - Embedded objects

  private func names(_ holder: ListHolder) -> [String] { holder.parts.map(\.name) }

  @Test(arguments: [0, 300]) func `embedded objects stay when they are rearranged`(
    more: Int
  ) throws {
    let test = try CollectionStore()
    let parts = ["a", "b", "c", "d"].map { Part(name: $0) }
    try test.store.write {
      test.holder.parts.append(objectsIn: parts)
      for number in 0..<more { test.holder.parts.append(Part(name: "e\(number)")) }
    }
    let list = test.holder.parts
    try test.store.write {
      list.swapAt(0, 3)
      #expect(names(test.holder).prefix(4) == ["d", "b", "c", "a"])
      list.move(from: 0, to: 2)
      #expect(names(test.holder).prefix(4) == ["b", "c", "d", "a"])
      list.move(fromOffsets: [0, 1], toOffset: 4)
      #expect(names(test.holder).prefix(4) == ["d", "a", "b", "c"])
      list.sort { $0.name < $1.name }
      #expect(names(test.holder).prefix(4) == ["a", "b", "c", "d"])
      list.reverse()
      list.shuffle()
      list[0] = list[0]
      test.holder.parts = StoredList(list.sorted { $0.name < $1.name })
      test.holder.parts.replaceSubrange(0..<2, with: [parts[1], parts[0]])
    }
    #expect(names(test.holder).prefix(4) == ["b", "a", "c", "d"])
    #expect(test.store.objects(Part.self).count == 4 + more)
    #expect(parts.allSatisfy { !$0.isInvalidated && Array($0.holders) == [test.holder] })
    try test.place.expectWhole()
  }

  @Test func `embedded objects that are taken out are deleted`() throws {
    let test = try CollectionStore()
    let parts = ["a", "b", "c", "d"].map { Part(name: $0) }
    try test.store.write {
      test.holder.parts.append(objectsIn: parts)
      let removed = test.holder.parts.remove(at: 1)
      #expect(removed.isInvalidated && parts[1].isInvalidated)
      test.holder.parts[0] = Part(name: "x")
      #expect(parts[0].isInvalidated)
    }
    #expect(names(test.holder) == ["x", "c", "d"])
    #expect(test.store.objects(Part.self).count == 3)
    try test.store.write { test.holder.parts = [Part(name: "y")] }
    #expect(test.store.objects(Part.self).map(\.name) == ["y"])
    try test.store.write { try test.store.delete(test.holder) }
    #expect(test.store.objects(Part.self).isEmpty)
    try test.place.expectWhole()
  }

  @Test func `embedded objects of a slice are sorted by replacing them at once`() throws {
    let test = try CollectionStore()
    let parts = test.holder.parts
    try test.store.write { parts.append(objectsIn: ["d", "c", "b", "a"].map { Part(name: $0) }) }
    try expectError(.embeddedHasOwner) {
      try test.store.write { parts[1..<4].sort { $0.name < $1.name } }
    }
    let kept = parts[1]
    try test.store.write {
      parts.replaceSubrange(1..<4, with: parts[1..<4].sorted { $0.name < $1.name })
    }
    #expect(parts.map(\.name) == ["d", "a", "b", "c"] && kept.name == "c")
    try test.place.expectWhole()
  }

  @Test func `an embedded object belongs to one list`() throws {
    let test = try CollectionStore()
    let other = ListHolder(id: 2)
    let part = Part(name: "a")
    try test.store.write {
      try test.store.add(other)
      test.holder.parts.append(part)
    }
    try expectError(.embeddedHasOwner) {
      try test.store.write { other.parts.append(part) }
    }
    try expectError(.embeddedHasOwner) {
      try test.store.write { test.holder.parts.append(part) }
    }
    try expectError(.embeddedHasOwner) {
      try test.store.write { other.parts = test.holder.parts }
    }
    #expect(names(test.holder) == ["a"] && other.parts.isEmpty)
    try test.place.expectWhole()
  }
}
