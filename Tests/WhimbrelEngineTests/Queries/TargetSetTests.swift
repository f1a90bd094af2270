import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Conditions on what a link leads to, where no index finds the targets.
struct TargetSetTests {
  private static let classes = [
    ClassSchema("Town", .required("name", .string)),
    ClassSchema(
      "Owner", .required("age", .int), .link("town", to: "Town"),
      .list("marks", .int), .list("best", .link(to: "Dog"))),
    ClassSchema("Dog", .required("size", .int), .link("owner", to: "Owner")),
  ]

  /// A store whose dog number *n* belongs to owner `n % owners`, and every fourth to nobody. An
  /// owner is as old as their number.
  private func makeStore(dogs: Int, owners: Int) throws -> TestStore {
    try TestStore(Self.classes) { session in
      let towns = try (0..<3).map { try session.create("Town", ["name": .string("t\($0)")]) }
      let people = try (0..<owners).map { number in
        let town: PropertyValue = number % 5 == 0 ? .null : .link(towns[number % 3])
        return try session.create("Owner", ["age": .int(Int64(number)), "town": town])
      }
      let all = try (0..<dogs).map { number in
        let owner: PropertyValue = number % 4 == 3 ? .null : .link(people[number % owners])
        return try session.create("Dog", ["size": .int(Int64(number)), "owner": owner])
      }
      let owner = try session.table("Owner")
      let marks = try owner.resolved.requiredPosition(of: "marks")
      let best = try owner.resolved.requiredPosition(of: "best")
      for (number, person) in people.enumerated() {
        try owner.update(person) {
          try $0.set(marks, .list((0..<number % 6).map { .int(Int64($0)) }))
          try $0.set(best, .list(all.prefix(number % 6).map { .link($0) }))
        }
      }
    }
  }

  private func query(_ session: Session, _ text: String) throws -> BoundQuery {
    try BoundQuery(QueryRequest("Dog", QueryText(parsing: text).stages), in: session)
  }

  /// Returns what looking up the targets of each dog finds.
  private func expected(_ session: Session, _ text: String) throws -> [ObjectID] {
    let (table, query) = (try session.table("Dog"), try query(session, text))
    return try table.objectIDs().filter { try query.contains($0) == true }
  }

  @Test(arguments: [
    "owner.age >= 5", "owner.age != 5", "owner.town == nil", "owner.town.name == nil",
    "owner.town.name != \"t1\"", "NOT (owner.town.name BEGINSWITH \"t1\")",
    "size < 30 AND owner.age IN {1, 2, 8}", "size < 5 OR owner.town.name CONTAINS[c] \"T2\"",
    "owner.age BETWEEN {3, 6} AND owner.town != nil",
    "NONE owner.age >= 5 AND owner.town.name != \"t1\"",
  ])
  func `a scan of the targets finds what looking each one up finds`(_ text: String) throws {
    let store = try makeStore(dogs: 100, owners: 12)
    let session = try store.session()
    let ids = try expected(session, text)
    let query = try query(session, text)
    #expect(!ids.isEmpty && ids.count < 100)
    #expect(try query.objectIDs() == ids)
    #expect(try query.count() == ids.count)
    let size = QueryPath("size")
    let sum = try query.aggregate(.sum, size)
    #expect(sum == .int(ids.reduce(0) { $0 + Int64($1.rawValue) - 1 }))
    #expect(try query.explanation().scannedTargets.isEmpty == false)
  }

  // Each object evaluated the collection of its target again: the time was that of all pairs.
  @Test(arguments: [
    "ANY owner.marks > 2", "NONE owner.marks > 2", "ALL owner.marks < 3",
    "NOT (ANY owner.marks > 2)",
    "owner.marks.@count > 2", "owner.marks.@sum == 0", "owner.marks.@max == nil",
    "owner.marks.@avg >= 1", "ANY owner.best.size == 3", "NONE owner.best.size == 3",
    "ALL owner.best.owner.age < 2", "owner.best.@count == 0", "owner.best.size.@sum > 3",
    "SUBQUERY(owner.best, $dog, $dog.size > 1).@count >= 1",
    "SUBQUERY(owner.best, $dog, $dog.size > 1).@count == 0",
    "size > 20 AND (ANY owner.marks IN {3, 4} OR owner.age == 1)",
  ])
  func `the collections of targets are read once`(_ text: String) throws {
    let store = try makeStore(dogs: 100, owners: 9)
    let session = try store.session()
    let ids = try expected(session, text)
    let query = try query(session, text)
    #expect(!ids.isEmpty && ids.count < 100)
    #expect(try query.objectIDs() == ids)
    let scanned = try query.explanation().scannedTargets
    #expect(scanned.first == "Owner")
    // With fewer than ten objects for each target, a collection is not worth a scan.
    let few = try makeStore(dogs: 80, owners: 9).session()
    let other = try self.query(few, text)
    #expect(try other.objectIDs() == expected(few, text))
    #expect(try other.explanation().scannedTargets.count < scanned.count)
  }

