import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Loops over collections whose body changes them.
@Suite struct CollectionLoopTests {
  /// One leaf, and many.
  static let sizes = [5, 3_000]

  /// Makes a store with friends in a list, a set and a map. Their names are in order in each.
  private func friends(_ count: Int) throws -> CollectionStore {
    let test = try CollectionStore()
    try test.store.write {
      let friends = (1_000..<1_000 + count).map { Friend(name: "\($0)") }
      test.holder.friends.append(objectsIn: friends)
      test.sets.friends.insert(objectsIn: friends)
      for friend in friends { test.sets.friendsByName[friend.name] = friend }
    }
    return test
  }

  private func expectNoFriends(_ test: CollectionStore) throws {
    #expect(test.store.objects(Friend.self).isEmpty && test.holder.friends.isEmpty)
    #expect(test.sets.friends.isEmpty && test.sets.friendsByName.isEmpty)
    try test.place.expectWhole()
  }

  @Test(.takesLong, arguments: sizes, ["list", "set", "map"])
  func `a loop that deletes each object visits all of them`(count: Int, kind: String) throws {
    let test = try friends(count)
    var names: [String] = []
    func visit(_ friend: Friend) throws {
      names.append(friend.name)
      try test.store.delete(friend)
    }
    try test.store.write {
      switch kind {
      case "list": for friend in test.holder.friends { try visit(friend) }
      case "set": for friend in test.sets.friends { try visit(friend) }
      default: for (_, friend) in test.sets.friendsByName { try visit(friend) }
      }
    }
    #expect(names == (1_000..<1_000 + count).map { "\($0)" })
    try expectNoFriends(test)
  }

  @Test func `a loop with a write for each object visits all of them`() throws {
    for kind in 0..<3 {
      let test = try friends(40)
      var visited = 0
      func visit(_ friend: Friend) throws {
        visited += 1
        try test.store.write { try test.store.delete(friend) }
      }
      switch kind {
      case 0: for friend in test.holder.friends { try visit(friend) }
      case 1: for friend in test.sets.friends { try visit(friend) }
      default: for (_, friend) in test.sets.friendsByName { try visit(friend) }
      }
      #expect(visited == 40)
      try expectNoFriends(test)
    }
  }

