import Testing
import Whimbrel

/// The Swift objects that a typed migration gives to its block: one may stand for one object
/// after the other, as long as nobody can tell.
@Suite struct PassingObjectTests {
  /// A store of version 1 with so many pages.
  private func place(_ count: Int) throws -> TestStore {
    let place = try TestStore([Before.Page.self], version: 1)
    let store = try place.open()
    try store.write {
      for number in 0..<count { try store.add(Before.Page(number: number, text: "\(number)")) }
    }
    try store.close()
    return place
  }

  private func migrate<New: Model>(
    _ place: TestStore, to new: New.Type, _ block: @escaping MigrationBlock
  ) throws -> Store {
    try place.open([new], version: 2, migration: block)
  }

  @Test func `objects that nobody keeps are the same Swift object`() throws {
    let place = try place(5)
    _ = try migrate(place, to: After.Page.self) { migration, _ in
      var (old, new): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])
      // The memory of an object that is gone would be given out again, but for these.
      var others: [Before.Page] = []
      try migration.enumerate(Before.Page.self, After.Page.self) {
        old.insert(ObjectIdentifier($0))
        new.insert(ObjectIdentifier($1))
        others.append(Before.Page(number: 0, text: ""))
        $1.title = $0.text
      }
      #expect(old.count == 1 && new.count == 1 && others.count == 5)
    }
  }

  @Test func `objects that are kept stay what they are`() throws {
    let place = try place(6)
    let store = try migrate(place, to: After.Page.self) { migration, _ in
      var (oldOnes, newOnes): ([Before.Page], [After.Page]) = ([], [])
      try migration.enumerate(Before.Page.self, After.Page.self) { old, new in
        new.title = "title \(old.text)"
        if old.number % 2 == 0 { oldOnes.append(old) }
        if old.number % 3 == 0 { newOnes.append(new) }
        #expect(oldOnes.map(\.number) == Array(stride(from: 0, through: old.number, by: 2)))
        #expect(newOnes.map(\.number) == Array(stride(from: 0, through: old.number, by: 3)))
      }
      #expect(oldOnes.map(\.text) == ["0", "2", "4"])
      #expect(newOnes.map(\.title) == ["title 0", "title 3"])
      for page in newOnes { page.title += "!" }
      var read: [Before.Page] = []
      try migration.enumerate(Before.Page.self) { read.append($0) }
      #expect(read.map(\.number) == Array(0..<6))
    }
    #expect(
      store.objects(After.Page.self).map(\.title)
        == ["title 0!", "title 1", "title 2", "title 3!", "title 4", "title 5"])
  }

  @Test func `enumerations may be nested`() throws {
    let place = try place(4)
    let store = try migrate(place, to: After.Page.self) { migration, _ in
      try migration.enumerate(Before.Page.self, After.Page.self) { old, new in
        var sum = 0
        try migration.enumerate(Before.Page.self, After.Page.self) { other, copy in
          sum += other.number
          #expect(copy.number == other.number)
          if copy.title.isEmpty { copy.title = "inner \(other.text)" }
        }
        #expect(sum == 6)
        new.title = "\(new.title) \(old.number)"
      }
    }
    #expect(
      store.objects(After.Page.self).map(\.title)
        == ["inner 0 0", "inner 1 1", "inner 2 2", "inner 3 3"])
  }

  @Test func `what an object stores for itself is not passed on`() throws {
    let place = try place(5)
    let store = try migrate(place, to: Noted.Page.self) { migration, _ in
      try migration.enumerate(Before.Page.self, Noted.Page.self) { old, new in
        #expect(new.note == nil)
        new.note = old.text
        new.title = old.text
      }
    }
    #expect(store.objects(Noted.Page.self).map(\.title) == ["0", "1", "2", "3", "4"])
  }
}

private enum Before {
  @Model final class Page {
    var number: Int
    var text: String
  }
}

private enum After {
  @Model final class Page {
    var number: Int
    var title: String = ""
  }
}

private enum Noted {
  @Model final class Page {
    var number: Int
    var title: String = ""
    @Transient var note: String? = nil
  }
}
