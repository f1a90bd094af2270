import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Sorts of so many objects that several cores share them.
struct LargeSortTests {
  private static let count = 10_000

  private static let store: TestStore? = try? TestStore([
    ClassSchema("Town", .required("name", .string)),
    ClassSchema(
      "Person", .required("name", .string), .required("age", .int), .optional("nick", .string),
      .required("height", .double), .link("town", to: "Town")),
  ]) { session in
    var random = SeededGenerator(seed: 4)
    let towns = try (0..<7).map { number in
      try session.create("Town", ["name": .string("a town with a long name \(number % 5)")])
    }
    for _ in 0..<count {
      let number = Int.random(in: 0..<3_000, using: &random)
      let nick: PropertyValue = number % 3 == 0 ? .null : .string("nick \(number % 11)")
      let town: PropertyValue = number % 5 == 0 ? .null : .link(towns[number % 7])
      try session.create(
        "Person",
        [
          "name": .string("a name with a long beginning \(number)"),
          "age": .int(Int64(number % 90)),
          "nick": nick, "height": .double(Double(number) / 7 - 200), "town": town,
        ])
    }
  }

  @Test(
    .takesLong,
    arguments: [
      "SORT(name ASC)", "SORT(name DESC)", "SORT(age ASC)", "SORT(age DESC)", "SORT(nick ASC)",
      "SORT(nick DESC)", "SORT(height DESC)", "SORT(town.name ASC)", "SORT(town.name DESC)",
      "SORT(age DESC, name ASC)", "SORT(nick ASC, height DESC)", "age < 20 SORT(name DESC)",
      "name CONTAINS '77' SORT(age ASC)", "town.name CONTAINS '3' SORT(height ASC)",
      "age > 1000 SORT(age ASC)",
    ])
  func `cores that share a sort give the order of one core`(_ text: String) throws {
    let store = try #require(Self.store)
    let session = try store.session()
    let stages = try QueryText(parsing: text).stages
    let query = try BoundQuery(QueryRequest("Person", stages), in: session)
    let found = try query.objectIDs()
    // A sort after a limit is one of objects that are looked up one by one.
    let whole = stages.dropLast() + [.limit(Self.count)] + stages.suffix(1)
    let expected = try BoundQuery(QueryRequest("Person", Array(whole)), in: session).objectIDs()
    #expect(found == expected)
    // No other core can see what a write does.
    #expect(try session.write { try query.objectIDs() } == expected)
    let condition = stages.count > 1 ? try self.query(session, stages[0]).objectIDs() : nil
    #expect(found.count == condition?.count ?? Self.count)
    for limit in [0, 1, 10, 2_000, 6_000, 20_000] {
      let some = try BoundQuery(QueryRequest("Person", stages + [.limit(limit)]), in: session)
      #expect(try some.objectIDs() == Array(expected.prefix(limit)), "limit \(limit)")
    }
    let part = try BoundQuery(
      QueryRequest("Person", stages + [.offset(3_000), .limit(50)]), in: session)
    #expect(try part.objectIDs() == Array(expected.dropFirst(3_000).prefix(50)))
  }

  private func query(_ session: Session, _ stage: QueryStage) throws -> BoundQuery {
    try BoundQuery(QueryRequest("Person", [stage]), in: session)
  }

  @Test func `objects that tie stay in the order of their IDs`() throws {
    let store = try #require(Self.store)
    let session = try store.session()
    let table = try session.table("Person")
    let age = try table.resolved.requiredPosition(of: "age")
    for (text, sign) in [("SORT(age ASC)", 1), ("SORT(age DESC)", -1)] {
      let stages = try QueryText(parsing: text).stages
      let ids = try BoundQuery(QueryRequest("Person", stages), in: session).objectIDs()
      let ages = try ids.map { id in
        let record = try #require(try table.record(id))
        guard case .int(let age) = try table.value(age, of: record, id) else { return 0 }
        return Int(age) * sign
      }
      for (place, pair) in zip(ids, ids.dropFirst()).enumerated() {
        let (first, second) = (ages[place], ages[place + 1])
        guard first > second || first == second && pair.0 > pair.1 else { continue }
        Issue.record("\(text): \(pair.0) before \(pair.1)")
        return
      }
    }
  }
}
