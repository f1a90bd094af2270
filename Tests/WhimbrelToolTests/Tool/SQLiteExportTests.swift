import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct SQLiteExportTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// The rows of an answer of a database, with the columns as text.
  private func rows(_ database: String, _ columns: Int32, _ query: String) throws -> [[String?]] {
    let opened = try SQLiteDatabase(path: folder.path(database), name: database)
    let statement = try opened.prepare(query)
    var rows: [[String?]] = []
    while try statement.step() { rows.append((0..<columns).map(statement.text)) }
    return rows
  }

  /// The files but for locks.
  private func names() throws -> [String] {
    try folder.names().filter { !$0.hasSuffix("-lock") }
  }

  private func export(_ store: String, _ database: String) throws -> SQLiteExport.Summary {
    try SQLiteExport(StoreInspector(path: folder.path(store))).write(to: folder.path(database))
  }

  @Test func `links are foreign keys`() throws {
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let run = try ToolRun(["export", "a.whimbrel", "--sqlite", "a.db"], in: folder)
    #expect(run.errors == "")
    #expect(run.output == "Country: 249 rows\nZone: 312 rows\n")
    #expect(try rows("a.db", 1, "PRAGMA foreign_key_check").isEmpty)
    #expect(try rows("a.db", 1, "PRAGMA integrity_check") == [["ok"]])
    #expect(try rows("a.db", 1, "PRAGMA user_version") == [["4"]])
    #expect(
      try rows(
        "a.db", 2,
        """
        SELECT z.identifier, c.name FROM Zone z JOIN Country c ON z.country = c.code
        WHERE z.latitude > 76.7
        """) == [["America/Danmarkshavn", "Greenland"]])
    let keys = try rows("a.db", 5, "PRAGMA foreign_key_list(Zone)")
    #expect(keys.map { [$0[2], $0[3], $0[4]] } == [["Country", "country", "code"]])
    #expect(try names() == ["a.db", "a.whimbrel"])
  }

  @Test func `a file that is there is not touched`() throws {
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let run = try ToolRun(["export", "a.whimbrel", "--sqlite", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("a file with that name already exists"))
    let missing = try ToolRun(["export", "a.whimbrel", "--sqlite", "none/a.db"], in: folder)
    #expect(missing.exitCode == 1)
    #expect(
      missing.errors.hasPrefix("Error: Could not write to 'none/a.db': no such file or directory."))
    #expect(try names() == ["a.whimbrel"])
  }

  // SQLite took a name such as 'file:a.db' for a URL and filled another file. That file stayed, and the error
  // said that there is no such file.
  @Test(arguments: ["file:a.db", "file:a.db?mode=memory", ":memory:", "-a b'\".db"])
  func `a database may have any name`(name: String) throws {
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let run = try ToolRun(["export", "a.whimbrel", "--sqlite=\(name)"], in: folder)
    #expect(run.errors == "")
    #expect(try names() == ["a.whimbrel", name].sorted())
    #expect(folder.contents(name)?.starts(with: "SQLite format 3".utf8) == true)
  }

  @Test func `values are exact`() throws {
    let thing = ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "id", type: .string),
        PropertySchema(name: "ID", type: .int), PropertySchema(name: "data", type: .data),
        PropertySchema(name: "date", type: .date),
        PropertySchema(name: "number", type: .double, isOptional: true),
        PropertySchema(name: "decimal", type: .decimal), PropertySchema(name: "any", type: .any),
        PropertySchema(name: "flag", type: .bool),
        PropertySchema(name: "self", type: .link(to: "Thing")),
      ])
    try makeStore(at: folder.path("a.whimbrel"), [thing]) { session in
      let table = try session.table("Thing")
      _ = try table.create(
        [
          "id": "a\u{0}b\"'", "ID": .int(.max), "data": .data(Data([0, 255])),
          "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)), "number": .double(.nan),
          "decimal": .decimal(Decimal(string: "12345678901234567890.5") ?? 0),
          "any": ["x": [1, nil]], "flag": true,
        ], replacing: false)
      _ = try table.create(
        [
          "id": "", "ID": .int(.min), "data": .data(Data()),
          "date": .date(Date(timeIntervalSinceReferenceDate: 1e15)), "decimal": .decimal(0),
          "flag": false, "self": .link(ObjectID(rawValue: 1)),
        ], replacing: false)
    }
    _ = try export("a.whimbrel", "a.db")
    let found = try rows(
      "a.db", 8,
      """
      SELECT hex(id), ID_2, hex(data), date, number, "decimal", any, flag FROM Thing ORDER BY id_3
      """)
    #expect(
      found == [
        [
          "6100622227", "9223372036854775807", "00FF", "2001-01-01T00:00:00.25Z", "nan",
          "12345678901234567890.5", #"{"map":{"x":{"list":[{"int":1},null]}}}"#, "1",
        ],
        ["", "-9223372036854775808", "", "1000000000000000.0", nil, "0", nil, "0"],
      ])
    #expect(
      try rows("a.db", 2, "SELECT typeof(data), typeof(ID_2) FROM Thing")
        == [["blob", "integer"], ["blob", "integer"]])
    #expect(
      try rows("a.db", 1, "SELECT count(*) FROM Thing a JOIN Thing b ON a.self = b.id_3")
        == [["1"]])
  }

  // SQLite made a text with 15 digits of the seconds of a date beyond the year 9999. The rest was lost, and
  // two such dates under a unique index became equal: the export failed, and told to look at the disk.
  @Test func `dates beyond the calendar keep all digits`() throws {
    let thing = ClassSchema(
      name: "Thing", properties: [PropertySchema(name: "date", type: .date)],
      indexes: [IndexSchema(["date"], .unique)])
    let dates = [-99_999_999_999.12346, -99_999_999_999.12347, .infinity]
    try makeStore(at: folder.path("a.whimbrel"), [thing]) { session in
      for date in dates {
        _ = try session.table("Thing").create(
          ["date": .date(Date(timeIntervalSinceReferenceDate: date))], replacing: false)
      }
    }
    _ = try export("a.whimbrel", "a.db")
    #expect(
      try rows("a.db", 1, "SELECT date FROM Thing ORDER BY id")
        == [["-99999999999.12346"], ["-99999999999.12347"], ["inf"]])
  }

  @Test func `collections are tables, and embedded objects have owners`() throws {
    try CheckedStores.makeWorn(at: folder.path("a.whimbrel"), seed: 1)
    let summary = try export("a.whimbrel", "a.db")
    #expect(
      summary.tables.map(\.name) == ["Keyed", "Note", "Note_others", "Note_words", "Part"])
    #expect(try rows("a.db", 1, "PRAGMA foreign_key_check").isEmpty)
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    let notes = try inspector.classList().classes.first { $0.name == "Note" }?.objects ?? 0
    #expect(try rows("a.db", 1, "SELECT count(*) FROM Note") == [["\(notes)"]])
    // Each part has the note that leads to it.
    #expect(
      try rows(
        "a.db", 1,
        """
        SELECT count(*) FROM Part JOIN Note ON Part.owner_Note_part = Note.id
        WHERE Note.part <> Part.id
        """) == [["0"]])
    #expect(
      try rows("a.db", 1, "SELECT count(*) FROM Part WHERE owner_Note_part IS NULL") == [["0"]])
    // The elements of a list stand in their order.
    #expect(
      try rows(
        "a.db", 1,
        """
        SELECT count(*) FROM
          (SELECT owner, count(*) n, max(position) m FROM Note_others GROUP BY owner)
        WHERE n <> m + 1
        """) == [["0"]])
  }

  // What a line of JSON says of each class was made once for each table: a store of 900 classes took three
  // minutes, whatever it contained.
  @Test func `the time is linear in the number of classes`() throws {
    let classes = (0..<600).map {
      ClassSchema(name: "Class\($0)", properties: [PropertySchema(name: "value", type: .any)])
    }
    try makeStore(at: folder.path("a.whimbrel"), classes) { _ in }
    var tables = 0
    let duration = try ContinuousClock().measure {
      tables = try export("a.whimbrel", "a.db").tables.count
    }
    #expect(duration < .seconds(20))
    #expect(tables == 600)
  }

  @Test(arguments: seeds(6, long: 60))
  func `random stores keep their foreign keys`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    let summary = try export("a.whimbrel", "a.db")
    #expect(try rows("a.db", 1, "PRAGMA foreign_key_check").isEmpty)
    for entry in try StoreInspector(path: folder.path("a.whimbrel")).classList().classes {
      #expect(summary.tables.first { $0.name == entry.name }?.rows == entry.objects)
    }
  }
}
