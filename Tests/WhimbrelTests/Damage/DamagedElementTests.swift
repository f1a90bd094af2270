import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelLMDB

/// Elements of collections whose object, or whose owner, is damaged. They stopped the program as if
/// the code had made a mistake.
@Suite struct DamagedElementTests {
  @Test func `elements of a damaged owner read as empty, and a change of them fails the write`()
    throws
  {
    let test = try CollectionStore()
    let (holder, sets) = (test.holder, test.sets)
    try test.store.write {
      holder.ints.append(objectsIn: [1, 2])
      holder.friends.append(Friend(name: "a"))
      sets.texts.insert("t")
      sets.numbers["n"] = 1
    }
    try test.store.damage("ListHolder", holder.objectID)
    try test.store.damage("SetHolder", sets.objectID)
    let reads: [() -> Bool] = [
      { holder.ints[1] == 0 }, { holder.friends[0].name.isEmpty }, { sets.texts[0].isEmpty },
      { sets.numbers[0].value == 0 }, { Array(holder.ints[0..<2]) == [0, 0] },
      { holder.friends[0..<1].map(\.name) == [""] }, { Array(sets.texts[0..<1]) == [""] },
      { sets.numbers[0..<1].map(\.value) == [0] },
    ]
    for read in reads {
      #expect(read())
      try expectError(.damaged) { try test.store.refresh() }
    }
    let changes: [(StoredList<Int>) -> Void] = [
      { $0[0] = 5 }, { $0.insert(5, at: 1) }, { $0.replaceSubrange(0..<2, with: [5]) },
      { $0.swapAt(0, 1) }, { $0.move(from: 0, to: 1) }, { $0.remove(at: 1) }, { $0.removeLast() },
    ]
    for change in changes {
      try expectError(.damaged) { try test.store.write { change(holder.ints) } }
    }
  }

  /// The loop ends at the damaged part, and the count is that of all elements. The message blamed the
  /// closure of the sort.
  @Test func `sorting a list that is damaged in part fails the write`() throws {
    let test = try CollectionStore()
    let holder = test.holder
    try test.store.write {
      holder.ints.append(contentsOf: (0..<5_000).reversed())
      holder.friends.append(objectsIn: (0..<5_000).map { Friend(name: "\($0)") })
    }
    try test.store.damageLastLeaves(of: "ListHolder")
    try expectError(.damaged) { try test.store.write { holder.ints.sort() } }
    try expectError(.damaged) {
      try test.store.write { holder.friends.sort { $0.name < $1.name } }
    }
    #expect(holder.ints.first == 4_999)
  }

  @Test func `a list that was read before its owner was damaged is empty each time`() throws {
    let test = try CollectionStore()
    let list = test.holder.texts
    try test.store.write { list.append(objectsIn: ["a", "b"]) }
    #expect(list.first == "a")
    try test.store.damage("ListHolder", test.holder.objectID)
    for _ in 0..<3 {
      #expect(list.isEmpty && list.first == nil)
      #expect(Array(list) == [])
      try expectError(.damaged) { try test.store.refresh() }
    }
  }

  /// The standard library takes `underestimatedCount` for a promise.
  @Test func `a list that is damaged in part is appended to an array as far as it can be read`()
    throws
  {
    let test = try CollectionStore()
    let (holder, sets) = (test.holder, test.sets)
    try test.store.write {
      holder.ints.append(contentsOf: 0..<5_000)
      sets.texts.insert(objectsIn: (0..<5_000).map { "text \($0)" })
    }
    try test.store.damageLastLeaves(of: "ListHolder")
    try test.store.damageLastLeaves(of: "SetHolder")
    var numbers: [Int] = []
    numbers += holder.ints
    #expect(numbers == Array(0..<numbers.count) && numbers.count < 5_000)
    #expect(Array(zip(holder.ints, holder.ints.indices)).count == numbers.count)
    try expectError(.damaged) { try test.store.refresh() }
    var texts: [String] = []
    texts.append(contentsOf: sets.texts)
    #expect(texts == Array(sets.texts.prefix(texts.count)))
    try expectError(.damaged) { try test.store.refresh() }
  }

  @Test(arguments: [true, false])
  func `a migration whose block reads a damaged object in a list fails`(isOld: Bool) throws {
    let place = try TestStore([Drawing1.Outline.self, Drawing1.Corner.self], version: 1)
    let store = try place.open()
    let corners = ["a", "b", "c"].map { Drawing1.Corner(name: $0) }
    try store.write {
      let outline = Drawing1.Outline(key: 1)
      outline.corners.append(objectsIn: corners)
      try store.add(outline)
    }
    try store.damage("Corner", corners[1].objectID)
    try store.close()
    try expectError(.damaged) {
      try place.open([Drawing2.Outline.self, Drawing2.Corner.self], version: 2) { migration, _ in
        try migration.enumerate(Drawing1.Outline.self, Drawing2.Outline.self) { old, new in
          let names = isOld ? old.corners.map(\.name) : new.corners.map(\.name)
          #expect(names == ["a", "", "c"])
          new.names = names.joined()
        }
      }
    }
    let reopened = try place.open()
    #expect(reopened.objects(Drawing1.Outline.self).first?.corners.first?.name == "a")
  }
}

extension Store {
  /// Writes bytes that are not a record in place of the record of an object.
  fileprivate func damage(_ className: String, _ id: ObjectID?) throws {
    try write {
      let view = try session.requireWriting("damage an object")
      let table = try session.table(className)
      let number = try #require(id).rawValue
      try PageBytes.with([UInt8](repeating: 0xFF, count: 16)) { bytes throws(LMDBError) in
        _ = try view.put(table.objects, number, bytes)
      }
    }
  }

  /// Changes a bit of the leaf that was stored last of each collection in the overflow of a class.
  fileprivate func damageLastLeaves(of className: String) throws {
    try write {
      let view = try session.requireWriting("damage collections")
      let overflow = try #require(try session.table(className).overflowTable)
      let cursor = try view.reading.cursor(overflow)
      var leaves: [[UInt8]: (key: [UInt8], leaf: [UInt8])] = [:]
      var isInside = try cursor.move(to: .first)
      while isInside {
        let (key, node) = (cursor.key.array, cursor.value.array)
        // The number of the node comes last in the key. An inner node has kind 3.
        if node.count > 16, node[4] != 3 { leaves[Array(key.dropLast(4))] = (key, node) }
        isInside = try cursor.move(to: .next)
      }
      for (key, leaf) in leaves.values {
        var damaged = leaf
        damaged[damaged.count / 2] ^= 1
        try PageBytes.with(key) { key throws(LMDBError) in
          try PageBytes.with(damaged) { bytes throws(LMDBError) in
            _ = try view.put(overflow, key, bytes)
          }
        }
      }
    }
  }
}

private enum Drawing1 {
  @Model final class Outline {
    @PrimaryKey var key: Int
    var corners: StoredList<Drawing1.Corner>
  }

  @Model final class Corner {
    var name: String
  }
}

private enum Drawing2 {
  @Model final class Outline {
    @PrimaryKey var key: Int
    var corners: StoredList<Drawing2.Corner>
    var names: String
  }

  @Model final class Corner {
    var name: String
  }
}
