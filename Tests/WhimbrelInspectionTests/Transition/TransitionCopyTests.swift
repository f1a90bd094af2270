import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct TransitionCopyTests {
  private let folder: TestFolder
  private var path: String { folder.path("readings.whimbrel") }
  private var copy: String { folder.path("copy.whimbrel") }

  init() throws {
    folder = try TestFolder()
    try TransitionSample.make(at: folder.path("readings.whimbrel"), converting: [2, 6])
  }

  /// Expects that the app converts the copy to the same objects as the store itself.
  private func expectSameEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let report = try StoreCheck(path: copy).run()
    #expect(report.isSound, "\(report.text)", sourceLocation: sourceLocation)
    #expect(try StoreInspector(path: copy).unconvertedObjects().map(\.count) == [4])
    let state = try #require(try StoreOverview(path: path).description().transition)
    #expect(state.started != nil && state.unset == 1)
    #expect(
      try StoreOverview(path: copy).description().transition == state,
      sourceLocation: sourceLocation)
    let (ours, copied) = (
      try TransitionSample.finish(path), try TransitionSample.finish(copy)
    )
    #expect(ours == copied, sourceLocation: sourceLocation)
    #expect(ours["r6"]?["level"] == .int(-1))
    #expect(ours["r5"]?["note"] == .string(TransitionSample.longNote))
    #expect(try integrityFindings(copy) == [], sourceLocation: sourceLocation)
  }

  @Test func `compact keeps the transition`() throws {
    _ = try StoreCompaction(of: StoreInspector(path: path)).run(to: .newFile(copy))
    try expectSameEnd()
  }

  @Test func `a copy of every object keeps the transition`() throws {
    let session = try readOnlySession(path)
    let made = try StoreCopy(of: session, to: copy)
    for table in session.classes {
      for id in try table.objectIDs() { try made.add(id, of: table) }
    }
    #expect(try made.finish())
    session.close()
    try expectSameEnd()
  }

  @Test func `a copy that cuts links keeps the other values of the past`() throws {
    let session = try readOnlySession(path)
    let made = try StoreCopy(of: session, to: copy)
    for table in session.classes {
      for id in try table.objectIDs() {
        var changes: [StoreCopy.Change]?
        if table.name == "Reading" {
          changes = [
            StoreCopy.Change(try table.resolved.requiredPosition(of: "station"), .null)
          ]
        }
        try made.add(id, of: table, changing: changes)
      }
    }
    #expect(try made.finish())
    session.close()
    #expect(try StoreInspector(path: copy).unconvertedObjects().map(\.count) == [4])
    #expect(try integrityFindings(copy) == [])
    var expected = try TransitionSample.finish(path)
    for key in expected.keys { expected[key]?["station"] = .null }
    #expect(try TransitionSample.finish(copy) == expected)
  }

  @Test func `salvage keeps the transition`() throws {
    let report = try StoreSalvage(path: path).run(to: copy)
    #expect(report.isComplete)
    #expect(report.classes.map(\.kept) == [6, 2])
    try expectSameEnd()
  }
}
