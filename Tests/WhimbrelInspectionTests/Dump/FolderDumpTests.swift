import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct FolderDumpTests {
  let folder: TestFolder
  let store: String
  let dump: String

  init() throws {
    folder = try TestFolder()
    store = folder.path("a.whimbrel")
    dump = folder.path("zones")
    try Sample.make(at: store)
    try FolderDump(StoreInspector(path: store)).write(to: dump, replacing: .refused)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: dump).sorted()
  }

  private func change(_ name: String, _ old: String, _ new: String) throws {
    let text = String(decoding: try #require(folder.contents("zones/\(name)")), as: UTF8.self)
    try #require(text.contains(old))
    try Data(text.replacing(old, with: new).utf8).write(to: URL(filePath: "\(dump)/\(name)"))
  }

  @Test func `objects are sorted by their primary keys`() throws {
    #expect(try files() == ["Country.jsonl", "Zone.jsonl", "schema.json", "store.json"])
    #expect(
      String(decoding: folder.contents("zones/Zone.jsonl") ?? Data(), as: UTF8.self) == #"""
        {"class":"Zone","id":2,"values":{"identifier":"Asia/Kathmandu","latitude":27.75,"country":null,"area":"asia","comments":"a \"b\""}}
        {"class":"Zone","id":1,"values":{"identifier":"Europe/Andorra","latitude":42.5,"country":{"key":"AD"},"area":"europe","comments":""}}

        """#)
    let schema = try #require(folder.contents("zones/schema.json"))
    #expect(try schema == StoreInspector(path: store).schema.json() + Data([0x0A]))
  }

  @Test func `a change of one object changes one line`() throws {
    let session = try Session(StoreFile.open(OpenRequest(path: store)))
    try session.write {
      let zones = try session.table("Zone")
      let id = try #require(try zones.find("Europe/Andorra"))
      let position = try zones.resolved.requiredPosition(of: "comments")
      try zones.update(id) { try $0.set(position, "changed") }
    }
    session.close()
    let before = try files().map { folder.contents("zones/\($0)") }
    let lines = String(decoding: folder.contents("zones/Zone.jsonl") ?? Data(), as: UTF8.self)
      .split(separator: "\n")
    try FolderDump(StoreInspector(path: store)).write(to: dump, replacing: .replaced)
    let changed = try zip(files(), before).filter { folder.contents("zones/\($0.0)") != $0.1 }
    #expect(changed.map(\.0) == ["Zone.jsonl"])
    let after = String(decoding: folder.contents("zones/Zone.jsonl") ?? Data(), as: UTF8.self)
      .split(separator: "\n")
    #expect(zip(lines, after).filter { $0 != $1 }.count == 1)
  }

  @Test func `a dump is replaced only when that is wanted, and foreign files stay`() throws {
    expectError(.fileExists) {
      try FolderDump(StoreInspector(path: store)).write(to: dump, replacing: .refused)
    }
    try Data("mine".utf8).write(to: URL(filePath: "\(dump)/README.md"))
    try Data().write(to: URL(filePath: "\(dump)/Other.jsonl"))
    let other = folder.path("b.whimbrel")
    try makeStore(
      at: other, [ClassSchema(name: "Straße", properties: [PropertySchema(name: "n", type: .int)])])
    try FolderDump(StoreInspector(path: other)).write(to: dump, replacing: .replaced)
    #expect(
      try files() == ["Other.jsonl", "README.md", "Stra%C3%9Fe.jsonl", "schema.json", "store.json"])
    try StoreLoad(.folder(at: dump), into: folder.path("c.whimbrel")).run()
    #expect(
      try WhimbrelInspectionTestSupport.dump(folder.path("c.whimbrel"))
        == WhimbrelInspectionTestSupport.dump(other))
  }

  // `store.json` was gone, so nothing read or replaced the folder any more: "something that is not a
  // dump already has that name".
  @Test func `a replacement that fails halfway is never read, and can be repeated`() throws {
    let whole = try files()
    let obstacle = URL(filePath: "\(dump)/Zone.jsonl")
    try FileManager.default.removeItem(at: obstacle)
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
    #expect(throws: InspectionError.self) {
      try FolderDump(StoreInspector(path: store)).write(to: dump, replacing: .replaced)
    }
    let error = #expect(throws: InspectionError.self) { try DumpSource.folder(at: dump) }
    #expect(error?.message.contains("an interrupted 'whimbrel dump --folder --force'") == true)
    try FileManager.default.removeItem(at: obstacle)
    try FolderDump(StoreInspector(path: store)).write(to: dump, replacing: .replaced)
    #expect(try files() == whole)
    try StoreLoad(.folder(at: dump), into: folder.path("again.whimbrel")).run()
  }

  @Test func `what is no dump is never replaced`() throws {
    let path = folder.path("mine")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(filePath: "\(path)/a.txt"))
    expectError(.fileExists) {
      try FolderDump(StoreInspector(path: store)).write(to: path, replacing: .replaced)
    }
    #expect(folder.contents("mine/a.txt") == Data("mine".utf8))
    expectError(.fileExists) {
      try FolderDump(StoreInspector(path: store)).write(to: store, replacing: .replaced)
    }
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock", "mine", "zones"])
  }

  @Test func `names that differ in case only have files of their own`() throws {
    let path = folder.path("b.whimbrel")
    let classes = ["Zone", "ZONE", "zone"].map {
      ClassSchema(name: $0, properties: [PropertySchema(name: "n", type: .int)])
    }
    try makeStore(at: path, classes)
    try FolderDump(StoreInspector(path: path)).write(to: folder.path("c"), replacing: .refused)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("c")).sorted()
        == ["ZONE.jsonl", "Zone~2.jsonl", "schema.json", "store.json", "zone~3.jsonl"])
  }

  @Test func `a mistake is told with its file and line`() throws {
    try change("Zone.jsonl", "42.5", #""north""#)
    let error = #expect(throws: InspectionError.self) {
      try StoreLoad(.folder(at: dump), into: folder.path("b.whimbrel")).run()
    }
    #expect(error?.line == 2)
    #expect(error?.message.contains("line 2, column 75 of '\(dump)/Zone.jsonl'") == true)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock", "zones"])
  }

  @Test func `a mistake in what is beside the objects is told with its file`() throws {
    try change("store.json", #""version" : 2"#, #""version" : 3"#)
    expectError(.badDump) {
      try StoreLoad(.folder(at: dump), into: folder.path("b.whimbrel")).run()
    }
    try change("schema.json", #""double""#, #""duble""#)
    let error = #expect(throws: InspectionError.self) { _ = try DumpSource.folder(at: dump) }
    #expect(error?.message.contains("'\(dump)/schema.json'") == true)
    #expect(error?.message.contains("'duble' is not the type of a property") == true)
  }

  @Test func `a file that is missing is an error, and so is a line`() throws {
    try change("Zone.jsonl", "\n", "")
    expectError(.badDump) {
      try StoreLoad(.folder(at: dump), into: folder.path("b.whimbrel")).run()
    }
    try Data().write(to: URL(filePath: "\(dump)/Zone.jsonl"))
    expectError(.incompleteDump) {
      try StoreLoad(.folder(at: dump), into: folder.path("b.whimbrel")).run()
    }
    try FileManager.default.removeItem(atPath: "\(dump)/Zone.jsonl")
    expectError(.cannotRead) {
      try StoreLoad(.folder(at: dump), into: folder.path("b.whimbrel")).run()
    }
  }

  @Test func `a file without an end of its last line is whole`() throws {
    let text = try #require(folder.contents("zones/Country.jsonl"))
    try text.dropLast().write(to: URL(filePath: "\(dump)/Country.jsonl"))
    try StoreLoad(.folder(at: dump), into: folder.path("b.whimbrel")).run()
    #expect(
      try WhimbrelInspectionTestSupport.dump(folder.path("b.whimbrel"))
        == WhimbrelInspectionTestSupport.dump(store))
  }
}