  @Test(.takesLong, arguments: sizes) func `a loop skips objects that were deleted`(count: Int)
    throws
  {
    let test = try friends(count)
    try test.store.write {
      // The last friend is in the list twice.
      test.holder.friends.append(try #require(test.holder.friends.last))
      var names: [Int] = []
      for friend in test.holder.friends {
        let number = try #require(Int(friend.name))
        names.append(number)
        let next = test.store.objects(Friend.self).where { $0.name == "\(number + 1)" }
        if number.isMultiple(of: 2) { try test.store.delete(next) }
        try test.store.delete(friend)
      }
      #expect(names == Array(stride(from: 1_000, to: 1_000 + count, by: 2)))
    }
    try expectNoFriends(test)
  }

  @Test(arguments: sizes)
  func `a loop over numbers visits those that a list had`(count: Int) throws {
    let test = try CollectionStore()
    try test.store.write {
      let ints = test.holder.ints
      ints.append(objectsIn: 0..<count)
      var visited: [Int] = []
      for number in ints {
        visited.append(number)
        ints.remove(at: 0)
        if number < 5 { ints.append(-number) }
      }
      #expect(visited == Array(0..<count) && Array(ints) == [0, -1, -2, -3, -4])
    }
  }

  @Test(arguments: sizes)
  func `map visits what a loop visits`(count: Int) throws {
    let test = try friends(count)
    try test.store.write {
      let (ints, byName) = (test.holder.ints, test.sets.friendsByName)
      ints.append(objectsIn: 0..<count)
      // With indexes, the last elements would be out of range.
      let visited = ints.map { number in
        ints.remove(at: 0)
        return number
      }
      #expect(visited == Array(0..<count) && ints.isEmpty)
      let names = byName.map { name, _ in
        byName[name] = nil
        return name
      }
      #expect(names == (1_000..<1_000 + count).map { "\($0)" } && byName.isEmpty)
    }
  }

  @Test func `a loop over a list goes from index to index unless its values have fixed sizes`()
    throws
  {
    let test = try CollectionStore()
    func visited<Element>(_ list: StoredList<Element>, _ elements: [Element]) -> Int {
      list.append(objectsIn: elements)
      var count = 0
      for _ in list {
        count += 1
        if count == 2 { list.remove(at: 1) }
      }
      return count
    }
    let holder = test.holder
    try test.store.write {
      #expect(visited(holder.floats, [1, 2, 3, 4]) == 4)
      #expect(visited(holder.dates, [.distantPast, .now, .now, .distantFuture]) == 4)
      #expect(visited(holder.bools, [true, false, true, false]) == 4)
      #expect(visited(holder.steps, [.up, .down, .up, .down]) == 4)
      #expect(visited(holder.decimals, [1, 2, 3, 4]) == 3)
      #expect(visited(holder.optionalInts, [1, nil, 3, 4]) == 3)
      #expect(visited(holder.tones, [.low, .high, .low, .high]) == 3)
      #expect(visited(holder.texts, ["a", "b", "c", "d"]) == 3)
    }
  }

  @Test func `a loop over sets and maps visits what comes next in order`() throws {
    let test = try CollectionStore()
    let (set, map) = (test.sets.texts, test.sets.numbers)
    try test.store.write {
      set.insert(objectsIn: ["b", "d", "f", "h"])
      for text in ["b", "d", "f", "h"] { map[text] = 0 }
      var visited: [String] = []
      for text in set {
        visited.append(text)
        set.remove(text)
        // Before and after the current element, and the next one.
        if text == "d" { set.insert(objectsIn: ["a", "e"]) }
        if text == "e" { set.remove("f") }
      }
      #expect(visited == ["b", "d", "e", "h"] && Array(set) == ["a"])
      visited = []
      for (text, _) in map {
        visited.append(text)
        map[text] = nil
        if text == "d" { (map["a"], map["e"]) = (1, 1) }
        if text == "e" { map["f"] = nil }
      }
      #expect(visited == ["b", "d", "e", "h"] && map.keys == ["a"])
    }
  }

  @Test func `a loop ends when its list is emptied with the objects that belong to it`() throws {
    let test = try CollectionStore()
    try test.store.write {
      test.holder.parts.append(objectsIn: (0..<9).map { Part(name: "\($0)") })
      var names: [String] = []
      for part in test.holder.parts {
        names.append(part.name)
        if names.count == 3 { test.holder.parts.removeAll() }
      }
      #expect(names == ["0", "1", "2"])
    }
  }

  @Test func `a loop over a list ends when its store is closed`() throws {
    let test = try friends(9)
    var count = 0
    for _ in test.holder.friends {
      count += 1
      if count == 3 { try test.store.close() }
    }
    #expect(count == 3)
  }

  @Test func `a copy of an iterator goes on where it is, whatever the other has read`() throws {
    let test = try CollectionStore()
    let sets = test.sets
    try test.store.write {
      sets.ints.formUnion(1...9)
      for number in 1...9 { sets.numbers["\(number)"] = number }
      var (iterator, entries) = (sets.ints.makeIterator(), sets.numbers.makeIterator())
      for _ in 1...4 { _ = (iterator.next(), entries.next()) }
      var (copy, otherEntries) = (iterator, entries)
      sets.ints.subtract([1, 2])
      for number in 1...2 { sets.numbers["\(number)"] = nil }
      #expect(iterator.next() == 5 && entries.next()?.value == 5)
      #expect(copy.next() == 5 && otherEntries.next()?.value == 5)
      #expect(iterator.next() == 6 && entries.next()?.value == 6)
    }
  }

  // The loop continued after the case that the element was read as, and did not end.
  @Test func `a loop over a set ends if it contains values that its enum does not have`() throws {
    let place = try TestStore([Palette1.Palette.self], version: 1)
    let old = try place.open()
    try old.write {
      let palette = Palette1.Palette(key: 1, count: 0)
      palette.colors.insert(objectsIn: Palette1.Color.allCases)
      try old.add(palette)
    }
    try old.close()
    let store = try place.open([Palette2.Palette.self], version: 2)
    let palette = try #require(store.objects(Palette2.Palette.self).first)
    var visited: [Palette2.Color] = []
    #expect(throws: StoreError.self) {
      try store.write {
        for color in palette.colors where visited.count < 9 {
          visited.append(color)
          palette.count += 1
        }
      }
    }
    #expect(visited == [.blue, .blue, .cyan, .blue])
  }

