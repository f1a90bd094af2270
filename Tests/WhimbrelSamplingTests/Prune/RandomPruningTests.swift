import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct RandomPruningTests {
  @Test(arguments: seeds(12, long: 200))
  func `pruning keeps every facet of any store`(seed: UInt64) throws {
    let folder = try TestFolder()
    var maker = RandomStoreMaker(seed: seed)
    let path = folder.path("a.whimbrel")
    try maker.make(at: path)
    let before = try StoreFacets(StoreInspector(path: path))
    let lines = Set(try dump(path).split(separator: "\n"))
    for links in [.follow, .cut, .depth(1)] as [StorePruning.Links] {
      let small = folder.path("\(links).whimbrel")
      let options = StorePruning.Options(perClass: 2, links: links)
      let report = try StorePruning(options).run(
        StoreInspector(path: path), into: .newFile(small))
      #expect(before.lost(in: try StoreFacets(StoreInspector(path: small))) == [])
      #expect(report.lost == [])
      #expect(try integrityFindings(small) == [])
      let kept = try dump(small).split(separator: "\n").dropFirst()
      #expect(kept.count == report.keptObjects)
      if links == .follow { #expect(kept.allSatisfy(lines.contains)) }
      let again = folder.path("again \(links).whimbrel")
      _ = try StorePruning(options).run(StoreInspector(path: path), into: .newFile(again))
      #expect(
        FileManager.default.contents(atPath: small) == FileManager.default.contents(atPath: again))
    }
  }
}
