import Synchronization
import Testing
import WhimbrelEngine

/// Queries that nobody wants any more.
struct QueryInterruptionTests {
  private static let classes = [
    ClassSchema("Town", .required("name", .string)),
    ClassSchema(
      "Person", .required("name", .string), .indexed("age", .int), .link("town", to: "Town")),
  ]

  /// A store with so many objects that several cores scan them.
  private func makeStore() throws -> TestStore {
    try TestStore(Self.classes) { session in
      let town = try session.create("Town", ["name": "Home"])
      for number in 0..<10_000 {
        try session.create(
          "Person",
          [
            "name": .string("p\(number * 7_919 % 10_000)"), "age": .int(Int64(number % 100)),
            "town": .link(town),
          ])
      }
    }
  }

  @Test(arguments: [
    "name CONTAINS '99'", "name CONTAINS '99' LIMIT(9000)", "name != 'x' SORT(name ASC)",
    "age < 5 AND name CONTAINS '9'", "age < 5 SORT(name ASC)", "town.name == 'Home'",
    "age < 5 DISTINCT(name)",
  ])
  func `a query that is no longer wanted stops, and the next one is answered`(_ text: String)
    throws
  {
    let store = try makeStore()
    let session = try store.session()
    let query = try BoundQuery(QueryRequest("Person", QueryText(parsing: text).stages), in: session)
    let expected = try query.objectIDs()
    #expect(throws: QueryInterrupted.self) {
      try session.interrupting(when: { true }) { try query.objectIDs() }
    }
    #expect(try query.objectIDs() == expected)
    let calls = Atomic(0)
    let found = try session.interrupting(
      when: {
        calls.add(1, ordering: .relaxed)
        return false
      }
    ) { try query.objectIDs() }
    #expect(found == expected)
    #expect(calls.load(ordering: .relaxed) > 1)
  }

  @Test func `counts and sums stop as well`() throws {
    let store = try makeStore()
    let session = try store.session()
    let text = try QueryText(parsing: "name CONTAINS '9'")
    let query = try BoundQuery(QueryRequest("Person", text.stages), in: session)
    #expect(throws: QueryInterrupted.self) {
      try session.interrupting(when: { true }) { try query.count() }
    }
    #expect(throws: QueryInterrupted.self) {
      try session.interrupting(when: { true }) { try query.aggregate(.sum, QueryPath("age")) }
    }
  }
}
