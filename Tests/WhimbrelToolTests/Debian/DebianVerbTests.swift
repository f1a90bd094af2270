import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling
import WhimbrelTestSupport

/// Pruning, comparing and checking tens of thousands of real objects.
@Suite(.enabled(if: DebianStore.isAvailable, "\(DebianStore.reason)"))
struct DebianVerbTests {
  private let store: DebianStore
  private let folder: TestFolder

  init() throws {
    store = try DebianStore.shared()
    folder = try TestFolder()
  }

  /// A copy that is the test's own.
  private func copy(_ name: String = "copy.whimbrel") throws -> String {
    try FileManager.default.copyItem(atPath: store.path, toPath: folder.path(name))
    return folder.path(name)
  }

  @Test(arguments: [StorePruning.Links.depth(1), .cut])
  func `a pruned store shows every facet`(links: StorePruning.Links) throws {
    let path = folder.path("small.whimbrel")
    let inspector = try StoreInspector(path: store.path)
    _ = try StorePruning(.init(links: links)).run(inspector, into: .newFile(path))
    let small = try StoreInspector(path: path)
    let lost = try StoreFacets(inspector).facets
    #expect(Set(lost).subtracting(try StoreFacets(small).facets).filter { !$0.isRelative } == [])
    let counts = try small.description().classes.map(\.objects)
    #expect(counts.reduce(0, +) < store.packages / 2)
    #expect(try StoreCheck(path: path).run().findings == [])
  }

  @Test func `a healthy store is checked without findings`() throws {
    let report = try StoreCheck(path: store.path).run()
    #expect(report.findings == [] && report.unchecked == [])
  }

  @Test func `a store does not differ from its copy`() throws {
    let path = try copy()
    let diff = try StoreDiff(
      from: StoreInspector(path: store.path), to: StoreInspector(path: path))
    #expect(!diff.hasSchemaDifferences)
    #expect(try diff.classCounts().allSatisfy { $0.different == 0 })
  }

  @Test(arguments: [1, 17, 100])
  func `random edits are reported, and nothing else`(count: Int) throws {
    let path = try copy()
    var random = SeededGenerator(seed: UInt64(count))
    let edited = try edit(path, count, &random)
    let diff = try StoreDiff(
      from: StoreInspector(path: store.path), to: StoreInspector(path: path))
    var found: Set<String> = []
    for counts in try diff.classCounts() {
      #expect(counts.added == 0 && counts.removed == 0)
      try diff.forEachDifference(of: counts) { object in
        #expect(object.properties.map(\.property) == ["version"])
        guard case .string(let key)? = object.object.key else { return false }
        found.insert(key)
        return true
      }
    }
    #expect(found == edited, "seed \(count)")
  }

  /// Gives packages another version, and returns what they are called.
  private func edit(
    _ path: String, _ count: Int, _ random: inout SeededGenerator
  ) throws -> Set<String> {
    let session = try Session(StoreFile.attach(OpenRequest(path: path)))
    let table = try session.table("Package")
    let position = try table.resolved.requiredPosition(of: "version")
    let ids = try table.objectIDs().shuffled(using: &random).prefix(count)
    var names: Set<String> = []
    try session.write {
      for id in ids {
        names.insert(try table.objectName(id))
        try table.update(id) { try $0.set(position, .string("0~edited")) }
      }
    }
    return names
  }
}
