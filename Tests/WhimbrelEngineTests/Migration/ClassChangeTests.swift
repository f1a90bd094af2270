import Testing
import WhimbrelEngine
import WhimbrelLMDB

/// Classes that come, go, come back, and lose their data.
struct ClassChangeTests {
  private static let text = String(repeating: "x", count: 200_000)
  private static let note = ClassSchema(
    "Note", .required("text", .string), .link("owner", to: "Owner"), .link("next", to: "Note"))
  private static let owner = ClassSchema("Owner", .key("name", .string))

  /// `count` notes; the bigger ones fill several batches.
  private func store(_ count: Int, isBig: Bool) throws -> TestStore {
    try TestStore([Self.note, Self.owner]) { session in
      var last: ObjectID?
      for number in 0..<count {
        let owner = try session.create("Owner", ["name": "o\(number)"])
        last = try session.create(
          "Note",
          [
            "text": .string(isBig ? Self.text : "t\(number)"), "owner": .link(owner),
            "next": last.map { .link($0) } ?? .null,
          ])
      }
    }
  }

  @Test func `a class that is gone keeps its objects, and brings them back`() throws {
    let store = try store(5, isBig: false)
    let before = try store.contents()
    try store.open([Self.owner], version: 1)
    #expect(try store.contents().objects == before.objects)
    // Links of a class that nobody declares are kept right too.
    try store.write { session in
      let owners = try session.table("Owner")
      try owners.remove(owners.objectIDs()[2])
    }
    try store.open([Self.owner], version: 2)
    try store.open([Self.note, Self.owner], version: 2)
    let after = try store.contents()
    #expect(after.list("Note").map { $0["owner"] == .null } == [false, false, true, false, false])
    #expect(after.generation("Note") == 1)
    #expect(try store.findings() == [])
  }

  // What a class had been changed to while it was away was neither in the plan
  // nor refused without a new version.
  @Test func `a class that comes back changed is compared with what it was`() throws {
    let store = try store(3, isBig: false)
    try store.open([Self.owner], version: 2)
    let changed = ClassSchema(
      "Note", .required("text", .int), .link("owner", to: "Owner"), .link("next", to: "Note"))
    let before = try store.contents()
    let error = storeError { try store.open([Self.owner, changed], version: 2) }
    #expect(error?.code == .schemaMismatch)
    #expect(try store.contents() == before)
    let plan = try store.plan([Self.owner, changed], version: 3)
    #expect(plan.changes.map(\.kind) == [.instant, .needsCode])
    try store.open([Self.owner, changed], version: 3) { migration, _ in
      try migration.enumerateObjects(ofType: "Note") { old, new in
        try new?.set("text", to: try #require(old)["text", as: String.self].count)
      }
    }
    #expect(try store.contents().values("Note", "text") == [2, 2, 2])
  }

  @Test(arguments: [false, true])
  func `a class that is gone can be read and dropped`(_ isBig: Bool) throws {
    let store = try store(isBig ? 40 : 4, isBig: isBig)
    let seen = Notes<String>()
    let kept = ClassSchema("Owner", .key("name", .string), .required("notes", .int, default: 0))
    try store.open([kept], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Note") { old, new in
        let old = try #require(old)
        #expect(new == nil)
        guard case .link(let id) = old["owner"] else { return }
        seen.add("\(id)")
      }
      try migration.enumerateObjects(ofType: "Owner") { _, new in new?["notes"] = 1 }
      let wasThere = try migration.deleteData(forType: "Note")
      #expect(wasThere)
      try migration.enumerateObjects(ofType: "Note") { _, _ in seen.add("no") }
      let isUnknown = try !migration.deleteData(forType: "Nothing")
      #expect(isUnknown)
      try migration.enumerateObjects(ofType: "Nothing") { _, _ in seen.add("no") }
    }
    let contents = try store.contents()
    #expect(seen.count == (isBig ? 40 : 4) && !seen.all.contains("no"))
    #expect(contents.catalog["Note"] == nil)
    #expect(try store.tableNames() == contents.tableNames)
    #expect(try store.findings() == [])
    // A class of that name is a new one.
    try store.open([kept, Self.note], version: 3)
    #expect(try store.contents().list("Note").isEmpty)
    #expect(try store.contents().catalog["Note"]?.id.rawValue == 3)
  }

