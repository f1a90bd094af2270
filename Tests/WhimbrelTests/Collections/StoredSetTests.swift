import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

@Suite struct StoredSetTests {
  /// Does the same with an unmanaged and a managed set.
  private func expectSame(
    _ start: [Int], _ expected: [Int], sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (StoredSet<Int>) -> Void
  ) throws {
    let unmanaged = StoredSet(start)
    change(unmanaged)
    #expect(Array(unmanaged) == expected, sourceLocation: sourceLocation)
    let test = try CollectionStore()
    try test.store.write {
      test.sets.ints.insert(objectsIn: start)
      change(test.sets.ints)
    }
    #expect(Array(test.sets.ints) == expected, sourceLocation: sourceLocation)
    #expect(test.sets.ints == unmanaged, sourceLocation: sourceLocation)
    try test.place.expectWhole(sourceLocation: sourceLocation)
  }

  @Test func `a set changes as a Set does`() throws {
    let start = [3, 1, 2, 3]
    try expectSame(start, [1, 2, 3]) { _ in }
    try expectSame(start, [1, 2, 3, 4]) { set in
      #expect(set.insert(4) && !set.insert(1))
    }
    try expectSame(start, [1, 3]) { set in
      #expect(set.remove(2) == 2 && set.remove(9) == nil)
    }
    try expectSame(start, []) { $0.removeAll() }
    try expectSame(start, [1, 3]) { $0.removeAll { $0 == 2 } }
    try expectSame(start, [1, 2, 3, 7]) { $0.formUnion([7, 1, 7]) }
    try expectSame(start, [1, 3]) { $0.formIntersection([3, 1, 9]) }
    try expectSame(start, [2]) { $0.subtract([3, 1, 9, 3]) }
    try expectSame(start, [2, 9]) { $0.formSymmetricDifference([3, 1, 9, 3]) }
    try expectSame(start, []) { $0.subtract($0) }
    try expectSame(start, []) { $0.formSymmetricDifference($0) }
    try expectSame(start, [1, 2, 3]) { $0.formUnion($0) }
    try expectSame(start, [1, 2, 3]) { $0.formIntersection($0) }
    try expectSame(start, [1, 2, 3]) { set in
      #expect(set.contains(2) && !set.contains(4) && set.first == 1 && set.last == 3)
      #expect(set[1] == 2 && set.count == 3 && Array(set.reversed()) == [3, 2, 1])
      #expect(set.union([9]) == [1, 2, 3, 9] && set.intersection([2, 9]) == [2])
      #expect(set.subtracting([2]) == [1, 3] && set.symmetricDifference([2, 9]) == [1, 3, 9])
      #expect(set.isSubset(of: [1, 2, 3]) && !set.isStrictSubset(of: [1, 2, 3, 3]))
      #expect(set.isStrictSubset(of: [1, 2, 3, 4]) && !set.isSubset(of: [1, 2]))
      #expect(set.isSuperset(of: [1, 1]) && set.isStrictSuperset(of: [2, 2]))
      #expect(!set.isStrictSuperset(of: [1, 2, 3]) && !set.isSuperset(of: [4]))
      #expect(set.intersects([4, 3]) && set.isDisjoint(with: [4]) && !set.isDisjoint(with: [3]))
      #expect(set.isSubset(of: set) && set == [3, 2, 1] && set != [1, 2] && set != [1, 2, 4])
    }
  }

  @Test func `elements that are equivalent are one`() throws {
    let test = try CollectionStore()
    let doubles: StoredSet<Double> = [0, -0.0, .nan, -.nan, .infinity, -.infinity]
    let texts: StoredSet<String> = ["é", "e\u{301}", "z", "", "Z"]
    let optionals: StoredSet<String?> = [nil, "a", nil, ""]
    let steps: StoredSet<Step> = [.up, .down, .up]
    func expectRight(
      _ doubles: StoredSet<Double>, _ texts: StoredSet<String>, _ optionals: StoredSet<String?>,
      _ steps: StoredSet<Step>
    ) {
      #expect(doubles.map { "\($0)" } == ["-inf", "0.0", "inf", "nan"])
      #expect(Array(texts) == ["", "Z", "z", "é"] && texts.contains("e\u{301}"))
      #expect(Array(optionals) == [nil, "", "a"] && optionals.contains(nil))
      #expect(Array(steps) == [.down, .up] && !steps.contains(Step.none))
      #expect(doubles.contains(.nan) && doubles.contains(-0.0))
    }
    expectRight(doubles, texts, optionals, steps)
    try test.store.write {
      test.sets.doubles = doubles
      test.sets.texts = texts
      test.sets.optionalTexts = optionals
      for step in steps { test.sets.steps.insert(step) }
      #expect(!test.sets.doubles.insert(-.nan) && !test.sets.texts.insert("e\u{301}"))
      #expect(!test.sets.optionalTexts.insert(nil))
    }
    expectRight(test.sets.doubles, test.sets.texts, test.sets.optionalTexts, test.sets.steps)
    #expect(test.sets.doubles == doubles && test.sets.texts == texts)
    let other = SetHolder(
      id: 2, doubles: doubles, texts: texts, optionalTexts: optionals, steps: steps)
    try test.store.write { try test.store.add(other) }
    expectRight(other.doubles, other.texts, other.optionalTexts, other.steps)
    #expect(!doubles.isManaged && doubles == test.sets.doubles)
    try test.place.expectWhole()
  }

