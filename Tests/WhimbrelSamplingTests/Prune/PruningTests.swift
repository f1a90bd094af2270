import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct PruningTests {
  let folder: TestFolder
  let path: String

  init() throws {
    folder = try TestFolder()
    path = try folder.copySampleStore("Zones.v4")
  }

  @discardableResult
  private func prune(
    _ options: StorePruning.Options, to name: String = "small.whimbrel"
  ) throws -> PruningReport {
    try StorePruning(options).run(
      StoreInspector(path: path), into: .newFile(folder.path(name)))
  }

  private func counts(_ name: String = "small.whimbrel") throws -> [String: Int] {
    try StoreFacets(StoreInspector(path: folder.path(name))).objectCounts
  }

  @Test func `the small store shows every facet, with lines of the large one`() throws {
    let report = try prune(.init())
    let small = folder.path("small.whimbrel")
    let before = try StoreFacets(StoreInspector(path: path))
    #expect(before.lost(in: try StoreFacets(StoreInspector(path: small))) == [])
    #expect(report.lost == [])
    #expect(report.keptObjects < 40)
    let lines = Set(try dump(path).split(separator: "\n"))
    #expect(try dump(small).split(separator: "\n").dropFirst().allSatisfy(lines.contains))
    #expect(try integrityFindings(small) == [])
  }

  @Test func `a selection to keep that selects nothing is named`() throws {
    let some = try ObjectSelection("Country")
    let none = try ObjectSelection("Zone where identifier == 'Atlantis'")
    let report = try prune(.init(keep: [some, none]))
    #expect(report.emptySelections == [none])
    #expect(
      report.text.hasSuffix("\n'--keep' selects no object of 'Zone': identifier == 'Atlantis'\n"))
    #expect(try prune(.init(keep: [some]), to: "other.whimbrel").emptySelections == [])
  }

  @Test func `the same store gives the same bytes`() throws {
    for options in [.init(), .init(perClass: 20, links: .cut)] as [StorePruning.Options] {
      try prune(options, to: "a.whimbrel")
      try prune(options, to: "b.whimbrel")
      #expect(folder.contents("a.whimbrel") == folder.contents("b.whimbrel"))
      try FileManager.default.removeItem(atPath: folder.path("a.whimbrel"))
      try FileManager.default.removeItem(atPath: folder.path("b.whimbrel"))
    }
  }

  @Test func `pruning what was pruned keeps it`() throws {
    let first = try prune(.init())
    let again = try StorePruning().run(
      StoreInspector(path: folder.path("small.whimbrel")),
      into: .newFile(folder.path("again.whimbrel")))
    #expect(again.keptObjects <= first.keptObjects)
    #expect(again.classes.map(\.facets) == first.classes.map(\.keptFacets))
  }

  @Test func `so many objects of each class are spread over their IDs`() throws {
    try prune(.init(perClass: 100))
    let small = try readOnlySession(folder.path("small.whimbrel"))
    let ids = try small.table("Zone").objectIDs().map(\.rawValue)
    #expect(ids.count >= 100)
    #expect(ids.count < 130)
    #expect(zip(ids, ids.dropFirst()).allSatisfy { $1 - $0 <= 4 })
    #expect(ids.first == 1)
    #expect(ids.last == 312)
    try prune(.init(perClass: .max), to: "all.whimbrel")
    #expect(try counts("all.whimbrel") == ["Country": 249, "Zone": 312])
  }

  @Test func `selections are kept whatever they show`() throws {
    let keep = try ObjectSelection("Zone where identifier BEGINSWITH 'Asia/'")
    try prune(.init(keep: [keep]))
    let small = try readOnlySession(folder.path("small.whimbrel"))
    let large = try readOnlySession(path)
    let ids = try keep.prepared(in: large).objectIDs()
    #expect(ids.count > 50)
    #expect(try keep.prepared(in: small).objectIDs() == ids)
  }

  @Test func `a property that is dropped is not there, and what it shows is not asked for`() throws
  {
    let report = try prune(.init(drop: ["Zone.country", "Zone.area"]))
    let inspector = try StoreInspector(path: folder.path("small.whimbrel"))
    let zone = try #require(inspector.schema.classes.last)
    #expect(
      zone.properties.map(\.name)
        == ["identifier", "countryCodes", "latitude", "longitude", "comments", "isPopular"])
    #expect(report.lost == [])
    #expect(try integrityFindings(folder.path("small.whimbrel")) == [])
  }

  @Test func `pruning in place leaves only the small store`() throws {
    let inspector = try StoreInspector(path: path)
    let report = try StorePruning(.init(links: .depth(1))).run(inspector, into: .inPlace)
    #expect(try StoreFacets(inspector).objectCounts == ["Country": 15, "Zone": 16])
    #expect(report.keptObjects == 31)
    #expect(try folder.names().filter { !$0.hasSuffix("-lock") } == ["Zones.v4.whimbrel"])
  }

  @Test func `a plan is what is done`() throws {
    let options = StorePruning.Options(perClass: 7, links: .cut)
    let plan = try StorePruning(options).plan(StoreInspector(path: path))
    let report = try prune(options)
    #expect(plan.classes == report.classes)
    #expect(plan.facets == report.facets)
    #expect(plan.keptBytes == nil)
    #expect(report.keptBytes == folder.contents("small.whimbrel")?.count)
  }

  @Test func `fewer objects are kept until the file fits`() throws {
    let all = try #require(try prune(.init(perClass: 200), to: "all.whimbrel").keptBytes)
    let limit = all - 20_000
    let report = try prune(.init(perClass: 200, byteLimit: limit))
    #expect(try #require(report.keptBytes) <= limit)
    #expect((1..<200).contains(report.perClass))
    #expect(
      report.text.contains("The limit left room for only \(report.perClass) objects of each class"))
    #expect(report.lost == [])
  }

  @Test func `what cannot fit is refused, and nothing is written`() throws {
    let error = try #require(throws: InspectionError.self) {
      try prune(.init(perClass: 3, byteLimit: 20_000))
    }
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("31 objects that are needed take"))
    #expect(error.message.contains("would exceed 20000; the largest is object"))
    #expect(try folder.names() == ["Zones.v4.whimbrel"])
  }

  @Test func `options that name nothing are errors`() throws {
    func failure(_ options: StorePruning.Options) -> String {
      do { try prune(options) } catch { return "\(error)" }
      return ""
    }
    #expect(failure(.init(drop: ["Zone"])).contains("it does not name a property of a class"))
    #expect(failure(.init(drop: ["Zone.identifier"])).contains("a primary key cannot be dropped"))
    #expect(failure(.init(drop: ["Zone.komments"])).contains("comments"))
    #expect(failure(.init(drop: ["Zon.x"])).contains("Zone"))
    #expect(
      failure(.init(allowedLosses: ["Zone.country: linkd"])).contains(
        "Did you mean 'Zone.country: linked'?"))
    #expect(try folder.names() == ["Zones.v4.whimbrel"])
  }

  @Test func `a file that is there stays, and cancelling leaves nothing`() throws {
    try Data("x".utf8).write(to: folder.url.appending(path: "small.whimbrel"))
    #expect { try prune(.init()) } throws: { InspectionError.Code.fileExists ~= $0 }
    #expect(folder.contents("small.whimbrel") == Data("x".utf8))
    var steps: [String] = []
    let monitor = WorkMonitor(isCancelled: { steps.last?.hasPrefix("Copying") ?? false }) {
      steps.append($0.step)
    }
    #expect {
      try StorePruning(.init(perClass: .max)).run(
        StoreInspector(path: path), into: .newFile(folder.path("b.whimbrel")), monitor: monitor)
    } throws: { InspectionError.Code.cancelled ~= $0 }
    #expect(try !folder.names().contains { $0.hasPrefix("b.") })
  }

  @Test func `ways to follow links are read and written`() {
    #expect(StorePruning.Links("follow") == .follow)
    #expect(StorePruning.Links("nil") == .cut)
    for text in ["depth:3", "depth=3", "depth 3"] {
      #expect(StorePruning.Links(text) == .depth(3))
    }
    for text in ["", "depth", "depth:", "depth:-1", "depth:x", "3"] {
      #expect(StorePruning.Links(text) == nil)
    }
    #expect(StorePruning.Links.depth(3).description == "depth:3")
  }

  @Test func `a depth beyond reason is the nearest one`() throws {
    func kept(_ links: StorePruning.Links) throws -> Int {
      try StorePruning(.init(links: links)).plan(StoreInspector(path: path)).keptObjects
    }
    #expect(try kept(.depth(-1)) == kept(.cut))
    #expect(try kept(.depth(.max)) == kept(.follow))
  }
}
