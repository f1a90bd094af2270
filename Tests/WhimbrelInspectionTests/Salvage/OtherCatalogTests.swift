import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// A store lost its catalog, and is salvaged with that of another store of the same app: the salt of
/// its checksums has to be found.
struct OtherCatalogTests {
  private let folder: TestFolder
  private var path: String { folder.path("notes.whimbrel") }
  private var damaged: String { folder.path("damaged.whimbrel") }
  private var other: String { folder.path("other.whimbrel") }
  private var saved: String { folder.path("saved.whimbrel") }

  private static let folderClass = ClassSchema(
    name: "Folder", properties: [PropertySchema(name: "name", type: .string)])
  private static let note = ClassSchema(
    name: "Note",
    properties: [
      PropertySchema(name: "text", type: .string, isIndexed: true),
      PropertySchema(name: "body", type: .string),
    ])

  init() throws { folder = try TestFolder() }

  private func texts(_ path: String) throws -> [String] {
    let session = try readOnlySession(path)
    defer { session.close() }
    let table = try session.table("Note")
    return try table.objectIDs().map { id in
      let record = try #require(try table.record(id))
      return "\(try table.value(0, of: record, id)) \(try table.value(1, of: record, id))"
    }.sorted()
  }

  @Test func `the catalog of a store with other checksums serves as well as that of a copy`() throws
  {
    try makeStore(at: path, [Self.folderClass, Self.note]) { session in
      _ = try session.table("Folder").create(["name": "all"], replacing: false)
      for number in 1...300 {
        let body = String(repeating: "\(number) ", count: number % 50 == 0 ? 2_000 : 1)
        _ = try session.table("Note").create(
          ["text": .string("note \(number)"), "body": .string(body)], replacing: false)
      }
    }
    try copyWithoutCatalog(path, to: damaged, losingHeader: true)
    try makeStore(at: other, [Self.folderClass, Self.note])
    let report = try StoreSalvage(path: damaged, schemaFrom: other).run(to: saved)
    #expect(report.catalog == "otherStore")
    #expect(report.classes.map(\.kept) == [1, 300])
    #expect(report.classes.map(\.damaged) == [[], []])
    #expect(try StoreCheck(path: saved).run().findings.map(\.description) == [])
    #expect(try texts(saved) == texts(path))
  }

  @Test func `the only object of a store is found`() throws {
    try makeStore(at: path, [Self.folderClass, Self.note]) { session in
      _ = try session.table("Note").create(["text": "alone", "body": ""], replacing: false)
    }
    try copyWithoutCatalog(path, to: damaged, losingHeader: true)
    try makeStore(at: other, [Self.folderClass, Self.note])
    let report = try StoreSalvage(path: damaged, schemaFrom: other).run(to: saved)
    #expect(report.catalog == "otherStore")
    #expect(report.classes.map(\.kept) == [0, 1])
    #expect(try texts(saved) == texts(path))
  }

  @Test(arguments: [
    ("Formats/4.Zones.v7", "Zones.v7"), ("Formats/6.Zones.v7", "Zones.v7"),
    ("Zones.v7", "Formats/4.Zones.v7"), ("Zones.v7", "Formats/6.Zones.v7"),
  ])
  func `a file is salvaged with the catalog of a store of another format`(
    lost: String, given: String
  ) throws {
    try copyStore(sampleStores.appending(path: "\(lost).whimbrel").path, path)
    try copyWithoutCatalog(path, to: damaged, losingHeader: true)
    try copyStore(sampleStores.appending(path: "\(given).whimbrel").path, other)
    let report = try StoreSalvage(path: damaged, schemaFrom: other).run(to: saved)
    #expect(report.catalog == "otherStore")
    #expect(report.classes.map(\.kept).reduce(0, +) == 580)
    let diff = try StoreDiff(from: StoreInspector(path: path), to: StoreInspector(path: saved))
    let counts = try diff.classCounts()
    #expect(counts.map(\.name) == ["Country", "Region", "Zone"])
    #expect(counts.map(\.same) == [249, 9, 312])
    #expect(counts.allSatisfy { $0.different == 0 })
    #expect(try StoreCheck(path: saved).run().findings.map(\.description) == [])
  }
}