  // The cast of the other set to a class overflowed the stack in Foundation.
  @Test func `a set of decimals is compared with a Set`() {
    let set: StoredSet<Decimal> = [1, 2]
    let others: Set<Decimal> = [1, 2, 3]
    #expect(set.isSubset(of: others) && set.isStrictSubset(of: others))
    #expect(!set.isStrictSuperset(of: others) && StoredSet(others).isStrictSuperset(of: Set(set)))
    let optionals: StoredSet<Decimal?> = [nil, 1]
    #expect(optionals.isSubset(of: [nil, 1, 2] as Set<Decimal?>))
  }

  @Test func `a set of objects has each once`() throws {
    let test = try CollectionStore()
    let (a, b, c) = (Friend(name: "a"), Friend(name: "b"), Friend(name: "c"))
    let unmanaged: StoredSet = [c, b, c]
    #expect(unmanaged.map(\.name) == ["c", "b"] && unmanaged.contains(c))
    try test.store.write {
      try test.store.add([a, b])
      // It has become managed while it was in the set.
      #expect(unmanaged.contains(try #require(test.holder.friends.isEmpty ? b : nil)))
      #expect(!unmanaged.insert(b))
      unmanaged.insert(a)
      test.sets.friends = unmanaged
      #expect(test.sets.friends.insert(Friend(name: "d")) && !test.sets.friends.insert(a))
    }
    #expect(test.sets.friends.map(\.name) == ["a", "b", "c", "d"])
    #expect(test.sets.friends.contains(b) && !test.sets.friends.contains(Friend(name: "b")))
    #expect(unmanaged.count == 3 && !unmanaged.isManaged)
    let other = try CollectionStore()
    try other.store.write { try other.store.add(Friend(name: "x")) }
    #expect(!test.sets.friends.contains(try #require(other.store.objects(Friend.self).first)))
    try test.store.write {
      #expect(test.sets.friends.remove(c) == c && test.sets.friends.remove(c) == nil)
      try test.store.delete(a)
    }
    #expect(test.sets.friends.map(\.name) == ["b", "d"] && !c.isInvalidated)
    try test.place.expectWhole()
  }

  // A set compared the stores, while lists and results compare the files.
  @Test func `a set contains an object of another store of the same file`() throws {
    let test = try CollectionStore()
    let friend = Friend(name: "a")
    try test.store.write { test.sets.friends.insert(friend) }
    let other = try test.place.open()
    let same = try #require(other.objects(Friend.self).first)
    #expect(test.sets.friends.contains(same) && Array(test.sets.friends).contains(same))
    #expect(StoredSet<Friend>([same]).isSubset(of: test.sets.friends))
    #expect(StoredSet<Friend>([friend, same]).count == 1)
    try test.store.write { #expect(test.sets.friends.remove(same) == friend) }
    #expect(test.sets.friends.isEmpty)
  }

  // Managed objects were told apart by their IDs alone.
  @Test func `an unmanaged set tells objects of two files apart`() throws {
    let (first, second) = (try CollectionStore(), try CollectionStore())
    for test in [first, second] {
      try test.store.write { try test.store.add(Friend(name: "a")) }
    }
    let a = try #require(first.store.objects(Friend.self).first)
    let b = try #require(second.store.objects(Friend.self).first)
    #expect(a.objectID == b.objectID && a != b)
    let both = StoredSet<Friend>([b, a])
    #expect(Array(both) == [b, a])
    #expect(!StoredSet<Friend>([a]).isSubset(of: [b]))
    both.formIntersection([a])
    #expect(Array(both) == [a])
  }

  @Test func `a set may be changed while it is gone through`() throws {
    let test = try CollectionStore()
    try test.store.write {
      let set = test.sets.ints
      set.insert(objectsIn: 0..<1_000)
      for number in set where number.isMultiple(of: 3) { set.remove(number) }
      for _ in set { set.removeAll() }
      #expect(set.isEmpty)
    }
    try test.place.expectWhole()
  }

  @Test(.takesLong) func `a large set stays sorted and finds its elements`() throws {
    let test = try CollectionStore()
    let numbers = (0..<20_000).map { $0 * 7_919 % 20_011 }
    try test.store.write {
      test.sets.texts.insert(objectsIn: numbers.lazy.map { "\($0)" })
      for number in numbers.prefix(3_000) { test.sets.ints.insert(number) }
    }
    #expect(Array(test.sets.texts) == numbers.map { "\($0)" }.sorted())
    #expect(Array(test.sets.ints) == numbers.prefix(3_000).sorted())
    #expect(numbers.allSatisfy { test.sets.texts.contains("\($0)") })
    try test.place.expectWhole()
  }

  @Test func `sets are described and coded as arrays`() throws {
    let set: StoredSet = [2, 1]
    #expect("\(set)" == "[1, 2]" && String(reflecting: set) == "StoredSet<Int>([1, 2])")
    let coded = try JSONEncoder().encode(set)
    #expect(String(decoding: coded, as: UTF8.self) == "[1,2]")
    #expect(try JSONDecoder().decode(StoredSet<Int>.self, from: coded) == set)
  }
}
