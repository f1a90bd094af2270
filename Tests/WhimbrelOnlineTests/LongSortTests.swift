import Foundation
import Testing
import Whimbrel

enum SongV1 {
  @Model
  final class Song {
    @PrimaryKey var number: Int
    var name: String
  }
}

enum SongV2 {
  @Model
  final class Song {
    @PrimaryKey var number: Int
    var name: String
    var title: String = ""
  }
}

/// Orders by texts that a rule makes, of more objects than are kept converted at a time.
struct LongSortTests {
  private static let count = 12_000

  /// The text that the rule makes of a name. It differs from others behind its first 16 bytes.
  private static func title(_ name: String) -> String {
    "a title with a long beginning \(name)"
      + String(repeating: "!", count: name.utf8.count * 7 % 90)
  }

  private static func name(_ number: Int) -> String { "n\(number * 7_919 % count)" }

  private func makeStore(_ folder: TestFolder) throws -> Store {
    let url = folder.url.appending(path: "songs.whimbrel")
    let old = try Store(
      Store.Configuration(url: url, models: [SongV1.Song.self], schemaVersion: 1))
    try old.write {
      for number in 0..<Self.count {
        try old.add(SongV1.Song(number: number, name: Self.name(number)))
      }
    }
    try old.close()
    var migration = OnlineMigration.online(
      .rule(from: 1, SongV1.Song.self, SongV2.Song.self) { old, new in
        new.title = Self.title(old.name)
      })
    migration.startsPaused = true
    return try Store(
      Store.Configuration(
        url: url, models: [SongV2.Song.self], schemaVersion: 2, migration: migration))
  }

  @Test func `objects that are not converted are sorted by long texts of their rule`() throws {
    let folder = try TestFolder()
    let store = try makeStore(folder)
    let songs = store.objects(SongV2.Song.self)
    let expected = (0..<Self.count).sorted {
      Self.title(Self.name($0)).utf8.lexicographicallyPrecedes(Self.title(Self.name($1)).utf8)
    }
    #expect(songs.sorted(by: \.title).map(\.number) == expected)
    #expect(songs.sorted(by: \.title, ascending: false).map(\.number) == expected.reversed())
    #expect(songs.sorted(by: \.title).limit(50).map(\.number) == Array(expected.prefix(50)))
    let some = songs.where { $0.name.contains("99") }.sorted(by: \.title)
    #expect(some.map(\.number) == expected.filter { Self.name($0).contains("99") })
    try store.refresh()
  }
}
