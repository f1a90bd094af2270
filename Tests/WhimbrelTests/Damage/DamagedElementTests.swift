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
