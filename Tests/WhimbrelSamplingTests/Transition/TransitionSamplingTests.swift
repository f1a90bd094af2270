import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct TransitionSamplingTests {
  private let folder: TestFolder
  private var path: String { folder.path("readings.whimbrel") }
  private var small: String { folder.path("small.whimbrel") }

  init() throws {
    folder = try TestFolder()
    try TransitionSample.make(at: folder.path("readings.whimbrel"))
  }

  @Test(arguments: [StorePruning.Links.follow, .cut])
  func `prune keeps the transition, and objects in each shape`(_ links: StorePruning.Links) throws {
    let options = StorePruning.Options(links: links, allowedLosses: [])
    _ = try StorePruning(options).run(StoreInspector(path: path), into: .newFile(small))
    #expect(try StoreCheck(path: small).run().isSound)
    let left = try StoreInspector(path: small).unconvertedObjects().map(\.count)
    #expect(left.first ?? 0 > 0)
    let (all, kept) = (try TransitionSample.finish(path), try TransitionSample.finish(small))
    for (key, values) in kept {
      #expect(values["calibrated"] == all[key]?["calibrated"])
      #expect(values["label"] == all[key]?["label"])
      #expect(values["note"] == all[key]?["note"])
    }
    #expect(try StoreOverview(path: small).description().transition == nil)
  }

  @Test func `prune does not drop a property of a class in transition`() throws {
    let options = StorePruning.Options(drop: ["Reading.note"])
    expectError(.badArgument) {
      try StorePruning(options).run(StoreInspector(path: path), into: .newFile(small))
    }
  }

  @Test func `prune does not keep objects by what some do not have yet`() throws {
    let keep = [try ObjectSelection("Reading where calibrated > 1")]
    expectError(.notConverted) {
      try StorePruning(StorePruning.Options(keep: keep))
        .run(StoreInspector(path: path), into: .newFile(small))
    }
  }

  @Test func `anonymize refuses a store in transition`() throws {
    expectError(.notConverted) {
      try StoreAnonymization(StoreInspector(path: path), key: .random()).write(to: .newFile(small))
    }
    #expect(try folder.names().contains("small.whimbrel") == false)
  }
}
