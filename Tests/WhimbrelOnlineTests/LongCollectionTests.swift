import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

private enum ShelfV1 {
  @Model
  final class Shelf {
    @PrimaryKey var number: Int
    var titles: StoredList<String>
    var scores: StoredSet<Int>
    var counts: StoredMap<String, Int>
  }
}

private enum ShelfV2 {
  @Model
  final class Shelf {
    @PrimaryKey var number: Int
    var titles: StoredList<Int>
    var scores: StoredSet<Int>
    var counts: StoredMap<String, Int>
  }
}

/// Rules that change long collections element by element.
struct LongCollectionTests {
  private static let length = 5_000

  private static let rule = MigrationRule.rule(
    from: 1, ShelfV1.Shelf.self, ShelfV2.Shelf.self
  ) { old, new in
    for title in old.titles { new.titles.append(title.utf8.count) }
    new.titles.remove(at: 0)
    for score in old.scores where score.isMultiple(of: 2) { new.scores.remove(score) }
    for (key, count) in old.counts { new.counts[key] = count + 1 }
    new.counts["all"] = new.counts.count
  }

  @Test(.takesLong, .mustEnd) func `a rule changes long collections element by element`()
    async throws
  {
    let files = try TestFolder()
    let url = files.url.appending(path: "shelves.whimbrel")
    let before = try Store(
      Store.Configuration(url: url, models: [ShelfV1.Shelf.self], schemaVersion: 1))
    // A collection in a record, one that grows out of it, and long ones.
    let lengths = [2, 60, Self.length]
    try before.write {
      for length in lengths {
        let shelf = ShelfV1.Shelf(number: length)
        shelf.titles.append(objectsIn: (0..<length).map { "title \($0)" })
        shelf.scores.insert(objectsIn: 0..<length)
        for index in 0..<length { shelf.counts["key \(index)"] = index }
        try before.add(shelf)
      }
    }
    try before.close()
    var migration = OnlineMigration.online(Self.rule)
    migration.startsPaused = true
    let store = try Store(
      Store.Configuration(
        url: url, models: [ShelfV2.Shelf.self], schemaVersion: 2, migration: migration))
    func expectConverted() throws {
      for length in lengths {
        let shelf = try #require(store.object(ofType: ShelfV2.Shelf.self, forPrimaryKey: length))
        #expect(Array(shelf.titles) == (1..<length).map { "title \($0)".utf8.count })
        #expect(shelf.scores.sorted() == (0..<length).filter { !$0.isMultiple(of: 2) })
        #expect(shelf.counts.count == length + 1)
        #expect(shelf.counts["key 1"] == 2)
        #expect(shelf.counts["all"] == length)
      }
    }
    try expectConverted()
    #expect(try await store.transition.finish()?.isFinished == true)
    try store.refresh()
    try expectConverted()
    #expect(try store.findings() == [])
  }
}
