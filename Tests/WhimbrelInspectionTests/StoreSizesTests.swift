import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct StoreSizesTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }

  init() throws { folder = try TestFolder() }

  /// The sizes, which an inspector and an overview find alike.
  private func sizes() throws -> StoreSizes {
    let sizes = try StoreSizes(of: StoreInspector(path: path))
    #expect(try StoreSizes(of: StoreOverview(path: path)) == sizes)
    let description = try StoreInspector(path: path).description()
    #expect(sizes.classes.map(\.bytes) == description.classes.map(\.bytes))
    #expect(
      sizes.classes.reduce(sizes.other) { $0 + $1.bytes }
        == description.usedPages * description.pageSize)
    #expect(try JSONDecoder().decode(StoreSizes.self, from: sizes.json()) == sizes)
    return sizes
  }

  @Test func `bytes are those of records, overflow, links and indexes`() throws {
    try makeStore(at: path, CheckedStores.classes) { session in
      let part = try session.table("Part").create(["size": .double(1)], replacing: false)
      _ = try session.table("Note").create(
        [
          "number": 1, "text": "a", "body": .string(String(repeating: "x", count: 50_000)),
          "part": .link(part),
        ], replacing: false)
    }
    let sizes = try sizes()
    #expect(sizes.classes.map(\.name) == ["Keyed", "Note", "Part"])
    let note = sizes.classes[1]
    #expect(note.objects == 1 && note.records == 4_096 && note.overflow > 50_000)
    #expect(note.links == 4_096)
    #expect(
      note.indexes.map { "\($0.name) \($0.kind) \($0.bytes)" } == [
        "number ordered 4096", "text ordered 4096", "number unique 4096", "text fullText 4096",
      ])
    #expect(sizes.classes[0].indexes.map(\.kind) == ["primaryKey"])
    #expect(sizes.other > 0)
  }

  @Test func `a store without objects, and one in a transition, have sizes`() throws {
    try makeStore(at: path, [])
    #expect(try sizes().classes == [])
    try FileManager.default.removeItem(atPath: path)
    try TransitionSample.make(at: path)
    #expect(try sizes().classes.map(\.objects) == [6, 2])
  }

  @Test func `the text has a line for each class and each index`() throws {
    try Sample.make(at: path)
    let sizes = try sizes()
    let lines = sizes.text.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines == [
        "bytes of objects records overflow links indexes all", "Country 1 4096 0 0 4096 8192",
        "Zone 2 4096 0 4096 8192 16384", "all else \(sizes.other)",
        "free pages \(sizes.freePages * 4_096)", "index kind bytes",
        "Country.code primaryKey 4096", "Zone.identifier primaryKey 4096",
        "Zone.area ordered 4096",
      ])
  }
}