  @Test(arguments: [false, true])
  func `a class can lose its data although others link to it`(_ isBig: Bool) throws {
    let store = try store(isBig ? 40 : 4, isBig: isBig)
    try store.open([Self.note, Self.owner], version: 2) { migration, _ in
      try migration.deleteData(forType: "Owner")
      try migration.create("Owner", ["name": "o1"])
    }
    #expect(try store.contents().list("Note").allSatisfy { $0["owner"] == .null })
    #expect(try store.contents().values("Owner", "name") == ["o1"])
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `a class that is linked to can be dropped when all are gone from the code`() throws {
    let store = try store(4, isBig: false)
    let other = ClassSchema("Other", .required("a", .int))
    try store.open([other], version: 2) { migration, _ in
      try migration.deleteData(forType: "Owner")
    }
    let contents = try store.contents()
    #expect(contents.catalog["Owner"] == nil)
    #expect(contents.list("Note").count == 4)
    #expect(contents.catalog["Note"]?.schema.properties.map(\.name) == ["text", "next"])
    #expect(try store.findings() == [])
    try store.open([other, Self.note, Self.owner], version: 3)
    #expect(try store.contents().values("Note", "owner") == [nil, nil, nil, nil])
    #expect(try store.findings() == [])
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `links to a deleted object become nil, rewritten or not`(
    _ isRewritten: Bool, _ isBig: Bool
  ) throws {
    let store = try store(isBig ? 40 : 6, isBig: isBig)
    try store.open([Self.note, Self.owner], version: 2) { migration, _ in
      if isRewritten { try migration.enumerateObjects(ofType: "Note") { _, _ in } }
      let third = try #require(try migration.object(ofType: "Owner", forPrimaryKey: "o2"))
      try migration.delete(third)
      if isRewritten {
        try migration.enumerateObjects(ofType: "Note") { old, new in
          if try #require(old).id.rawValue == 4 { try migration.delete(try #require(new)) }
        }
      }
    }
    let notes = try store.contents().objects["Note"] ?? [:]
    #expect(notes.filter { $0.value["owner"] == .null }.keys.sorted() == [3])
    #expect(
      notes.filter { $0.value["next"] == .null }.keys.sorted() == (isRewritten ? [1, 5] : [1]))
    #expect(try store.findings() == [])
  }

  @Test func `a new class is visited with what has been created so far`() throws {
    let store = try store(3, isBig: false)
    let tag = ClassSchema("Tag", .required("name", .string), .link("note", to: "Note"))
    let seen = Notes<String>()
    try store.open([Self.note, Self.owner, tag], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Tag") { _, _ in seen.add("none yet") }
      try migration.enumerateObjects(ofType: "Note") { old, new in
        let new = try #require(new)
        try migration.create("Tag", ["name": .string("tag \(new.id)"), "note": new.link])
      }
      try migration.enumerateObjects(ofType: "Tag") { old, new in
        #expect(old == nil)
        seen.add(try #require(new)["name", as: String.self])
        try migration.create("Tag", ["name": "late"])
      }
    }
    #expect(seen.all == ["tag 1", "tag 2", "tag 3"])
    #expect(try store.contents().list("Tag").count == 6)
    #expect(try store.findings() == [])
  }

  @Test func `objects created without enumerating stay within a batch's memory`() throws {
    let store = try store(1, isBig: false)
    let commits = Notes<Int>()
    try store.open([Self.note, Self.owner], version: 2) { migration, _ in
      let session = try store.session()
      let before = session.view.transactionID
      for _ in 0..<100 {
        try migration.create("Note", ["text": .string(Self.text), "owner": nil, "next": nil])
      }
      _ = try session.refresh()
      commits.add(session.view.transactionID - before)
      withExtendedLifetime(session) {}
    }
    // 20 MB, and a batch has 8 MiB.
    #expect(try #require(commits.all.first) >= 3)
    #expect(try store.contents().list("Note").count == 101)
  }
}
