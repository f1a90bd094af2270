import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

struct HealthyStoreTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }

  init() throws { folder = try TestFolder() }

  /// Expects that a check finds nothing, and returns its notes.
  @discardableResult
  private func expectSound(
    _ path: String, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let report = try StoreCheck(path: path).run()
    #expect(report.findings == [], comment, sourceLocation: sourceLocation)
    #expect(report.isSound, comment, sourceLocation: sourceLocation)
    #expect(try StoreCheck(path: path, depth: .quick).run().isSound, sourceLocation: sourceLocation)
    return report.notes
  }

  @Test(arguments: CheckedStores.samples)
  func `sample stores are sound`(name: String) throws {
    try FileManager.default.copyItem(
      atPath: sampleStores.appending(path: name).path, toPath: path)
    #expect(try expectSound(path) == [])
    _ = try StoreCompaction(of: StoreInspector(path: path)).run(
      to: .newFile(folder.path("b.whimbrel")))
    #expect(try expectSound(folder.path("b.whimbrel")) == [])
  }

  @Test(arguments: seeds(8, long: 60))
  func `random stores are sound`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: path)
    #expect(try expectSound(path, "seed \(seed)") == [])
  }

  @Test(arguments: seeds(3, long: 20))
  func `stores are sound after every commit`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<8 {
      try makeStore(at: path, CheckedStores.classes) { session in
        try CheckedStores.wear(session, round: round, objects: 30, &random)
        if round == 5 { try session.table("Note").removeAll() }
      }
      #expect(try expectSound(path, "seed \(seed), round \(round)") == [])
    }
  }

  @Test func `an empty store is sound`() throws {
    try makeStore(at: path, [])
    try expectSound(path)
    try makeStore(at: folder.path("b.whimbrel"), CheckedStores.classes)
    try expectSound(folder.path("b.whimbrel"))
  }

  @Test func `a store is sound while it is read and written`() throws {
    try CheckedStores.makeWorn(at: path, seed: 1, objects: 60)
    var request = OpenRequest(path: path)
    request.declaration = Declaration(StoreSchema(classes: CheckedStores.classes))
    request.schemaVersion = 1
    let session = try Session(StoreFile.open(request))
    let reader = try readOnlySession(path)
    let isDone = DispatchSemaphore(value: 0)
    let (checked, path) = (DispatchSemaphore(value: 0), path)
    Thread.detachNewThread {
      while isDone.wait(timeout: .now()) == .timedOut {
        let report = try? StoreCheck(path: path).run()
        if report?.isSound != true { Issue.record("\(String(describing: report))") }
      }
      checked.signal()
    }
    var random = SeededGenerator(seed: 2)
    for round in 10..<22 {
      try session.write {
        try CheckedStores.wear(session, round: round, objects: 20, &random)
      }
    }
    isDone.signal()
    checked.wait()
    #expect(try reader.table("Note").count() > 0)
  }

  @Test func `what an interrupted migration left is a note`() throws {
    try Sample.make(at: path)
    let file = try StoreFile.attach(OpenRequest(path: path))
    var entry = try file.currentCatalog().catalog.classes[1]
    entry.generation = Generation(rawValue: 7)
    let names = [
      TableNames.objects(entry), TableNames.lookup(entry, PropertyID(rawValue: 1)),
      TableNames.owned(entry), TableNames.released(entry),
    ]
    let tables = try file.environment.createTables(names)
    let table = try #require(tables[names[0].name])
    try file.environment.write { view throws(LMDBError) in
      _ = try view.put(table, [1, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3])
      try MigrationMark.set(in: view, isCleaning: false)
    }
    #expect(
      try expectSound(path) == [
        "the table 'c2.g7' does not belong to a class: an interrupted migration left it",
        "the table 'c2.g7.lookup1' does not belong to a class: an interrupted migration left it",
        "the table 'c2.g7.owned' does not belong to a class: an interrupted migration left it",
        "the table 'c2.g7.released' does not belong to a class: an interrupted migration left it",
        "a migration is under way, or was interrupted: the next opening cleans up after it",
      ])
  }

  @Test func `a store whose migration can be undone is sound`() throws {
    try Sample.make(at: path)
    let zone = ClassSchema(
      name: "Zone",
      properties: Sample.zone.properties.map { property in
        property.name == "latitude" ? PropertySchema(name: "latitude", type: .string) : property
      })
    var request = OpenRequest(path: path)
    request.declaration = Declaration(StoreSchema(classes: [Sample.country, zone]))
    request.schemaVersion = 5
    request.migration.keepsPreviousGeneration = true
    request.migration.block = { _, _ in }
    _ = try StoreFile.open(request)
    #expect(
      try expectSound(path).contains(
        "the objects from before the last migration are kept, so that it can be undone"))
  }
}
