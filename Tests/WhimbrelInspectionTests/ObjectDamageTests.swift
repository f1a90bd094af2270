import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

struct ObjectDamageTests {
  private static let note = ClassSchema(
    name: "Note",
    properties: [
      PropertySchema(name: "key", type: .string, isPrimaryKey: true),
      PropertySchema(name: "text", type: .string),
      PropertySchema(name: "body", type: .string),
    ])
  private static let number = ClassSchema(
    name: "Number",
    properties: [
      PropertySchema(name: "key", type: .int, isPrimaryKey: true),
      PropertySchema(name: "text", type: .string),
    ])

  /// Changes a text of the file, which occurs once.
  private func damage(_ path: String, _ text: String, _ other: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let range = try #require(bytes.range(of: Data(text.utf8)))
    bytes.replaceSubrange(range, with: Data(other.utf8))
    try bytes.write(to: URL(filePath: path))
  }

  @Test func `every unreadable object is listed, with its key where that is certain`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try makeStore(at: path, [Self.note, Self.number]) { session in
      for number in 1...5 {
        _ = try session.table("Note").create(
          [
            "key": .string("note \(number)"), "text": .string("text \(number)"),
            "body": .string(String(repeating: "body \(number) ", count: 400)),
          ], replacing: false)
        _ = try session.table("Number").create(
          ["key": .int(Int64(number)), "text": .string("word \(number)")], replacing: false)
      }
    }
    #expect(try readOnlySession(path).damage() == [])
    try damage(path, "text 2", "text X")
    try damage(path, "body 4 body 4", "body 4 body X")
    try damage(path, "word 5", "word X")
    let found = try readOnlySession(path).damage()
    #expect(
      found.map(\.description) == [
        "object 'note 2' of class 'Note': its checksum is wrong",
        "object 'note 4' of class 'Note': \(found.dropFirst().first?.problem ?? "")",
        "object '5' of class 'Number': its checksum is wrong",
      ])
    #expect(found.map(\.properties) == [[], ["body"], []])
    // Salvage refuses the same objects, and names them.
    let report = try Salvage(
      path: path, output: folder.path("b.whimbrel"), search: .usedPages, orCatalogOf: nil
    ) { _, _, _ in }.run(to: folder.path("b.whimbrel"))
    #expect(report.classes.map(\.kept) == [3, 4])
    #expect(report.classes.map(\.damaged.count) == [2, 1])
    #expect(try readOnlySession(folder.path("b.whimbrel")).damage() == [])
  }
}
