import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// A store in transition, which is read without its app.
struct TransitionLookTests {
  private let folder: TestFolder
  private var path: String { folder.path("readings.whimbrel") }

  init() throws {
    folder = try TestFolder()
    try TransitionSample.make(at: folder.path("readings.whimbrel"))
  }

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test func `info says how many objects wait and from which version`() throws {
    let description = try StoreOverview(path: path).description()
    let transition = try #require(description.transition)
    let reading = try #require(transition.classes.first)
    #expect(transition.classes.map(\.name) == ["Reading"])
    #expect(reading.versions == [1])
    #expect(reading.total == 6)
    #expect(reading.waiting == 6)
    #expect(description.formatVersion == Int(Header.transitionFormat))
    #expect(try StoreDescription(json: description.json()) == description)
    #expect(description.text.contains("online migration under way, started "))
    #expect(description.text.contains("Reading  1                   6            6"))
    _ = try TransitionSample.finish(path)
    #expect(try StoreOverview(path: path).description().transition == nil)
  }

  @Test func `no more objects wait than the class has after removals`() throws {
    let removed = StoreEdit.Objects.named(["r1", "r2", "r3", "r4"])
    let edit = StoreEdit(path: path, [.remove(class: "Reading", removed)])
    try edit.run(.write(backup: nil)) { _ in }
    let reading = try #require(
      try StoreOverview(path: path).description().transition?.classes.first)
    #expect(reading.total == 6)
    #expect(reading.waiting == 2)
  }

  @Test(arguments: [StoreCheck.Depth.quick, .full])
  func `check finds nothing and notes the transition`(_ depth: StoreCheck.Depth) throws {
    let report = try StoreCheck(path: path, depth: depth).run()
    #expect(report.findings.map(\.description) == [])
    #expect(report.isSound)
    #expect(
      report.notes == [
        "an online migration is under way: objects of class 'Reading' may still have version 1"
      ])
  }

  @Test func `a dump has the old values of unconverted objects and marks them`() throws {
    let dumped = lines(try dump(path)).filter { $0.contains(#""class":"Reading","id""#) }
    #expect(dumped.count == 6)
    #expect(
      dumped[0]
        == #"{"class":"Reading","id":1,"version":1,"values":{"key":"r1","sensor":"s1","raw":0.5,"level":"1","note":null,"tags":["tag 0"],"station":{"key":"S2"}}}"#
    )
    #expect(
      dumped[1]
        == #"{"class":"Reading","id":2,"values":{"calibrated":2.0,"key":"r2","sensor":"s0","label":"s0: 1.0","level":2,"note":null,"tags":["tag 0","tag 1"],"station":{"key":"S1"}}}"#
    )
    #expect(dumped[4].contains(TransitionSample.longNote))
  }

  @Test func `a selection, a folder and lines of ls are written alike`() throws {
    let whole = lines(try dump(path)).filter { $0.contains(#""class":"Reading","id""#) }
    var options = StoreDump.Options()
    options.selections = [ObjectSelection(className: "Reading")]
    options.reach = .linked
    var text = ""
    try StoreDump(StoreInspector(path: path), options).write(to: &text)
    #expect(lines(text).filter { $0.contains(#""class":"Reading","id""#) } == whole)
    #expect(text.contains(#"{"class":"Station","id":1"#))
    try FolderDump(StoreInspector(path: path)).write(
      to: folder.path("dump"), replacing: .refused)
    let file = try String(contentsOfFile: folder.path("dump/Reading.jsonl"), encoding: .utf8)
    #expect(lines(file) == whole)
    var bytes: [UInt8] = []
    try ObjectTable(ObjectSelection(className: "Reading"), of: StoreInspector(path: path))
      .writeJSONLines { bytes += $0 }
    #expect(lines(String(decoding: bytes, as: UTF8.self)) == whole)
  }

  @Test func `a dump with unconverted objects is not loaded`() throws {
    let text = try dump(path)
    let error = #expect(throws: InspectionError.self) {
      try load(text, into: folder.path("loaded.whimbrel"))
    }
    #expect(error?.code == .badDump)
    #expect(
      error?.message.contains("the object is not yet converted to the schema of the dump") == true)
    #expect(try folder.names().contains("loaded.whimbrel") == false)
  }

  @Test func `a table has columns that unconverted objects lack empty`() throws {
    let table = try ObjectTable(
      ObjectSelection(className: "Reading"), columns: "key,sensor,calibrated,level,station.code",
      of: StoreInspector(path: path))
    var bytes: [UInt8] = []
    try table.writeCSV { bytes += $0 }
    #expect(
      lines(String(decoding: bytes, as: UTF8.self)) == [
        "key,sensor,calibrated,level,station.code", "r1,s1,,,S2", "r2,s0,2.0,2,S1", "r3,s1,,,S2",
        "r4,s0,4.0,4,S1", "r5,s1,,,S2", "r6,s0,,,S1",
      ])
    bytes = []
    try table.writeJSONLines { bytes += $0 }
    #expect(
      lines(String(decoding: bytes, as: UTF8.self)).first
        == #"{"key":"r1","sensor":"s1","station.code":"S2"}"#)
    var text = ""
    _ = try table.writeText { text += $0 }
    #expect(lines(text)[1].split(separator: " ") == ["r1", "s1", "S2"])
    let unconverted = try StoreInspector(path: path).unconvertedObjects()
    #expect(unconverted.map(\.count) == [4])
    #expect(
      unconverted.first?.note(.rows)
        == "4 objects of 'Reading' are not yet converted from version 1; columns of 'calibrated', "
        + "'label', 'level' are empty for them.")
  }

  @Test func `show has the old properties of an unconverted object, and its version`() throws {
    let inspector = try StoreInspector(path: path)
    let view = try inspector.view(of: "r3", class: "Reading")
    #expect(view.version == 1)
    #expect(view.text().hasPrefix("Reading r3 id:3 (version 1)\n"))
    #expect(view.text().contains("  raw      1.5\n"))
    #expect(!view.text().contains("calibrated"))
    let json = String(decoding: view.json(), as: UTF8.self)
    #expect(json.contains(#""name":"r3","version":1,"values":{"key":"r3","sensor":"s1","raw":1.5"#))
    let converted = try inspector.view(of: "r4", class: "Reading")
    #expect(converted.version == nil)
    #expect(converted.text().contains("  calibrated  4.0\n"))
  }

  @Test func `a query on what unconverted objects lack leaves them out and says so`() throws {
    let inspector = try StoreInspector(path: path)
    let changed = ObjectSelection(className: "Reading", query: "calibrated < 3")
    #expect(try ObjectQuery(changed, of: inspector).count() == 1)
    let left = try #require(try inspector.objectsLeftOut(of: changed).first)
    #expect(
      left.note(.query(of: "Reading"))
        == "4 objects of 'Reading' are not yet converted from version 1; they have no 'calibrated', "
        + "and the query leaves them out.")
    let kept = ObjectSelection(className: "Reading", query: "sensor == 's1' SORT(key ASC)")
    #expect(try ObjectQuery(kept, of: inspector).count() == 3)
    #expect(try inspector.objectsLeftOut(of: kept) == [])
    let all = ObjectSelection(className: "Reading")
    #expect(try ObjectQuery(all, of: inspector).value(.minimum, of: "calibrated") == .double(2))
    #expect(try inspector.objectsLeftOut(of: all, ["calibrated"]).map(\.count) == [4])
    let groups = try QueryGroups(all, by: "level", of: inspector)
    #expect(groups.groups.map(\.text) == ["2", "4"])
    let statistics = try StoreStatistics(of: all, in: inspector)
    #expect(statistics.properties.map(\.objects) == [2, 6, 6, 2, 2, 6, 6, 6])
  }

  @Test func `a change of an unconverted object is refused`() throws {
    let edits: [StoreEdit.Operation] = [
      .set(class: "Reading", .named(["r1"]), .texts(["calibrated=0"])),
      .set(class: "Reading", .named(["r1"]), .texts(["sensor=s1"])),
      .set(class: "Reading", .query("sensor == 's1'"), .texts(["note=x"])),
    ]
    for edit in edits {
      let error = #expect(throws: StoreError.self) {
        try StoreEdit(path: path, [edit]).run(.write(backup: nil)) { _ in }
      }
      #expect(error?.code == .transitionNeedsRule)
    }
    expectError(.notConverted) {
      try StoreEdit(path: path, [.remove(class: "Reading", .query("calibrated == 0"))])
        .run(.write(backup: nil)) { _ in }
    }
    try StoreEdit(
      path: path,
      [
        .set(class: "Reading", .named(["r2"]), .texts(["calibrated=7"])),
        .remove(class: "Reading", .named(["r3"])),
        .add(class: "Reading", .texts(["key=r7", "sensor=s9"])),
      ]
    ).run(.write(backup: nil)) { _ in }
    #expect(try integrityFindings(path) == [])
    let readings = try TransitionSample.finish(path)
    #expect(readings.keys.sorted() == ["r1", "r2", "r4", "r5", "r6", "r7"])
    #expect(readings["r2"]?["calibrated"] == .double(7))
    #expect(readings["r1"]?["calibrated"] == .double(1))
  }

  @Test func `a merge that would replace an unconverted object is refused`() throws {
    let other = folder.path("other.whimbrel")
    try makeStore(at: other, [TransitionSample.station, TransitionSample.newReading]) { session in
      _ = try session.table("Reading").create(
        ["key": "r1", "sensor": "s1", "label": "x"], replacing: false)
    }
    let text = folder.path("other.jsonl")
    try Data(dump(other).utf8).write(to: URL(filePath: text))
    for policy in [MergePolicy.update, .replace] {
      let error = #expect(throws: StoreError.self) {
        try StoreMerge(path: text, into: path, policy: policy).run()
      }
      #expect(error?.code == .transitionNeedsRule)
    }
    let kept = try StoreMerge(path: text, into: path, policy: .keep).run()
    #expect(kept.classes.map(\.kept) == [1])
  }

  @Test func `a diff compares what both stores have of unconverted objects`() throws {
    let other = folder.path("other.whimbrel")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    func changes() throws -> [Int] {
      let diff = try StoreDiff(from: StoreInspector(path: path), to: StoreInspector(path: other))
      return try diff.classCounts().map(\.different)
    }
    #expect(try changes() == [0, 0])
    // Converting is not a difference of the data.
    _ = try TransitionSample.finish(other)
    #expect(try changes() == [0, 0])
    let session = try TransitionSample.open(other)
    try session.write {
      let readings = try session.table("Reading")
      let id = try #require(try readings.find("r1"))
      let position = try readings.resolved.requiredPosition(of: "note")
      try readings.update(id) { try $0.set(position, "changed") }
    }
    session.close()
    #expect(try changes() == [1, 0])
  }

  // It was refused, although the plan said that there is nothing to do.
  @Test func `a plan without changes needs no converted objects`() throws {
    let schema = try SchemaSource.store(at: path)
    let outlook = try MigrationOutlook(ofStoreAt: path, to: schema, checking: .objects)
    #expect(outlook.plan.isEmpty && outlook.isReady && outlook.findings == nil)
    #expect(try SchemaMigration(ofStoreAt: path, to: schema).outlook == outlook)
  }

  @Test func `what needs converted objects is refused`() throws {
    let inspector = try StoreInspector(path: path)
    expectError(.notConverted) { try SQLiteExport(inspector).write(to: folder.path("x.db")) }
    let schema = try SchemaSource.store(at: path)
    expectError(.notConverted) {
      try MigrationOutlook(ofStoreAt: path, to: schema, version: 3, checking: .objects)
    }
    #expect(
      InspectionError.notConverted(
        "x.whimbrel", "export the store", try #require(inspector.unconvertedObjects().first)
      ).description
        == "Could not export the store 'x.whimbrel': 4 objects of 'Reading' are not yet converted "
        + "from version 1. Open the store with its app, and let the app finish the migration.")
  }
}
