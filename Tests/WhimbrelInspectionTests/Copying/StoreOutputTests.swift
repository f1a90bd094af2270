import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport
import WhimbrelLMDB

@testable import WhimbrelInspection

struct StoreOutputTests {
  /// Makes a copy without the zones.
  private func shrink(_ inspector: StoreInspector, _ path: String) throws {
    let copy = try StoreCopy(of: inspector.session, to: path)
    let table = try inspector.session.table("Country")
    for id in try table.objectIDs() { try copy.add(id, of: table) }
    #expect(try copy.finish())
  }

  @Test func `a store takes the place of the one that it was made of`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    try StoreOutput.inPlace.make(from: inspector, "shrink") { try shrink(inspector, $0) }
    #expect(try inspector.description().classes.map(\.objects) == [1, 0])
    #expect(try dump(folder.path("a.whimbrel")).contains("Andorra"))
    #expect(try integrityFindings(folder.path("a.whimbrel")) == [])
    #expect(try folder.names().filter { !$0.hasSuffix("-lock") } == ["a.whimbrel"])
  }

  @Test func `a store that was written meanwhile stays`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    #expect {
      try StoreOutput.inPlace.make(from: inspector, "shrink") { path in
        try shrink(inspector, path)
        // In the same process, a writer needs the file for itself.
        try inspector.whileClosed {
          try makeStore(at: folder.path("a.whimbrel"), [Sample.country, Sample.zone], version: 4) {
            _ = try $0.table("Country").create(["code": "NO", "name": "Norway"], replacing: false)
          }
        }
      }
    } throws: { InspectionError.Code.notReplaced ~= $0 }
    #expect(try dump(folder.path("a.whimbrel")).contains("Norway"))
    #expect(try folder.names().filter { $0.contains(".new-") || $0.contains("backup") } == [])
  }

  @Test func `a store that somebody has open stays`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let before = try dump(folder.path("a.whimbrel"))
    let other = try readOnlySession(folder.path("a.whimbrel"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    #expect {
      try StoreOutput.inPlace.make(from: inspector, "shrink") { try shrink(inspector, $0) }
    } throws: { InspectionError.Code.notReplaced ~= $0 }
    #expect(try other.table("Zone").count() == 2)
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  @Test func `a store that is not whole takes no place`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let before = try dump(folder.path("a.whimbrel"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    #expect {
      try StoreOutput.inPlace.make(from: inspector, "shrink") { path in
        // A zone without its country.
        let copy = try StoreCopy(of: inspector.session, to: path)
        let table = try inspector.session.table("Zone")
        for id in try table.objectIDs() { try copy.add(id, of: table) }
        #expect(try copy.finish())
      }
    } throws: { InspectionError.Code.notReplaced ~= $0 }
    #expect(try dump(folder.path("a.whimbrel")) == before)
  }

  /// The error said that the store was unchanged.
  @Test func `a store is replaced even if it cannot be opened again`() throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let inspector = try StoreInspector(path: path)
    let real = Environment.resolve(path) ?? path
    FileStepProbe.arm(real) { step in
      guard step == .replacementChecked else { return }
      try? FileManager.default.createDirectory(
        atPath: path + "-lock", withIntermediateDirectories: false)
    }
    defer { FileStepProbe.disarm(real) }
    try StoreOutput.inPlace.make(from: inspector, "shrink") { try shrink(inspector, $0) }
    #expect(throws: StoreError.self) { try inspector.description() }
    try FileManager.default.removeItem(atPath: path + "-lock")
    #expect(try StoreInspector(path: path).description().classes.map(\.objects) == [1, 0])
  }

  @Test func `a file that is there is not overwritten`() throws {
    let folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    let inspector = try StoreInspector(path: folder.path("a.whimbrel"))
    let path = folder.path("a.whimbrel")
    #expect(throws: InspectionError.fileExists(path, "shrink")) {
      try StoreOutput.newFile(path).make(from: inspector, "shrink") { try shrink(inspector, $0) }
    }
  }
}
