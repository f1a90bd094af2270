import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct DamagedLookTests {
  let folder: TestFolder
  private let original: Data

  init() throws {
    folder = try TestFolder()
    try EveryType.make(at: folder.path("a.whimbrel"))
    original = try #require(folder.contents("a.whimbrel"))
  }

  /// Whatever is wrong is an error of the store, and never the end of the process.
  @Test(arguments: seeds(75, long: 1_500))
  func `a store with changed bytes is looked into or refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var data = original
    // Most of the bytes that are not zero say where others are.
    let places = data.indices.filter { data[$0] != 0 }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = try #require(places.randomElement(using: &random))
      data[place] = .random(in: 0...255, using: &random)
    }
    let path = folder.path("b.whimbrel")
    try data.write(to: URL(filePath: path))
    do {
      let inspector = try StoreInspector(path: path)
      for entry in try inspector.classList().classes {
        try? look(into: entry.name, inspector)
        _ = try inspector.view(of: "id:1", class: entry.name, depth: 3).text()
      }
    } catch is StoreError {
    } catch let error as InspectionError {
      #expect(error.code == .noSuchObject)
    }
    #expect(folder.contents("b.whimbrel") == data)
  }

  private func look(into className: String, _ inspector: StoreInspector) throws {
    let table = try ObjectTable(ObjectSelection(className: className), of: inspector)
    _ = try table.writeText { text in #expect(!text.contains("\u{1B}")) }
    try table.writeCSV { _ in }
    try table.writeJSONLines { _ in }
  }
}
