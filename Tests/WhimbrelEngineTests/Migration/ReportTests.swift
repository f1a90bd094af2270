import Foundation
import Testing
import WhimbrelEngine

/// `report(_:)`, and the history that it lands in.
struct ReportTests {
  private static let classes = [ClassSchema("A", .required("a", .int))]

  private func store() throws -> TestStore {
    try TestStore(Self.classes) { session in
      for number in 0..<Int64(5) { try session.create("A", ["a": .int(number)]) }
    }
  }

  @Test func `what code reports is in the history, in order and counted`() throws {
    let store = try store()
    try store.open(Self.classes, version: 2) { migration, _ in
      migration.report("begin")
      try migration.enumerateObjects(ofType: "A") { old, _ in
        if let number = try old?["a", as: Int.self], number > 1 { migration.report("large") }
      }
      migration.report("end")
    }
    try store.open(Self.classes, version: 3) { _, _ in }
    let history = try store.contents().catalog.history
    #expect(history.map { $0.marks.map(\.text) } == [["begin", "large", "end"], []])
    #expect(history[0].marks.map(\.count) == [1, 3, 1])
  }

  @Test func `a report of a migration that fails is not kept`() throws {
    let store = try store()
    let before = try store.contents()
    #expect(throws: StoreError.self) {
      try store.open(Self.classes, version: 2) { migration, _ in
        migration.report("x")
        throw BlockError()
      }
    }
    #expect(try store.contents() == before)
    try store.open(Self.classes, version: 2) { _, _ in }
    #expect(try store.contents().catalog.history.map(\.marks) == [[]])
  }

  @Test func `reports are kept within bounds`() throws {
    let store = try store()
    try store.open(Self.classes, version: 2) { migration, _ in
      migration.report(String(repeating: "x", count: 100_000))
      for number in 0..<5_000 { migration.report("\(number)") }
      migration.report("0")
    }
    let marks = try #require(try store.contents().catalog.history.first).marks
    #expect(marks.count == 1_001)
    #expect(marks[0].text.count == 1_000)
    #expect(marks[1].count == 2)
    #expect(marks.last?.text == "(more reports)" && marks.last?.count == 4_001)
  }

  @Test func `a history without marks is read and written as before`() throws {
    let json = """
      {"changes":["x"],"date":0,"duration":1234.5,"from":1,"library":"0.1.0","objects":2,"to":3}
      """
    let entry = try JSONDecoder().decode(MigrationHistoryEntry.self, from: Data(json.utf8))
    #expect(entry.marks == [] && entry.to == 3 && entry.changes == ["x"])
    #expect("\(entry)".contains("2 objects rewritten in 1234.500 s"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try String(decoding: encoder.encode(entry), as: UTF8.self) == json)
  }
}
