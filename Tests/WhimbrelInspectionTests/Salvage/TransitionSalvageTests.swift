import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// A store in transition lost its catalog, and was salvaged with that of a store whose transition
/// was over: objects of past shapes vanished without a word.
struct TransitionSalvageTests {
  private let folder: TestFolder
  private var path: String { folder.path("readings.whimbrel") }
  private var damaged: String { folder.path("damaged.whimbrel") }
  private var other: String { folder.path("other.whimbrel") }
  private var saved: String { folder.path("saved.whimbrel") }

  private static let advice =
    "Use '--schema-from' with a copy of the store that was made during its migration.\n"

  init() throws { folder = try TestFolder() }

  private func copy(_ path: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: other)
  }

  private func damage(losingHeader: Bool = false) throws {
    try copyWithoutCatalog(path, to: damaged, losingHeader: losingHeader)
  }

  private func salvage() throws -> StoreSalvage.Report {
    let report = try StoreSalvage(path: damaged, schemaFrom: other).run(to: saved)
    #expect(try StoreCheck(path: saved).run().findings.map(\.description) == [])
    #expect(report.catalog == "otherStore")
    return report
  }

  /// Expects that the readings kept are as the app sees them, without those left out.
  private func expectReadings(_ kept: [String], sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let all = try TransitionSample.finish(path)
    #expect(
      try TransitionSample.finish(saved) == all.filter { kept.contains($0.key) },
      sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true])
  func `objects of past shapes are counted`(losesHeader: Bool) throws {
    try TransitionSample.make(at: path)
    try damage(losingHeader: losesHeader)
    try copy(path, to: other)
    _ = try TransitionSample.finish(other)
    let report = try salvage()
    #expect(report.classes.map(\.name) == ["Reading", "Station"])
    #expect(report.classes.map(\.kept) == [2, 2])
    #expect(report.classes.map(\.unknownShapes) == [4, 0])
    #expect(report.classes.map(\.damaged) == [[], []])
    #expect(!report.isComplete)
    #expect(report.isOfSameStore == (losesHeader ? nil : true))
    #expect(
      report.text.contains(
        "4 objects of 'Reading' have a shape that the catalog lacks, and are left out.\n"
          + Self.advice))
    #expect(report.text.contains("It may not be a copy of the damaged store.") == losesHeader)
    #expect(String(decoding: try report.json(), as: UTF8.self).contains(#""unknownShapes" : 4"#))
    try expectReadings(["r2", "r4"])
  }

  @Test func `a copy from during the transition saves all objects`() throws {
    try TransitionSample.make(at: path)
    try copy(path, to: other)
    try damage()
    let report = try salvage()
    #expect(report.classes.map(\.kept) == [6, 2])
    #expect(report.classes.map(\.unknownShapes) == [0, 0])
    #expect(report.isOfSameStore == true)
    #expect(try StoreInspector(path: saved).unconvertedObjects().map(\.count) == [4])
    try expectReadings((1...6).map { "r\($0)" })
  }

  @Test func `a copy from before the transition does not know what is converted`() throws {
    try TransitionSample.makeOld(at: path)
    try copy(path, to: other)
    try TransitionSample.begin(path, converting: [2, 4])
    try damage()
    let report = try salvage()
    #expect(report.classes.map(\.kept) == [4, 2])
    #expect(report.classes.map(\.unknownShapes) == [2, 0])
    #expect(report.text.contains(Self.advice))
    try expectReadings(["r1", "r3", "r5", "r6"])
  }

  @Test func `the catalog of another store is not taken for one in transition`() throws {
    try TransitionSample.make(at: path)
    try damage()
    var request = OpenRequest(path: other)
    request.declaration = TransitionSample.declaration
    request.schemaVersion = 2
    try Session(StoreFile.open(request)).close()
    let error = #expect(throws: InspectionError.self) {
      try StoreSalvage(path: damaged, schemaFrom: other).run(to: saved)
    }
    #expect(error?.code == .nothingToSalvage)
    #expect(error?.message.contains("' is not a copy of it: objects of past shapes") == true)
    #expect(error?.recovery.contains("that was made during its migration") == true)
    #expect(!FileManager.default.fileExists(atPath: saved))
  }

  @Test func `a salvage of nothing but past shapes says what it needs`() throws {
    let key = PropertySchema(name: "key", type: .string, isPrimaryKey: true)
    func thing(_ property: PropertySchema) -> ClassSchema {
      ClassSchema(name: "Thing", properties: [key, property])
    }
    let old = thing(PropertySchema(name: "raw", type: .int))
    let new = thing(PropertySchema(name: "text", type: .string, defaultValue: .value("")))
    try makeStore(at: path, [old]) { session in
      _ = try session.table("Thing").create(["key": "t1", "raw": 7], replacing: false)
    }
    let rule = ObjectRule(from: 1, old, new, isLast: true) { _ in EmptyRule() }
    try openOnline(path, [new], [rule]).close()
    try damage()
    try copy(path, to: other)
    let session = try openOnline(other, [new], [rule])
    try session.file.finishTransition(by: RuleBook([rule]))
    session.close()
    let error = #expect(throws: InspectionError.self) {
      try StoreSalvage(path: damaged, schemaFrom: other).run(to: saved)
    }
    #expect(error?.message.contains("all objects that can be read have shapes that") == true)
    #expect(error?.recovery.hasPrefix(Self.advice.dropLast()) == true)
  }

  @Test func `objects of a finished transition are not taken for past ones`() throws {
    try TransitionSample.make(at: path)
    _ = try TransitionSample.finish(path)
    // Without the free list, records from before the transition cannot be told from others.
    var bytes = try Data(contentsOf: URL(filePath: path))
    for page in UsedBytes(bytes).pages["free"] ?? [] {
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    }
    try bytes.write(to: URL(filePath: damaged))
    let report = try StoreSalvage(path: damaged).run(to: saved)
    #expect(report.classes.map(\.kept) == [6, 2])
    #expect(report.classes.map(\.unknownShapes) == [0, 0])
  }
}
