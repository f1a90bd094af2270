import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// A salvage said "Nothing was lost" about a store whose last commit it had missed, and brought back
/// deleted objects without a word.
struct SalvageTruthTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }
  private var saved: String { folder.path("saved.whimbrel") }

  private static let item = ClassSchema(
    name: "Item", properties: [PropertySchema(name: "text", type: .string)])

  init() throws { folder = try TestFolder() }

  private func salvage(_ bytes: Data) throws -> StoreSalvage.Report {
    let damaged = folder.path("damaged.whimbrel")
    try? FileManager.default.removeItem(atPath: saved)
    try bytes.write(to: URL(filePath: damaged))
    let report = try StoreSalvage(path: damaged).run(to: saved)
    #expect(try StoreCheck(path: saved).run().findings == [])
    return report
  }

  /// Makes a store with items of a number each, and runs `change` in another commit.
  private func make(_ count: Int, _ change: (ClassTable, [ObjectID]) throws -> Void) throws {
    try makeStore(at: path, [Self.item]) { session in
      let items = try session.table("Item")
      for number in 0..<count {
        _ = try items.create(
          ["text": .string(String(repeating: "item \(number) ", count: 12))], replacing: false)
      }
    }
    try makeStore(at: path, [Self.item]) { session in
      let items = try session.table("Item")
      try change(items, items.objectIDs())
    }
  }

  private func metaPages(_ bytes: Data) -> (newest: Int, older: Int) {
    func number(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
    return number(144) > number(4_096 + 144) ? (0, 4_096) : (4_096, 0)
  }

  @Test func `deleted objects that come back are counted apart`() throws {
    try make(400) { items, ids in for id in ids.prefix(150) { try items.remove(id) } }
    var bytes = try Data(contentsOf: URL(filePath: path))
    let whole = try salvage(bytes)
    #expect(whole.perhapsDeleted == 0)
    #expect(whole.isComplete)
    // Without the free list, pages of earlier commits cannot be told from pages in use. Without the
    // root of the table, other pages are searched.
    let used = UsedBytes(bytes)
    let root = try #require(used.roots.first { $0.key == "c1.g1" }).value
    for page in (used.pages["free"] ?? []).union([root]) {
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    }
    let report = try salvage(bytes)
    #expect(!report.knowsFreePages)
    #expect(report.perhapsDeleted >= 100)
    #expect(report.perhapsDeleted == report.classes.map(\.bySearch).reduce(0, +))
    #expect(!report.isComplete)
    #expect(
      report.text.contains(
        "\n\(report.perhapsDeleted) objects may have been deleted before, or have old values.\n"))
    #expect(report.text.hasSuffix("Not everything could be saved.\n"))
  }

  // The report said that all free pages were known, and counted no object that came back.
  @Test func `deleted objects that come back are counted apart if a part of the free list is lost`()
    throws
  {
    try makeStore(at: path, [Self.item]) { session in
      let items = try session.table("Item")
      for number in 0..<400 {
        let text = String(repeating: "item \(number) ", count: 600)
        _ = try items.create(["text": .string(text)], replacing: false)
      }
    }
    // So many pages become free at once that their numbers do not fit into a page of the list.
    try makeStore(at: path, [Self.item]) { session in
      let items = try session.table("Item")
      for id in try items.objectIDs().prefix(300) { try items.remove(id) }
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    #expect(try salvage(bytes).isComplete)
    let used = UsedBytes(bytes)
    let list = try #require(used.roots["free"])
    let long = try #require(used.pages["free"]).subtracting([list])
    #expect(!long.isEmpty)
    let root = try #require(used.roots.first { $0.key == "c1.g1" }).value
    for page in long.union([root]) {
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    }
    let report = try salvage(bytes)
    #expect(!report.knowsFreePages)
    let kept = report.classes.map(\.kept).reduce(0, +)
    #expect(kept > 100)
    #expect(report.perhapsDeleted >= kept - 100)
  }

  // The object had the new number and the old text, or a text with a part of each, and the report
  // counted none of them: "No loss was found".
  @Test(arguments: [true, false])
  func `old overflow in the place of lost overflow is counted apart`(isTableLost: Bool) throws {
    let large = ClassSchema(
      name: "Large",
      properties: [
        PropertySchema(name: "text", type: .string), PropertySchema(name: "version", type: .int),
      ])
    for version in 1...2 {
      let text = String(repeating: "\(version)", count: 150_000)
      try makeStore(at: path, [large]) { session in
        let table = try session.table("Large")
        guard let id = try table.objectIDs().first else {
          _ = try table.create(["text": .string(text), "version": .int(1)], replacing: false)
          return
        }
        try table.update(id) { encoder throws in
          try encoder.set(0, text)
          try encoder.set(1, .int(Int64(version)))
        }
      }
    }
    var bytes = try Data(contentsOf: URL(filePath: path))
    let used = UsedBytes(bytes)
    let root = try #require(used.roots.first { $0.key == "c1.g1.x" }).value
    let page = try isTableLost ? root : #require(used.pages["c1.g1.x"]?.subtracting([root]).min())
    bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    let damaged = folder.path("damaged.whimbrel")
    try bytes.write(to: URL(filePath: damaged))
    let report = try StoreSalvage(path: damaged, search: .allPages).run(to: saved)
    #expect(report.catalog == "metaPage")
    #expect(report.classes.map(\.kept) == [1])
    #expect(try dump(saved).contains("11111"))
    #expect(report.perhapsDeleted == 1)
    #expect(!report.text.contains("No loss was found"))
  }

  // The search of free pages met old entries of an object that has all of its own.
  @Test func `old overflow that no object refers to makes no object uncertain`() throws {
    for version in 1...2 {
      try make(version == 1 ? 20 : 0) { items, ids in
        for id in ids {
          let text = String(repeating: "\(version)", count: 200_000 / version)
          try items.update(id) { encoder throws in try encoder.set(0, text) }
        }
      }
    }
    let report = try StoreSalvage(path: path, search: .allPages).run(to: saved)
    #expect(report.classes.map(\.kept) == [20])
    #expect(report.perhapsDeleted == 0)
    #expect(report.isComplete)
  }

  // All objects had their old values, and the report counted none of them.
  @Test func `old values on pages that were moved are counted apart`() throws {
    try make(400) { items, ids in
      for id in ids { try items.update(id) { encoder throws in try encoder.set(0, "new") } }
    }
    let bytes = try Data(contentsOf: URL(filePath: path))
    var oldCount = 0
    // A page is inserted, and all pages after it stand one further.
    for page in 2..<bytes.count / 4_096 {
      let begin = page * 4_096
      let moved = bytes[..<begin] + Data(count: 4_096) + bytes[begin...]
      let report = try salvage(moved)
      let old = try dump(saved).split(separator: "\n").count { $0.contains(#""item "#) }
      oldCount += old
      #expect(!report.isComplete)
      // With the older meta page, the report says that changes may be missing.
      #expect(
        report.catalog != "metaPage" || old <= report.perhapsDeleted,
        "a page inserted at \(page)")
    }
    #expect(oldCount > 0)
  }

  @Test func `objects of a whole table do not come back`() throws {
    try make(400) { items, ids in for id in ids.prefix(150) { try items.remove(id) } }
    var bytes = try Data(contentsOf: URL(filePath: path))
    for page in UsedBytes(bytes).pages["free"] ?? [] {
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    }
    let report = try salvage(bytes)
    #expect(!report.isComplete)
    #expect(report.classes.map(\.kept) == [250])
    #expect(report.perhapsDeleted == 0)
  }

  @Test func `a changed transaction number is named, and the last commit is kept`() throws {
    try make(20) { items, ids in try items.remove(ids[0]) }
    // The bit that makes it the number of two commits ago is the second, in every other pair.
    var bytes = try Data(contentsOf: URL(filePath: path))
    while bytes[metaPages(bytes).newest + 144] & 2 == 0 {
      try makeStore(at: path, [Self.item]) { session in
        _ = try session.table("Item").create(["text": .string("one more")], replacing: false)
      }
      bytes = try Data(contentsOf: URL(filePath: path))
    }
    let expected = try StoreSalvage(path: path).run(to: folder.path("healthy.whimbrel"))
    #expect(expected.isComplete)
    bytes[metaPages(bytes).newest + 144] ^= 2
    let report = try salvage(bytes)
    #expect(report.classes.map(\.kept) == expected.classes.map(\.kept))
    #expect(report.metaFault?.contains("its free list belongs to transaction") == true)
    #expect(!report.isComplete)
    #expect(report.text.contains("The meta pages contradict each other: page "))
    #expect(report.text.contains("No loss was found, but the file is damaged: page "))
    #expect(!report.text.contains("Nothing was lost"))
  }

  @Test func `the use of an older commit is named`() throws {
    try make(20) { items, ids in try items.remove(ids[0]) }
    var bytes = try Data(contentsOf: URL(filePath: path))
    let newest = metaPages(bytes).newest
    bytes.replaceSubrange(newest..<newest + 4_096, with: Data(count: 4_096))
    let report = try salvage(bytes)
    #expect(report.catalog == "olderMetaPage")
    #expect(!report.isComplete)
    #expect(report.text.contains("The tables are from an older commit"))
  }

  @Test func `damage outside the objects is no loss, and no proof of none`() throws {
    try make(400) { _, _ in }
    var bytes = try Data(contentsOf: URL(filePath: path))
    let page = try #require(UsedBytes(bytes).entries.first { $0.table == "c1.g1" }?.pages.first)
    // The offset of the free space is used by writers only.
    bytes[page * 4_096 + 14] ^= 1
    let report = try salvage(bytes)
    #expect(report.classes.map(\.kept) == [400])
    #expect(report.structureFault?.hasPrefix("page \(page): ") == true)
    #expect(!report.isComplete)
    #expect(report.text.contains("No loss was found, but the file is damaged: page \(page): "))
  }

  // An earlier version of an object was refused because another object has one of its unique values
  // by now. It kept its other value, and the object that has this value now was lost.
  @Test(arguments: [("one", "two"), ("two", "one")])
  func `a version that is refused keeps no unique value from others`(
    free: String, taken: String
  ) throws {
    let pair = ClassSchema(
      name: "Pair",
      properties: [
        PropertySchema(name: free, type: .int), PropertySchema(name: taken, type: .int),
      ], indexes: [IndexSchema(["one"], .unique), IndexSchema(["two"], .unique)])
    var old: [UInt8] = []
    try makeStore(at: path, [pair]) { session in
      let pairs = try session.table("Pair")
      for values: (Int64, Int64) in [(1, 1), (3, 5), (7, 7)] {
        _ = try pairs.create([free: .int(values.0), taken: .int(values.1)], replacing: false)
      }
      old = try #require(try pairs.record(pairs.objectIDs()[1])).array
    }
    try makeStore(at: path, [pair]) { session in
      let pairs = try session.table("Pair")
      let ids = try pairs.objectIDs()
      for (number, values): (Int, (Int64, Int64)) in [(1, (8, 6)), (0, (2, 5)), (2, (3, 7))] {
        try pairs.update(ids[number]) { encoder throws in
          try encoder.set(0, .int(values.0))
          try encoder.set(1, .int(values.1))
        }
      }
    }
    // The second object gets its earlier version, as on a page that stands where another belongs.
    try makeStore(at: path, [pair]) { session in
      let pairs = try session.table("Pair")
      let id = try pairs.objectIDs()[1]
      try PageBytes.with(old) {
        _ = try session.requireWriting("damage").put(pairs.objects, id.rawValue, $0)
      }
    }
    let report = try StoreSalvage(path: path).run(to: saved)
    #expect(report.classes.map(\.kept) == [2])
    #expect(report.classes.map(\.lost) == [1])
    let session = try readOnlySession(saved)
    let pairs = try session.table("Pair")
    let kept = try pairs.objectIDs().map { id in
      try pairs.value(0, of: #require(try pairs.record(id)), id)
    }
    #expect(kept == [.int(2), .int(3)])
    #expect(try StoreCheck(path: saved).run().findings == [])
  }

  // The score of pages of the main table weighed an ID by its low bytes alone: a page that gave out
  // 255 as the next ID won over the one that gave out 256.
  @Test func `the newest page of the main table is taken, whatever its object IDs`() throws {
    try makeStore(at: path, [Self.item])
    for number in 1...258 {
      try makeStore(at: path, [Self.item]) { session in
        let id = try session.table("Item").create(["text": .string("\(number)")], replacing: false)
        #expect(id.rawValue == UInt64(number))
      }
      guard number >= 254 else { continue }
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes.replaceSubrange(0..<8_192, with: Data(count: 8_192))
      let report = try salvage(bytes)
      #expect(report.catalog == "search")
      #expect(report.classes.map(\.expected) == [number])
    }
  }
}

/// Two links led to one embedded object after a salvage: that of its owner, and that of an object
/// that had been deleted or changed before.
struct SalvageOwnerTests {
  @Test func `an embedded object keeps one owner`() throws {
    let folder = try TestFolder()
    let (path, saved) = (folder.path("a.whimbrel"), folder.path("saved.whimbrel"))
    let person = ClassSchema(
      name: "Person",
      properties: [
        PropertySchema(name: "name", type: .string),
        PropertySchema(name: "home", type: .link(to: "Address")),
      ])
    let address = ClassSchema(
      name: "Address", isEmbedded: true,
      properties: [PropertySchema(name: "street", type: .string)])
    let classes = [person, address]
    var part = ObjectID(rawValue: 0)
    try makeStore(at: path, classes) { session in
      part = try session.table("Address").create(["street": .string("Main")], replacing: false)
      _ = try session.table("Person").create(
        ["name": .string("first"), "home": .link(part)], replacing: false)
      _ = try session.table("Person").create(
        ["name": .string("other"), "home": .null], replacing: false)
    }
    // The record of the first person for the other one too, as an earlier version of it may be.
    try makeStore(at: path, classes) { session in
      let people = try session.table("Person")
      let ids = try people.objectIDs()
      var record = try #require(try people.record(ids[0])).array
      let checksum = PageBytes.with(record) {
        Checksum.record(
          $0, hole: RecordLayout.checksumOffset, seed: people.resolved.checksumSeed(ids[1]))
      }
      for byte in 0..<4 {
        record[RecordLayout.checksumOffset + byte] = UInt8(
          truncatingIfNeeded: checksum >> UInt32(8 * byte))
      }
      try PageBytes.with(record) {
        _ = try session.requireWriting("damage").put(people.objects, ids[1].rawValue, $0)
      }
    }
    let report = try StoreSalvage(path: path).run(to: saved)
    #expect(report.classes.map(\.lostLinks) == [0, 1])
    #expect(!report.isComplete)
    let session = try readOnlySession(saved)
    let people = try session.table("Person")
    let homes = try people.objectIDs().map { id in
      try people.value(1, of: #require(try people.record(id)), id)
    }
    #expect(homes.count { $0 == .link(part) } == 1)
    #expect(try StoreCheck(path: saved).run().findings == [])
  }
}
