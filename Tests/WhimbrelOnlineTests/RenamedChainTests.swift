import Foundation
import Testing
import Whimbrel

private enum V1 {
  @Model
  final class Book {
    @PrimaryKey var id: Int
    var name: String
    var author: Writer?
    var readers: StoredList<Writer>
    var pages: StoredList<Page>
  }

  @Model
  final class Writer {
    @PrimaryKey var id: Int
    var nick: String
  }

  @Model(.embedded)
  final class Page {
    var number: Int
  }
}

private enum V2 {
  @Model(renamedFrom: "Book")
  final class Tome {
    @PrimaryKey var id: Int
    var title: String = ""
    var author: Writer?
    var readers: StoredList<Writer>
    var pages: StoredList<Leaf>
  }

  @Model
  final class Writer {
    @PrimaryKey var id: Int
    var nick: String
  }

  @Model(.embedded, renamedFrom: "Page")
  final class Leaf {
    var number: Int
  }
}

private enum V3 {
  @Model(renamedFrom: "Tome", "Book")
  final class Work {
    @PrimaryKey var id: Int
    var headline: String = ""
    @Renamed(from: "author") var by: Author?
    var readers: StoredList<Author>
    var pages: StoredList<Leaf>
  }

  @Model(renamedFrom: "Writer")
  final class Author {
    @PrimaryKey var id: Int
    var nick: String
  }

  @Model(.embedded, renamedFrom: "Page")
  final class Leaf {
    var number: Int
  }
}

private enum V3Forgetful {
  @Model(renamedFrom: "Tome")
  final class Work {
    @PrimaryKey var id: Int
    var headline: String = ""
  }
}

private enum V2Pageless {
  @Model
  final class Book {
    @PrimaryKey var id: Int
    var name: String
  }

  @Model(.embedded, renamedFrom: "Page")
  final class Leaf {
    var number: Int
  }

  @Model
  final class Folder {
    @PrimaryKey var id: Int
    var leaf: Leaf?
  }
}

/// Rules that chain over a version in which classes had other names.
struct RenamedChainTests {
  private static let first = MigrationRule.rule(from: 1, V1.Book.self, V2.Tome.self) { old, new in
    new.title = old.name.uppercased()
  }
  private static let second = MigrationRule.rule(from: 2, V2.Tome.self, V3.Work.self) { old, new in
    new.headline = "\(old.title)!"
  }

  private let folder: TestFolder
  private var url: URL { folder.url.appending(path: "books.whimbrel") }

  init() throws {
    folder = try TestFolder()
    let store = try Store(
      Store.Configuration(
        url: url, models: [V1.Book.self, V1.Writer.self, V1.Page.self], schemaVersion: 1))
    try store.write {
      let writer = V1.Writer(id: 1, nick: "n")
      for id in 0..<10 {
        let book = V1.Book(id: id, name: "book \(id)", author: writer)
        book.readers.append(writer)
        book.pages.append(V1.Page(number: id))
        try store.add(book)
      }
    }
    try store.close()
  }

  private func expectWorks(in store: Store) throws {
    let works = store.objects(V3.Work.self)
    #expect(works.count == 10)
    for work in works {
      #expect(work.headline == "BOOK \(work.id)!")
      #expect(work.by?.nick == "n")
      #expect(work.readers.map(\.id) == [1])
      #expect(work.pages.map(\.number) == [work.id])
    }
    #expect(try store.findings() == [])
  }

  // The links of the frozen declaration between the rules were compared with the newest names of the
  // classes, so that they "link to other objects, which a rule cannot see".
  @Test(arguments: [false, true])
  func `a store that skips a version follows the names that classes had in it`(
    _ opensVersion2: Bool
  ) async throws {
    if opensVersion2 {
      var migration = OnlineMigration.online(Self.first)
      migration.startsPaused = true
      let store = try Store(
        Store.Configuration(
          url: url, models: [V2.Tome.self, V2.Writer.self, V2.Leaf.self], schemaVersion: 2,
          migration: migration))
      #expect(store.object(ofType: V2.Tome.self, forPrimaryKey: 3)?.title == "BOOK 3")
      try store.close()
    }
    var migration = OnlineMigration.online(Self.first, Self.second)
    migration.startsPaused = true
    let configuration = Store.Configuration(
      url: url, models: [V3.Work.self, V3.Author.self, V3.Leaf.self], schemaVersion: 3,
      migration: migration)
    #expect(try Store.migrationPlan(for: configuration).onlineObstacles == [])
    let store = try Store(configuration)
    try expectWorks(in: store)
    try store.write {
      store.object(ofType: V3.Work.self, forPrimaryKey: 4)?.pages.append(V3.Leaf(number: 40))
    }
    try store.write {
      _ = store.object(ofType: V3.Work.self, forPrimaryKey: 4)?.pages.removeLast()
    }
    #expect(try await store.transition.finish()?.isFinished == true)
    try store.refresh()
    try expectWorks(in: store)
  }

  // The rules were passed over: the class was new and empty, and the old objects waited as those of
  // a class that is no longer declared.
  // The class was looked up by its new name, which the file does not have. A store without objects
  // was then not refused.
  @Test func `a property that owned objects of a renamed class cannot be removed online`() throws {
    let plan = try Store.migrationPlan(
      for: Store.Configuration(
        url: url,
        models: [V2Pageless.Book.self, V2Pageless.Leaf.self, V2Pageless.Folder.self],
        schemaVersion: 2, migration: .online()))
    let reason = "Property 'Book.pages' owns embedded objects, which are deleted with it."
    #expect(plan.onlineObstacles.map(\.reason).contains(reason))
  }

  @Test func `a rule for a class that no model was renamed from is a mistake`() throws {
    let second = MigrationRule.rule(from: 2, V2.Tome.self, V3Forgetful.Work.self) { _, _ in }
    let error = try #require(throws: StoreError.self) {
      try Store(
        Store.Configuration(
          url: url, models: [V3Forgetful.Work.self], schemaVersion: 3,
          migration: .online(Self.first, second)))
    }
    #expect(error.code == .invalidConfiguration)
    #expect(
      error.message.contains(
        "the rule for 'Book' from version 1 leads to 'Work', which is not declared as renamed from "
          + "'Book'"))
    #expect(try Store.schemaVersion(at: url) == 1)
  }
}
