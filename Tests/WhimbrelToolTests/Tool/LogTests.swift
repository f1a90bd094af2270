import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// `whimbrel log`, and what else shows the history.
struct LogTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func migrate() throws {
    let length = PropertySchema(name: "length", type: .int)
    let zone = ClassSchema(name: "Zone", properties: Sample.zone.properties + [length])
    try migrateStore(at: folder.path("a.whimbrel"), [Sample.country, zone], version: 5) {
      migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { _, new in
        new?["length"] = .int(7)
        migration.report("a zone \u{1B}")
      }
      migration.report("done")
    }
    let declared = [Sample.country, zone]
    try migrateStore(at: folder.path("a.whimbrel"), declared, version: 6) { _, _ in }
  }

  @Test func `a store without migrations says so`() throws {
    let run = try ToolRun(["log", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 0 && run.errors == "")
    #expect(run.output == "No migrations.\n")
    #expect(try ToolRun(["log", "a.whimbrel", "--json"], in: folder).output == "[\n\n]\n")
  }

  @Test func `the log has the newest migration first`() throws {
    try migrate()
    let version = StoreInspector.libraryVersion
    let run = try ToolRun(["log", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 0 && run.errors == "")
    #expect(
      run.output == """
        2026-01-01T00:00:00Z  version 5 to 6: 0 objects rewritten in 0.000 s by Whimbrel \(version)

        2026-01-01T00:00:00Z  version 4 to 5: 2 objects rewritten in 0.000 s by Whimbrel \(version)
          - Property 'Zone.length' has been added.
          reported: a zone \\u{1B} (2 times)
          reported: done

        """)
    let json = try ToolRun(["log", "a.whimbrel", "--json"], in: folder).output
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let history = try decoder.decode([MigrationHistoryEntry].self, from: Data(json.utf8))
    #expect(history.map(\.to) == [6, 5])
    #expect(history[1].marks.map(\.count) == [2, 1])
    #expect(try ToolRun(["info", "a.whimbrel"], in: folder).output.contains("reported: done"))
  }

  @Test func `a dump keeps what was reported`() throws {
    try migrate()
    let text = try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
    #expect(text.contains(#""marks":[{"count":2,"text":"a zone"#))
    try load(text, into: folder.path("b.whimbrel"))
    let history = try ["a", "b"].map {
      try StoreInspector(path: folder.path("\($0).whimbrel")).migrationHistory
    }
    #expect(history[0] == history[1] && history[0].count == 2)
  }
}
