import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

/// The article said that `prune` keeps long lists, and it kept any that has two elements.
struct LongListTests {
  let folder: TestFolder

  private static let classes = [
    ClassSchema(
      name: "Page",
      properties: [
        PropertySchema(name: "title", type: .string, isPrimaryKey: true),
        PropertySchema(name: "numbers", type: .list(of: ElementType(.int))),
        PropertySchema(name: "next", type: .link(to: "Page")),
        PropertySchema(name: "links", type: .list(of: ElementType(.link(to: "Page")))),
      ])
  ]

  init() throws {
    folder = try TestFolder()
    try makeStore(at: folder.path("a.whimbrel"), Self.classes) { session in
      let pages = try session.table("Page")
      var ids: [ObjectID] = []
      for number in 0..<300 {
        let count = number == 200 ? 777 : number % 12
        ids.append(
          try pages.create(
            [
              "title": .string("page \(number)"),
              "numbers": .list((0..<count).map { .int(Int64($0)) }),
              "next": ids.last.map { .link($0) } ?? .null,
              "links": .list(ids.suffix(number == 150 ? 40 : number % 3).map { .link($0) }),
            ], replacing: false))
      }
    }
  }

  private func lengths(_ path: String) throws -> (numbers: Int, links: Int) {
    let session = try readOnlySession(path)
    defer { session.close() }
    let table = try session.table("Page")
    var most = (0, 0)
    for id in try table.objectIDs() {
      most.0 = max(most.0, try table.readCollection(1, of: id) { $0.count })
      most.1 = max(most.1, try table.readCollection(3, of: id) { $0.count })
    }
    return most
  }

  @Test(arguments: [StorePruning.Links.depth(1), .cut, .depth(2)])
  func `the longest list of values stays whole, and a list of links long`(
    links: StorePruning.Links
  ) throws {
    let report = try StorePruning(.init(links: links)).run(
      StoreInspector(path: folder.path("a.whimbrel")), into: .newFile(folder.path("b.whimbrel")))
    #expect(report.lost.isEmpty)
    #expect(report.keptObjects < 120)
    let most = try lengths(folder.path("b.whimbrel"))
    #expect(most.numbers == 777)
    #expect(most.links >= 10)
  }

  @Test func `a limit of objects is kept, or says which link needs more`() throws {
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    let all = try StorePruning().plan(inspector)
    #expect(all.keptObjects > 150)
    #expect(all.strongestLink?.property == "Page.next")
    #expect(all.text.contains("of them by 'Page.next': '--links depth:1' keeps fewer."))
    let error = #expect(throws: InspectionError.self) {
      try StorePruning(.init(maximumObjects: 50)).plan(inspector)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("needed only because 'Page.next' links to them") == true)
    for (links, advice) in [
      (StorePruning.Links.follow, "'--links depth:1' or '--links nil'"),
      (.depth(1), "Allow more objects, or keep no linked objects with '--links nil'."),
      (.cut, "Allow more objects. "),
    ] {
      let error = #expect(throws: InspectionError.self) {
        try StorePruning(.init(links: links, maximumObjects: 0)).plan(inspector)
      }
      #expect(error?.recovery.contains(advice) == true)
    }
    let least = try StorePruning(.init(links: .cut)).plan(inspector).keptObjects
    let report = try StorePruning(
      .init(perClass: 200, links: .cut, maximumObjects: least + 20)
    ).plan(inspector)
    #expect(report.keptObjects <= least + 20)
    #expect(report.keptObjects > least)
    #expect(report.perClass < 200)
    let run = try ToolRun(
      [
        "prune", "a.whimbrel", "c.whimbrel", "--links", "nil", "--per-class", "200",
        "--max-objects",
        "\(least + 20)",
      ], in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      run.output.contains("The limit left room for only \(report.perClass) objects of each class"))
  }
}
