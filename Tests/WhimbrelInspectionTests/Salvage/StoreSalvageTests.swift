import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

struct StoreSalvageTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }
  private var saved: String { folder.path("saved.whimbrel") }

  init() throws { folder = try TestFolder() }

  /// The objects whose pages are not among those touched, with the pages of what does not fit into
  /// their records: the oracle of these tests. Embedded ones depend on others and are left out.
  private func survivors(_ used: UsedBytes, _ touched: Set<Int>) -> [String: Set<UInt64>] {
    func id(_ key: [UInt8]) -> UInt64 {
      key.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    }
    var lost: [String: Set<UInt64>] = [:]
    for entry in used.entries where entry.table.hasSuffix(".x") {
      if !entry.pages.isDisjoint(with: touched) {
        lost[String(entry.table.dropLast(2)), default: []].insert(id(entry.key).byteSwapped)
      }
    }
    var found: [String: Set<UInt64>] = [:]
    for entry in used.entries where entry.table.split(separator: ".").count == 2 {
      guard entry.key.count == 8, entry.table.hasPrefix("c"),
        entry.pages.isDisjoint(with: touched)
      else { continue }
      if lost[entry.table]?.contains(id(entry.key)) == true { continue }
      found[entry.table, default: []].insert(id(entry.key))
    }
    return found
  }

  /// Salvages damaged bytes, and expects every survivor in a store that passes its check.
  @discardableResult
  private func expectSurvivors(
    _ damaged: Data, _ used: UsedBytes, touched: Set<Int>, schemaFrom healthy: String,
    _ comment: Comment
  ) throws -> StoreSalvage.Report? {
    let damagedPath = folder.path("damaged.whimbrel")
    try? FileManager.default.removeItem(atPath: saved)
    try damaged.write(to: URL(filePath: damagedPath))
    let expected = survivors(used, touched)
    let report: StoreSalvage.Report
    do {
      report = try StoreSalvage(path: damagedPath, schemaFrom: healthy).run(to: saved)
    } catch InspectionError.Code.nothingToSalvage {
      #expect(expected.values.reduce(0) { $0 + $1.count } == 0, comment)
      return nil
    }
    #expect(try StoreCheck(path: saved).run().findings == [], comment)
    let before = try readOnlySession(healthy)
    let after = try readOnlySession(saved)
    for table in after.classes where !table.resolved.isEmbedded {
      let entry = table.resolved.entry
      let name = TableNames.objects(entry).name
      let found = Set(try table.objectIDs().map(\.rawValue))
      let lacking = (expected[name] ?? []).subtracting(found)
      #expect(lacking == [], "\(comment), class \(table.name)")
      // Where free pages are known, objects are as they were.
      guard report.knowsFreePages, table.resolved.links.isEmpty, table.resolved.openLinks.isEmpty
      else { continue }
      let old = try before.table(table.name)
      for id in expected[name] ?? [] {
        let id = ObjectID(rawValue: id)
        #expect(try table.record(id)?.array == old.record(id)?.array, "\(comment), \(id)")
      }
    }
    return report
  }

  @Test(.takesLong, arguments: CheckedStores.damaged)
  func `everything whose pages are whole is saved`(store: String) throws {
    try CheckedStores.make(store, at: path)
    let healthy = try Data(contentsOf: URL(filePath: path))
    let used = UsedBytes(healthy)
    let seed = UInt64(store.utf8.reduce(3) { $0 * 31 % 1_000_003 + Int($1) })
    var random = SeededGenerator(seed: seed)
    let size = used.pageSize
    let count = healthy.count / size
    for number in 0..<TestRun.count(10, long: 80) {
      var damaged = healthy
      var touched: Set<Int> = []
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let page = Int.random(in: 0..<count, using: &random)
        touched.insert(page)
        let range = page * size..<(page + 1) * size
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged.replaceSubrange(range, with: Data(count: size))
        case 1:
          damaged.replaceSubrange(
            range, with: (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        default:
          for _ in 0..<4 {
            damaged[range.randomElement(using: &random) ?? 0] ^=
              .random(in: 1...255, using: &random)
          }
        }
      }
      try expectSurvivors(
        damaged, used, touched: touched, schemaFrom: path,
        "pages \(touched.sorted()), damage \(number) of seed \(seed)")
    }
  }

  @Test(.takesLong, arguments: ["Zones.v4.whimbrel", "Formats/1.Zones.v3.whimbrel", "worn 1"])
  func `objects are saved although what matters most is destroyed`(store: String) throws {
    try CheckedStores.make(store, at: path)
    let healthy = try Data(contentsOf: URL(filePath: path))
    let used = UsedBytes(healthy)
    let count = healthy.count / used.pageSize
    let catalog = used.entries.filter { $0.table == "" }.map(\.pages).reduce(Set()) { $0.union($1) }
    let root = try #require(used.roots.first { $0.key.hasSuffix(".g1") && $0.key.hasPrefix("c1") })
    let kinds: [(String, Set<Int>)] = [
      ("both meta pages", [0, 1]), ("the newest meta page", [used.metaPage]),
      ("the catalog", catalog), ("the root of a table", [root.value]),
      ("meta pages and catalog", catalog.union([0, 1])),
      ("the second half", Set(count / 2..<count)),
      ("the free list", used.pages["free"] ?? []),
    ]
    for (name, pages) in kinds {
      var damaged = healthy
      if name == "the second half" {
        damaged = damaged.prefix(count / 2 * used.pageSize)
      } else {
        for page in pages {
          let range = page * used.pageSize..<(page + 1) * used.pageSize
          damaged.replaceSubrange(range, with: Data(count: used.pageSize))
        }
      }
      let report = try expectSurvivors(
        damaged, used, touched: pages, schemaFrom: path, "\(name) of \(store)")
      if name == "the catalog" { #expect(report?.catalog != "metaPage") }
    }
  }

  @Test(arguments: CheckedStores.samples)
  func `nothing is lost of a healthy store`(name: String) throws {
    try FileManager.default.copyItem(atPath: sampleStores.appending(path: name).path, toPath: path)
    let report = try StoreSalvage(path: path).run(to: saved)
    #expect(report.isComplete)
    #expect(report.classes.map(\.bySearch).allSatisfy { $0 == 0 })
    #expect(try dump(saved) == dump(path))
  }

  @Test func `embedded objects go with their owners, and links to lost objects are nil`() throws {
    try CheckedStores.makeWorn(at: path, seed: 6)
    var damaged = try Data(contentsOf: URL(filePath: path))
    let used = UsedBytes(damaged)
    let notes = used.entries.filter { $0.table == "c2.g1" }
    let page = try #require(notes[notes.count / 2].pages.first)
    damaged.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    let report = try #require(
      try expectSurvivors(damaged, used, touched: [page], schemaFrom: path, "a page of notes"))
    let classes = Dictionary(uniqueKeysWithValues: report.classes.map { ($0.name, $0) })
    let lost = try #require(classes["Note"]?.lost)
    #expect(lost > 0)
    #expect(classes["Part"]?.orphans == lost)
    #expect((classes["Keyed"]?.lostLinks ?? 0) > 0)
    #expect(!report.isComplete)
  }

  @Test func `files that are none of a store are errors`() throws {
    for bytes in [Data(), Data(count: 10), Data(count: 100_000), Data("whimbrel".utf8)] {
      try bytes.write(to: URL(filePath: path))
      #expect(throws: (any Error).self) { try StoreSalvage(path: path).run(to: saved) }
      #expect(try folder.names() == ["a.whimbrel"])
    }
  }

  // The search for a catalog was never cancelled, and that for objects only at a page that holds some
  // and has a multiple of 4096 as its number.
  @Test func `a search of pages without objects can be cancelled`() throws {
    try Data().write(to: URL(filePath: path))
    // The file has no blocks on the disk.
    try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 8_192 * 4_096)
    let monitor = WorkMonitor(isCancelled: { true })
    expectError(.cancelled) { try StoreSalvage(path: path).run(to: saved, monitor: monitor) }
    #expect(try folder.names() == ["a.whimbrel"])
  }
}
