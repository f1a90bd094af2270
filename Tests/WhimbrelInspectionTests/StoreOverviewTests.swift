import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct StoreOverviewTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test(arguments: ["Zones.v1", "Zones.v2", "Zones.v3", "Zones.v4", "Formats/1.Zones.v3"])
  func `an overview says what an inspector says`(name: String) throws {
    let path = folder.path("a.whimbrel")
    try FileManager.default.copyItem(
      at: Recording.url("../SampleStores/\(name).whimbrel"), to: URL(filePath: path))
    let (overview, inspector) = (try StoreOverview(path: path), try StoreInspector(path: path))
    #expect(try overview.description() == inspector.description())
    #expect(overview.schema == inspector.schema)
    #expect(overview.migrationHistory == inspector.migrationHistory)
  }

  @Test func `the layouts in use are counted`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let zone = ClassSchema(
      name: "Zone",
      properties: Sample.zone.properties + [
        PropertySchema(name: "length", type: .int, defaultValue: .value(.int(5)))
      ])
    try makeStoreOrMigrate(path, [Sample.country, zone], version: 5) { session in
      for name in ["a", "b", "c"] {
        _ = try session.table("Zone").create(
          ["identifier": .string(name), "latitude": 1.5, "area": "asia"], replacing: false)
      }
    }
    let description = try StoreInspector(path: path).descriptionWithLayouts()
    let counts = try #require(description.classes[1].layoutsInUse)
    #expect(counts.map(\.objects) == [2, 3])
    #expect(counts.map(\.isWritten) == [false, true])
    #expect(description.text.contains("\nZone                 2        3  current\n"))
    #expect(try StoreDescription(json: description.json()) == description)
    #expect(try StoreOverview(path: path).description().classes[1].layoutsInUse == nil)
  }

  /// Opens the store with another schema, which needs no code, and writes.
  private func makeStoreOrMigrate(
    _ path: String, _ classes: [ClassSchema], version: SchemaVersion,
    _ fill: (Session) throws -> Void
  ) throws {
    try migrateStore(at: path, classes, version: version) { _, _ in }
    try makeStore(at: path, classes, version: version, fill)
  }

  @Test(arguments: seeds(200, long: 4_000))
  func `a damaged store is read or refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try Sample.make(at: folder.path("a.whimbrel"))
    var data = try #require(folder.contents("a.whimbrel"))
    // Numbers that matter stand in few places: whole words of them are set, mostly in the
    // heads of pages and in what describes tables.
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let page = Int.random(in: 0..<data.count / 4_096, using: &random) * 4_096
      let ranges = [0..<24, 24..<160, 3_600..<4_096, 0..<4_096]
      let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
      let start = page + Int.random(in: range, using: &random)
      let word = [0, 1, .max, 1 << 40, random.next(), UInt64(data.count)].randomElement(
        using: &random)
      for index in 0..<Int.random(in: 1...8, using: &random) where start + index < data.count {
        data[start + index] = UInt8(truncatingIfNeeded: (word ?? 0) >> (8 * UInt64(index)))
      }
    }
    if Int.random(in: 0..<10, using: &random) == 0 {
      data = data.prefix(Int.random(in: 0..<data.count, using: &random))
    }
    let path = folder.path("b.whimbrel")
    try data.write(to: URL(filePath: path))
    do {
      let overview = try StoreOverview(path: path)
      _ = try overview.description().text
      _ = SwiftModels(overview.schema)
      _ = MermaidDiagram(overview.schema)
      _ = HistoryText(overview.migrationHistory).description
    } catch is StoreError {
    } catch {
      Issue.record(error, "seed \(seed)")
    }
    #expect(folder.contents("b.whimbrel") == data, "seed \(seed)")
  }
}
