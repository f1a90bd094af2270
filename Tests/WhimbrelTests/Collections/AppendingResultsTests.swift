import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Results of queries that are appended to lists. No objects are made of them.
@Suite struct AppendingResultsTests {
  /// Makes a store with friends whose names are 0, 1, 2 and so on.
  private func friends(_ count: Int) throws -> CollectionStore {
    let test = try CollectionStore()
    try test.store.write {
      for number in 0..<count { try test.store.add(Friend(name: "\(number)")) }
    }
    return test
  }

  /// More than are appended at once.
  @Test func `all objects of a class are appended in their order, and know the list`() throws {
    let test = try friends(9_000)
    try test.store.write { test.holder.friends.append(objectsIn: test.store.objects(Friend.self)) }
    #expect(test.holder.friends.map(\.name) == (0..<9_000).map { "\($0)" })
    let last = try #require(test.store.objects(Friend.self).last)
    #expect(Array(last.holders) == [test.holder])
    try test.place.expectWhole()
  }

  @Test func `results with a condition and an order are appended in that order`() throws {
    let test = try friends(20)
    let some = test.store.objects(Friend.self).where { $0.name.starts(with: "1") }
      .sorted(by: \.name, ascending: false)
    try test.store.write { test.holder.friends.append(objectsIn: some) }
    #expect(
      test.holder.friends.map(\.name)
        == ["19", "18", "17", "16", "15", "14", "13", "12", "11", "10", "1"])
  }

  @Test func `results that a list appears in are appended as they were before`() throws {
    let test = try friends(3)
    try test.store.write {
      test.holder.friends.append(objectsIn: test.store.objects(Friend.self))
      test.holder.friends.append(objectsIn: test.holder.friends.where { $0.name != "1" })
      test.holder.friends.append(
        objectsIn: test.store.objects(Friend.self).where { !$0.holders.isEmpty })
    }
    #expect(test.holder.friends.map(\.name) == ["0", "1", "2", "0", "2", "0", "1", "2"])
    // Each deletion removes all links to the object, however they were counted.
    try test.store.write { try test.store.delete(test.store.objects(Friend.self).prefix(2)) }
    #expect(test.holder.friends.map(\.name) == ["2", "2", "2"])
    try test.place.expectWhole()
  }

  @Test func `objects added earlier in the write are among the results`() throws {
    let test = try friends(2)
    try test.store.write {
      try test.store.add(Friend(name: "new"))
      let all = test.store.objects(Friend.self)
      try test.store.delete(#require(all.first))
      test.holder.friends.append(objectsIn: all)
    }
    #expect(test.holder.friends.map(\.name) == ["1", "new"])
    try test.place.expectWhole()
  }

  @Test func `results of another store are an error, and nothing is appended`() throws {
    let (test, other) = (try friends(2), try friends(3))
    try expectError(.objectOfOtherStore) {
      try test.store.write {
        test.holder.friends.append(objectsIn: other.store.objects(Friend.self))
      }
    }
    #expect(test.holder.friends.isEmpty)
  }

  @Test func `embedded objects that have an owner are an error, and nothing is appended`() throws {
    let test = try CollectionStore()
    let second = ListHolder(id: 2)
    try test.store.write {
      test.holder.parts.append(objectsIn: [Part(name: "a"), Part(name: "b")])
      try test.store.add(second)
    }
    try expectError(.embeddedHasOwner) {
      try test.store.write { second.parts.append(objectsIn: test.store.objects(Part.self)) }
    }
    #expect(second.parts.isEmpty && test.holder.parts.map(\.name) == ["a", "b"])
    try test.place.expectWhole()
  }
}
