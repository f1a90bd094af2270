import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

@testable import Whimbrel

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

  // The first page of a branch took objects from the page behind the group. All pages of the group
  // before them were then split in the middle.
  @Test func `no pages in a row are half full where a branch of the tree ends`() throws {
    let folder = try TestFolder()
    let url = folder.url.appending(path: "notes.whimbrel")
    let count = 30_000
    let store = try Store(
      Store.Configuration(url: url, models: [Before.Note.self], schemaVersion: 1))
    let text = String(repeating: "text ", count: 60)
    try store.write {
      for number in 0..<count { try store.add(Before.Note(number: number, text: text)) }
    }
    try store.close()
    let rule = MigrationRule.rule(from: 1, Before.Note.self, After.Note.self) { old, new in
      new.title = "\(old.number): the title of a note"
    }
    var migration = OnlineMigration.online(rule)
    migration.startsPaused = true
    let configuration = Store.Configuration(
      url: url, models: [After.Note.self], schemaVersion: 2, migration: migration)
    try Store(configuration).close()
    let session = try Session(StoreFile.open(OpenRequest(path: url.path)))
    defer { session.close() }
    // In so short a batch, a group has the same size however slow the machine is.
    try session.file.finishTransition(
      by: configuration.ruleBook(), inBatchesOf: .microseconds(400))
    _ = try session.refresh()
    let counts = try Self.objectsPerPage(session)
    #expect(counts.reduce(0, +) == count && counts.count > 2_000)
    let full = try #require(counts.max())
    let rows = counts.indices.dropLast(2).filter { first in
      counts[first...first + 2].allSatisfy { $0 * 3 < full * 2 }
    }
    #expect(rows == [], "\(rows.prefix(3).map { counts[$0..<min($0 + 8, counts.count)] })")
  }

  /// Returns how many notes each page has.
  private static func objectsPerPage(_ session: Session) throws -> [Int] {
    let cursor = try session.view.cursor(session.table("Note").objects)
    var counts: [Int] = []
    var isInside = try cursor.move(to: .first)
    while isInside {
      let first = cursor.integerKey
      try cursor.moveToEndOfPage()
      counts.append(Int(cursor.integerKey - first) + 1)
      isInside = try cursor.move(to: .next)
    }
    return counts
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
