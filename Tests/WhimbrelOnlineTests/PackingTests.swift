import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTestSupport

private enum Before {
  @Model
  final class Note {
    @PrimaryKey var number: Int
    var text: String
  }
}

private enum After {
  @Model
  final class Note {
    @PrimaryKey var number: Int
    var text: String
    var title: String = ""
  }
}

/// Objects that grow are written so that pages stay full. One by one, each of them splits its page
/// in the middle.
struct PackingTests {
  private static let rule = MigrationRule.rule(from: 1, Before.Note.self, After.Note.self) {
    old, new in
    new.title = "\(old.text) \(old.number % 10)"
  }

  private static func text(_ number: Int) -> String { "the note with the number \(number)" }

  @Test func `objects that grow fill their pages, and those of other shapes stay between them`()
    throws
  {
    let folder = try TestFolder()
    let url = folder.url.appending(path: "notes.whimbrel")
    let count = 20_000
    try Self.make(url, count)
    let configuration = Store.Configuration(
      url: url, models: [After.Note.self], schemaVersion: 2,
      migration: Self.paused)
    let store = try Store(configuration)
    // Some are written before their turn, some are deleted.
    try store.write {
      for number in stride(from: 0, to: count, by: 97) {
        store.object(ofType: After.Note.self, forPrimaryKey: number)?.text += "!"
      }
      for number in stride(from: 50, to: count, by: 101) {
        if let note = store.object(ofType: After.Note.self, forPrimaryKey: number) {
          try store.delete(note)
        }
      }
    }
    try store.finishTransition()
    for note in store.objects(After.Note.self) {
      let text = Self.text(note.number) + (note.number % 97 == 0 ? "!" : "")
      #expect(note.text == text)
      #expect(note.title == "\(Self.text(note.number)) \(note.number % 10)")
    }
    try store.close()

    // A new store has full pages.
    let other = folder.url.appending(path: "new.whimbrel")
    let new = try Store(
      Store.Configuration(url: other, models: [After.Note.self], schemaVersion: 2))
    try new.write {
      for number in 0..<count {
        try new.add(
          After.Note(
            number: number, text: Self.text(number),
            title: "\(Self.text(number)) \(number % 10)"))
      }
    }
    try new.close()
    let (pages, full) = (try Self.pages(url), try Self.pages(other))
    #expect(pages < full * 6 / 5, "\(pages) pages, \(full) when they are full")
    #expect(try FileCheck.run(path: url.path, depth: .everything).findings.kept.isEmpty)
  }

  private static var paused: OnlineMigration {
    var migration = OnlineMigration.online(rule)
    migration.startsPaused = true
    return migration
  }

  private static func make(_ url: URL, _ count: Int) throws {
    let store = try Store(
      Store.Configuration(url: url, models: [Before.Note.self], schemaVersion: 1))
    try store.write {
      for number in 0..<count { try store.add(Before.Note(number: number, text: text(number))) }
    }
    try store.close()
  }

  /// Returns how many pages the notes of a store take.
  private static func pages(_ url: URL) throws -> Int {
    let session = try Session(StoreFile.open(OpenRequest(path: url.path)))
    defer { session.close() }
    return try session.view.statistics(session.table("Note").objects).pages
  }
}
