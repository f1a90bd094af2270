import Foundation
import Synchronization
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

struct StoreCompactionTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// Compacts a store, and expects the same objects, and that it cannot be done better.
  @discardableResult
  private func expectSame(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> StoreCompaction.Summary {
    let (path, small) = (folder.path(name), folder.path("small.whimbrel"))
    let before = try dump(path)
    let summary = try StoreCompaction(of: StoreInspector(path: path)).run(to: .newFile(small))
    #expect(try dump(small) == before, sourceLocation: sourceLocation)
    #expect(try StoreCheck(path: small).run().isSound, sourceLocation: sourceLocation)
    _ = try StoreCompaction(of: StoreInspector(path: small)).run(
      to: .newFile(folder.path("again.whimbrel")))
    #expect(
      folder.contents("again.whimbrel") == folder.contents("small.whimbrel"),
      sourceLocation: sourceLocation)
    #expect(
      try folder.names().filter { $0.contains(".new") } == [], sourceLocation: sourceLocation)
    #expect(summary.after.freePages == 0, sourceLocation: sourceLocation)
    return summary
  }

  @Test(arguments: CheckedStores.samples)
  func `a sample store has the same objects when compacted`(name: String) throws {
    try FileManager.default.copyItem(
      atPath: sampleStores.appending(path: name).path, toPath: folder.path("a.whimbrel"))
    let summary = try expectSame("a.whimbrel")
    #expect(summary.after.bytes < summary.before.bytes)
  }

  @Test(arguments: seeds(6, long: 40))
  func `a random store has the same objects when compacted`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    try expectSame("a.whimbrel")
  }

  @Test func `a worn store is smaller, and can be written again`() throws {
    try CheckedStores.makeWorn(at: folder.path("a.whimbrel"), seed: 3, objects: 600)
    try makeStore(at: folder.path("a.whimbrel"), CheckedStores.classes) { session in
      let table = try session.table("Note")
      for id in try table.objectIDs() where id.rawValue % 3 != 0 { try table.remove(id) }
    }
    let summary = try expectSame("a.whimbrel")
    #expect(summary.after.bytes * 2 < summary.before.bytes)
    #expect(summary.after.fill > summary.before.fill)
    var random = SeededGenerator(seed: 4)
    for round in 20..<24 {
      try makeStore(at: folder.path("small.whimbrel"), CheckedStores.classes) { session in
        try CheckedStores.wear(session, round: round, objects: 40, &random)
      }
      #expect(try StoreCheck(path: folder.path("small.whimbrel")).run().isSound)
    }
  }

  @Test func `trees of several levels are packed`() throws {
    // Long keys, so that branch pages have few children.
    let word = ClassSchema(
      name: "Word", properties: [PropertySchema(name: "text", type: .string, isPrimaryKey: true)])
    for count in [1, 9, 10, 11, 100, 101, 1_000, 1_003, 1_234] {
      let name = "\(count).whimbrel"
      try makeStore(at: folder.path(name), [word]) { session in
        let table = try session.table("Word")
        for number in 0..<count {
          let text = String(repeating: "w", count: 390) + String(10_000 + number)
          _ = try table.create(["text": .string(text)], replacing: false)
        }
      }
      let packed = folder.path("packed \(count)")
      _ = try StoreCompaction(of: StoreInspector(path: folder.path(name))).run(to: .newFile(packed))
      #expect(try dump(packed) == dump(folder.path(name)), "\(count)")
      #expect(try StoreCheck(path: packed).run().isSound, "\(count)")
    }
  }

  // The error was that the new store is damaged, which nobody has ever seen.
  @Test func `a damaged store is said to be damaged, and not the new one`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    var bytes = try Data(contentsOf: URL(filePath: path))
    // A text that is not in an index: the order of pages stays right.
    let place = try #require(bytes.range(of: Data(#"a "b""#.utf8)))
    bytes[place.lowerBound] = UInt8(ascii: "x")
    try bytes.write(to: URL(filePath: path))
    let error = #expect(throws: InspectionError.self) {
      try StoreCompaction(of: StoreInspector(path: path)).run(
        to: .newFile(folder.path("small.whimbrel")))
    }
    #expect(error?.code == .copyNotSound)
    #expect(error?.message.contains("a.whimbrel': it is damaged (") == true)
    #expect(error?.recovery.contains("whimbrel salvage") == true)
    #expect(try !folder.names().contains("small.whimbrel"))
  }

  /// A power loss could take the name away again.
  @Test func `the name of a compacted store is on the disk`() throws {
    try Sample.make(at: folder.path("a.whimbrel"))
    let small = folder.path("small.whimbrel")
    let steps = Mutex<[FileStep]>([])
    FileStepProbe.arm(small) { step in steps.withLock { $0.append(step) } }
    defer { FileStepProbe.disarm(small) }
    _ = try StoreCompaction(of: StoreInspector(path: folder.path("a.whimbrel"))).run(
      to: .newFile(small))
    #expect(steps.withLock { $0 } == [.copyWhole, .copyNamed])
  }

  /// During the check of the new store, the error named the temporary file.
  @Test func `a compaction that is cancelled names the store at any moment`() throws {
    try Sample.make(at: folder.path("a.whimbrel"))
    let path = folder.path("a.whimbrel")
    var moments = 0
    while true {
      moments += 1
      var calls = 0
      let monitor = WorkMonitor(isCancelled: {
        calls += 1
        return calls == moments
      })
      do {
        _ = try StoreCompaction(of: StoreInspector(path: path)).run(
          to: .newFile(folder.path("b.whimbrel")), monitor: monitor)
        break
      } catch let error as InspectionError {
        #expect(error.message == "Could not compact the store '\(path)': it was cancelled.")
      }
    }
    #expect(moments > 2)
  }

  @Test func `a store is compacted in its place`() throws {
    try CheckedStores.makeWorn(at: folder.path("a.whimbrel"), seed: 5, objects: 120)
    let before = try dump(folder.path("a.whimbrel"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    let summary = try StoreCompaction(of: inspector).run(to: .inPlace)
    #expect(summary.after.bytes < summary.before.bytes)
    #expect(folder.contents("a.whimbrel")?.count == summary.after.bytes)
    #expect(try dump(folder.path("a.whimbrel")) == before)
    #expect(try folder.names().filter { !$0.hasSuffix("-lock") } == ["a.whimbrel"])
  }
}
