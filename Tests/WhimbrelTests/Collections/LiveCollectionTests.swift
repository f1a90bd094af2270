import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Collections show what their store shows.
@Suite struct LiveCollectionTests {
  @Test func `collections follow a write, a rollback and a refresh`() throws {
    let test = try CollectionStore()
    let (list, set, map) = (test.holder.ints, test.sets.texts, test.sets.numbers)
    func change(_ number: Int) {
      list.append(number)
      set.insert("\(number)")
      map["\(number)"] = number
    }
    func expect(_ numbers: [Int], _ list: StoredList<Int>, _ set: StoredSet<String>) {
      #expect(Array(list) == numbers && list.count == numbers.count)
      #expect(Array(set) == numbers.map { "\($0)" })
    }
    try test.store.write { change(1) }
    expect([1], list, set)
    let other = try test.place.open()
    let holder = try #require(other.object(ofType: ListHolder.self, forPrimaryKey: 1))
    let sets = try #require(other.object(ofType: SetHolder.self, forPrimaryKey: 1))
    let (otherList, otherSet, otherMap) = (holder.ints, sets.texts, sets.numbers)
    expect([1], otherList, otherSet)
    #expect(throws: RollBack.self) {
      try test.store.write {
        for number in 2..<1_000 { change(number) }
        #expect(list.count == 999 && map.count == 999)
        throw RollBack()
      }
    }
    expect([1], list, set)
    #expect(map.keys == ["1"])
    try test.store.write { (2..<5).forEach(change) }
    expect([1, 2, 3, 4], list, set)
    expect([1], otherList, otherSet)
    #expect(otherMap == ["1": 1])
    try other.refresh()
    expect([1, 2, 3, 4], otherList, otherSet)
    #expect(otherMap == map && otherMap.count == 4 && otherMap["3"] == 3)
    try test.place.expectWhole()
  }

  @Test func `collections of a deleted object or a closed store are invalidated`() throws {
    let test = try CollectionStore()
    let (list, set, map) = (test.holder.ints, test.sets.texts, test.sets.numbers)
    try test.store.write {
      list.append(1)
      try test.store.delete(test.holder)
      #expect(list.isInvalidated && !set.isInvalidated)
    }
    #expect(list.isInvalidated && "\(list)" == "[invalidated list]")
    try test.store.close()
    #expect(set.isInvalidated && map.isInvalidated)
    #expect("\(set)" == "[invalidated set]" && "\(map)" == "[invalidated map]")
  }

  @Test func `an object added in a write that was rolled back has no list`() throws {
    let test = try CollectionStore()
    let holder = ListHolder(id: 2, ints: [1])
    let list = holder.ints
    try? test.store.write {
      try test.store.add(holder)
      throw RollBack()
    }
    #expect(list.isManaged && list.isInvalidated)
  }

  @Test func `key-value access sets a property of all objects`() throws {
    let test = try CollectionStore()
    let friends = ["a", "b"].map { Friend(name: $0) }
    try test.store.write {
      test.holder.friends.append(objectsIn: friends)
      test.sets.friends.insert(objectsIn: friends)
      test.sets.friendsByName["x"] = friends[0]
      try test.holder.friends.setValue("c", forKey: "name")
      #expect(friends.map(\.name) == ["c", "c"])
      try test.sets.friends.setValue("d", forKey: "name")
      try test.sets.friendsByName.setValue("e", forKey: "name")
      #expect(friends.map(\.name) == ["e", "d"])
      try friends[0].holders.setValue([7, 8], forKey: "ints")
      #expect(Array(test.holder.ints) == [7, 8])
      try test.store.objects(Friend.self).setValue(friends[0], forKey: "best")
      #expect(Array(friends[0].admirers) == friends)
    }
    try expectError(.notInWrite) { try test.holder.friends.setValue("c", forKey: "name") }
    try test.place.expectWhole()
  }

  // Nothing was set, so nothing was wrong: a call outside of a write went unnoticed until there was
  // an object.
  @Test func `key-value access to no objects needs a write too`() throws {
    let test = try CollectionStore()
    let friend = Friend(name: "a")
    try test.store.write { try test.store.add(friend) }
    let others = test.store.objects(Friend.self).where { $0.name == "z" }
    let attempts: [() throws -> Void] = [
      { try test.holder.friends.setValue("c", forKey: "name") },
      { try test.sets.friends.setValue("c", forKey: "name") },
      { try test.sets.friendsByName.setValue("c", forKey: "name") },
      { try friend.holders.setValue([1], forKey: "ints") },
      { try others.setValue("c", forKey: "name") },
    ]
    for attempt in attempts { try expectError(.notInWrite, attempt) }
    try test.store.write { for attempt in attempts { try attempt() } }
    #expect(friend.name == "a")
    try ListHolder(id: 2).friends.setValue("c", forKey: "name")
    try Friend(name: "b").holders.setValue([1], forKey: "ints")
    try test.store.close()
    for attempt in attempts { try expectError(.storeClosed, attempt) }
  }
}