  @Test func `a condition for removal may delete the objects that it meets`() throws {
    let test = try friends(20)
    let first = try #require(test.holder.friends.first)
    try test.store.write {
      test.holder.friends.append(first)
      try test.holder.friends.removeAll { friend in
        guard friend.name.hasSuffix("0") || friend.name.hasSuffix("3") else { return false }
        try test.store.delete(friend)
        return true
      }
      #expect(test.holder.friends.map(\.name) == test.sets.friends.map(\.name))
      #expect(test.holder.friends.count == 16)
      try test.holder.friends.removeAll {
        try test.store.delete($0)
        return true
      }
    }
    try expectNoFriends(test)
  }

  @Test func `a condition for removal may delete objects and not meet them`() throws {
    let test = try friends(20)
    try test.store.write {
      try test.holder.friends.removeAll {
        try test.store.delete($0)
        return false
      }
    }
    try expectNoFriends(test)
  }

  @Test(arguments: sizes) func `the index of an element is found`(count: Int) throws {
    let test = try CollectionStore()
    let texts = (0..<count).map { "\($0)" }
    try test.store.write {
      test.holder.ints.append(objectsIn: 0..<count)
      test.holder.texts.append(objectsIn: texts)
    }
    for position in [0, 1, count - 1] {
      #expect(test.holder.ints.index(of: position) == position)
      #expect(test.holder.texts.firstIndex(of: "\(position)") == position)
      #expect(StoredList(texts).index(matching: { $0 == "\(position)" }) == position)
      #expect(test.holder.ints.first { $0 >= position } == position)
      #expect(StoredList(texts).first { $0 == "\(position)" } == "\(position)")
      #expect(test.holder.ints.contains(position) && StoredList(texts).contains("\(position)"))
    }
    #expect(!test.holder.ints.contains(count) && !test.holder.texts.contains { $0.isEmpty })
    #expect(test.holder.ints.first { $0 < 0 } == nil)
    #expect(test.holder.ints.firstIndex(of: count) == nil)
    #expect(test.holder.texts.index(of: "") == nil)
  }

  @Test func `a loop over an unmanaged collection visits what it had`() {
    let (list, set, map) = (
      StoredList(0..<5), StoredSet(0..<5), StoredMap<String, Int>(["a": 1, "b": 2, "c": 3])
    )
    var visited: [Int] = []
    for number in list {
      visited.append(number)
      list.remove(at: 0)
      list.append(9)
    }
    #expect(visited == Array(0..<5) && Array(list) == [9, 9, 9, 9, 9])
    visited = []
    for number in set {
      visited.append(number)
      set.remove(number)
    }
    #expect(visited.sorted() == Array(0..<5) && set.isEmpty)
    visited = []
    for (name, number) in map {
      visited.append(number)
      map[name] = nil
    }
    #expect(visited == [1, 2, 3] && map.isEmpty)
  }
}

private enum Palette1 {
  enum Color: Int, PersistableEnum { case red, blue, cyan, black }

  @Model
  final class Palette {
    @PrimaryKey var key: Int
    var colors: StoredSet<Color>
    var count: Int
  }
}

private enum Palette2 {
  enum Color: Int, PersistableEnum {
    case blue = 1
    case cyan
  }

  @Model
  final class Palette {
    @PrimaryKey var key: Int
    var colors: StoredSet<Color>
    var count: Int
  }
}