  @Test func `an explanation names the classes of targets that were scanned`() throws {
    let store = try makeStore(dogs: 100, owners: 12)
    let session = try store.session()
    #expect(
      try query(session, "owner.town.name == \"t1\"").explanation().description == """
        Dog: 17 of 100 objects
        - all objects of 'Town', once
        - all objects of 'Owner', once
        - all objects
        - read: no index entries, 115 records
        """)
  }

  @Test func `the targets of few objects are looked up`() throws {
    let store = try makeStore(dogs: 4, owners: 200)
    let session = try store.session()
    let explanation = try query(session, "owner.age < 3").explanation()
    #expect(explanation.scannedTargets.isEmpty && explanation.recordsRead == 4)
    #expect(explanation.resultCount == 3)
  }

  @Test func `the first objects are found without a scan of many targets`() throws {
    let store = try makeStore(dogs: 2_000, owners: 2_000)
    let session = try store.session()
    let first = try query(session, "owner.age >= 0 LIMIT(10)").explanation()
    #expect(first.scannedTargets.isEmpty && first.resultCount == 10 && first.recordsRead < 20)
    let last = try query(session, "owner.age == 1997 LIMIT(10)").explanation()
    #expect(last.scannedTargets == ["Owner"] && last.resultCount == 1)
  }

  @Test func `targets whose object IDs are far apart are found by a scan, too`() throws {
    // The object ID of an object is its primary key, if that is an integer.
    let owner = ClassSchema("Owner", .key("number"), .required("age", .int))
    let store = try TestStore([owner, Self.classes[2]]) { session in
      for number in 0..<20 {
        let number = Int64(number)
        let owner = try session.create(
          "Owner", ["number": .int(number << 40), "age": .int(number)])
        try session.create("Dog", ["size": .int(number), "owner": .link(owner)])
      }
    }
    let session = try store.session()
    let query = try query(session, "owner.age == 5")
    let ids = try expected(session, "owner.age == 5")
    #expect(ids.map(\.rawValue) == [6])
    #expect(try query.objectIDs() == ids)
    #expect(try query.explanation().scannedTargets == ["Owner"])
    let others = try self.query(session, "owner.age != 5").objectIDs()
    #expect(try others == expected(session, "owner.age != 5") && others.count == 19)
  }

  @Test func `a write sees the targets that it has added and changed`() throws {
    let store = try makeStore(dogs: 20, owners: 4)
    let session = try store.session()
    let query = try query(session, "owner.age >= 3")
    let before = try query.count()
    try session.write {
      let owners = try session.table("Owner")
      let age = try owners.resolved.requiredPosition(of: "age")
      let old = try session.create("Owner", ["age": 90, "town": .null])
      let dog = try session.create("Dog", ["size": 20, "owner": .link(old)])
      #expect(try query.objectIDs().last == dog)
      #expect(try query.count() == before + 1)
      try owners.update(old) { try $0.set(age, .int(2)) }
      #expect(try query.count() == before)
      try owners.remove(old)
      #expect(try query.count() == before)
    }
  }

  @Test func `a damaged target stops only a query of objects that lead to it`() throws {
    let store = try makeStore(dogs: 3, owners: 8)
    let session = try store.session()
    func damage(_ id: UInt64) throws {
      try session.write {
        let view = try session.requireWriting("damage an object")
        let table = try session.table("Owner")
        try PageBytes.with([UInt8](repeating: 0xFF, count: 16)) { bytes throws(LMDBError) in
          _ = try view.put(table.objects, id, bytes)
        }
      }
    }
    try damage(7)
    let query = try query(session, "owner.age < 2")
    #expect(try query.objectIDs().map(\.rawValue) == [1, 2])
    #expect(try query.explanation().scannedTargets.isEmpty)
    try damage(2)
    let error = #expect(throws: StoreError.self) { try query.objectIDs() }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("'Owner'") == true)
  }
}
