import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct SubsetDumpTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func dump(
    _ path: String, _ change: (inout StoreDump.Options) throws -> Void
  ) throws -> String {
    var options = StoreDump.Options()
    try change(&options)
    var text = ""
    try StoreDump(StoreInspector(path: path), options).write(to: &text)
    return text
  }

  /// The lines of objects, after the dump has been loaded and dumped again.
  private func lines(
    _ path: String, _ change: (inout StoreDump.Options) throws -> Void
  ) throws -> [String] {
    let text = try dump(path, change)
    let copy = folder.path("copy-\(UUID().uuidString).whimbrel")
    try load(text, into: copy)
    #expect(try WhimbrelInspectionTestSupport.dump(copy) == text)
    #expect(try integrityFindings(copy) == [])
    return text.split(separator: "\n").dropFirst().map(String.init)
  }

  private func makeSample() throws -> String {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    return path
  }

  @Test func `links that lead out of a selection become nil`() throws {
    let path = try makeSample()
    let lines = try lines(path) {
      $0.selections = [try ObjectSelection("Zone where latitude > 30")]
    }
    #expect(lines.count == 1)
    #expect(lines[0].contains(#""identifier":"Europe/Andorra","latitude":42.5,"country":null"#))
  }

  @Test func `what is linked to comes along when that is wanted`() throws {
    let path = try makeSample()
    let lines = try lines(path) {
      $0.selections = [try ObjectSelection("Zone where latitude > 30")]
      $0.reach = .linked
    }
    #expect(lines.count == 2)
    #expect(lines[1].contains(#""country":{"key":"AD"}"#))
  }

  @Test func `a class is left out, and the schema is not`() throws {
    let path = try makeSample()
    let lines = try lines(path) { $0.excludedClasses = ["Country"] }
    #expect(lines.count == 2)
    #expect(!lines.joined().contains(#""link""#))
    let text = try dump(path) { $0.excludedClasses = ["Country"] }
    #expect(text.contains(#"{"class":"Country","next":2,"objects":0}"#))
  }

  @Test func `the schema alone is a dump`() throws {
    let path = try makeSample()
    #expect(try lines(path) { $0.contents = .schemaOnly } == [])
  }

  @Test func `links that lead out are refused when that is wanted`() throws {
    let path = try makeSample()
    let error = #expect(throws: InspectionError.self) {
      try dump(path) {
        $0.selections = [ObjectSelection(className: "Zone")]
        $0.outgoingLinks = .refused
      }
    }
    #expect(error?.code == .linkLeadsOut)
    #expect(
      error?.message.contains("'country' of object 'Europe/Andorra' of class 'Zone'") == true)
  }

  @Test func `a class that is not there is an error that knows a better name`() throws {
    let path = try makeSample()
    let error = #expect(throws: StoreError.self) {
      try dump(path) { $0.excludedClasses = ["Contry"] }
    }
    #expect(error?.recovery == "Did you mean 'Country'?")
  }

  /// Owners with embedded objects that have embedded objects, and a value of any type.
  private func makeOwners() throws -> String {
    let path = folder.path("b.whimbrel")
    let leaf = ClassSchema(
      name: "Leaf", isEmbedded: true, properties: [PropertySchema(name: "n", type: .int)])
    let branch = ClassSchema(
      name: "Branch", isEmbedded: true,
      properties: [
        PropertySchema(name: "leaves", type: .list(of: ElementType(.link(to: "Leaf"))))
      ])
    let tree = ClassSchema(
      name: "Tree",
      properties: [
        PropertySchema(name: "name", type: .string, isPrimaryKey: true),
        PropertySchema(name: "branch", type: .link(to: "Branch")),
        PropertySchema(name: "friends", type: .set(of: ElementType(.link(to: "Tree")))),
        PropertySchema(name: "others", type: .map(of: ElementType(.any))),
        PropertySchema(name: "any", type: .any),
      ])
    try makeStore(at: path, [leaf, branch, tree]) { session in
      let (leaves, branches, trees) = (
        try session.table("Leaf"), try session.table("Branch"), try session.table("Tree")
      )
      var made: [ObjectID] = []
      for number in 0..<3 {
        let inner = try (0..<2).map { try leaves.create(["n": .int(Int64($0))], replacing: false) }
        let branch = try branches.create(
          ["leaves": .list(inner.map { .link($0) })], replacing: false)
        let references = made.map {
          PropertyValue.object(ObjectReference(classID: trees.resolved.id, id: $0))
        }
        made.append(
          try trees.create(
            [
              "name": "tree \(number)", "branch": .link(branch),
              "friends": .list(made.map { .link($0) }),
              "others": .map(["first": references.first ?? .null, "n": 5]),
              "any": .list(references + ["text"]),
            ], replacing: false))
      }
    }
    return path
  }

  @Test func `embedded objects come with their owners, and elements that lead out go`() throws {
    let path = try makeOwners()
    let lines = try lines(path) {
      $0.selections = [try ObjectSelection("Tree where name == 'tree 2'")]
    }
    #expect(
      lines == [
        #"{"class":"Branch","id":3,"values":{"leaves":[{"link":5},{"link":6}]}}"#,
        #"{"class":"Leaf","id":5,"values":{"n":0}}"#,
        #"{"class":"Leaf","id":6,"values":{"n":1}}"#,
        #"{"class":"Tree","id":3,"values":{"name":"tree 2","branch":{"link":3},"friends":[],"#
          + #""others":{"n":{"int":5}},"any":{"list":[{"string":"text"}]}}}"#,
      ])
  }

  @Test func `embedded objects are not selected on their own`() throws {
    let path = try makeOwners()
    for change: (inout StoreDump.Options) -> Void in [
      { $0.selections = [ObjectSelection(className: "Leaf")] }, { $0.excludedClasses = ["Leaf"] },
    ] {
      expectError(.badSelection) { try dump(path, change) }
    }
  }

  @Test(arguments: seeds(6, long: 60))
  func `any selection of a random store loads again`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    let path = folder.path("a.whimbrel")
    try maker.make(at: path)
    var random = SeededGenerator(seed: seed &* 31)
    let names = try StoreInspector(path: path).schema.classes.map(\.name)
    let (selected, excluded) = (
      names.filter { _ in .random(using: &random) },
      names.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
    )
    for reach in [StoreDump.Options.Reach.selected, .linked] {
      _ = try lines(path) {
        $0.selections = selected.map { ObjectSelection(className: $0) }
        $0.excludedClasses = excluded
        $0.reach = reach
      }
    }
  }

  @Test(arguments: seeds(6, long: 60))
  func `a folder of a random store is the store, and the same each time`(seed: UInt64) throws {
    var maker = RandomStoreMaker(seed: seed)
    let path = folder.path("a.whimbrel")
    try maker.make(at: path)
    let (first, second) = (folder.path("first"), folder.path("second"))
    try FolderDump(StoreInspector(path: path)).write(to: first, replacing: .refused)
    let copy = folder.path("b.whimbrel")
    try StoreLoad(.folder(at: first), into: copy).run()
    #expect(
      try WhimbrelInspectionTestSupport.dump(copy) == WhimbrelInspectionTestSupport.dump(path))
    #expect(try integrityFindings(copy) == [])
    try FolderDump(StoreInspector(path: copy)).write(to: second, replacing: .refused)
    for name in try FileManager.default.contentsOfDirectory(atPath: first) {
      #expect(folder.contents("first/\(name)") == folder.contents("second/\(name)"), "\(name)")
    }
  }
}
