import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// Indexes of several properties find objects, and give orders.
struct CompositeIndexTests {
  /// Makes a store of cities in four countries, with and without indexes.
  private func session(_ count: Int = 120) throws -> (store: TestStore, session: Session) {
    let properties: [PropertySchema] = [
      .optional("country", .string), .required("size", .int), .optional("name", .string),
      .required("code", .int), .link("twin", to: "City"),
    ]
    let indexes = [
      IndexSchema(["country", "size"]), IndexSchema(["country", "name", "size"]),
      IndexSchema(["twin", "size"]), IndexSchema(["code"], .unique),
    ]
    let long = String(repeating: "x", count: 300)
    let store = try TestStore([
      ClassSchema(name: "City", properties: properties, indexes: indexes),
      ClassSchema(name: "Plain", properties: properties),
    ]) { session in
      for number in 0..<count {
        let values: [String: PropertyValue] = [
          "country": number % 5 == 4 ? .null : .string("c\(number % 5)"),
          "size": .int(Int64(number * 7 % 12)),
          "name": number % 4 == 3 ? .null : .string(long + "\(number * 5 % 7)"),
          "code": .int(Int64(number)),
          "twin": number % 3 == 0 ? .null : .link(ObjectID(rawValue: UInt64(number % 3))),
        ]
        for name in ["City", "Plain"] { try session.create(name, values) }
      }
    }
    return (store, try store.session())
  }

  private static let country = QueryCondition.test("country", .equal, "c2")

  @Test(
    arguments: [
      (.and([country, .test("size", .equal, 2)]), 2, 0),
      (.and([country, .test("size", .less, 6)]), 12, 0),
      (.and([country, .test("size", isIn: [1, 2, 3])]), 6, 0),
      (country, 24, 0),
      (.and([.test("country", isIn: ["c1", .null]), .test("size", .greater, 9)]), 8, 0),
      (.test("code", .equal, 17), 1, 0),
      (.and([.test("twin", .equal, .null), .test("size", .equal, 0)]), 10, 0),
      (.and([country, .not(.test("size", .equal, 2))]), 24, 24),
      (
        .and([
          country, .test("name", .equal, .string(String(repeating: "x", count: 300) + "5")),
        ]), 3, 3
      ),
    ] as [(QueryCondition, Int, Int)])
  func `one index answers several conditions`(
    condition: QueryCondition, entries: Int, records: Int
  ) throws {
    let (_, session) = try session()
    func query(_ name: String) throws -> BoundQuery {
      try BoundQuery(QueryRequest(name, [.filter(condition)]), in: session)
    }
    let explanation = try query("City").explanation()
    #expect(explanation.indexes.count == 1 && !explanation.isScan)
    #expect(explanation.indexEntriesRead == entries)
    #expect(explanation.recordsRead == records)
    #expect(try query("City").objectIDs() == query("Plain").objectIDs())
    #expect(try query("City").count() == explanation.resultCount)
  }

  @Test(
    arguments: [
      ([country], ["size"], true, 5), ([country], ["name", "size"], true, 24),
      ([], ["country"], true, 120), ([], ["country", "size"], true, 5),
      ([country, .test("size", .greater, 4)], ["size"], true, 5), ([], ["code"], true, 5),
      ([.test("name", .notEqual, "x")], ["country", "size"], false, 0),
      ([], ["size"], false, 0), ([], ["size", "country"], false, 0),
    ] as [([QueryCondition], [String], Bool, Int)])
  func `an index has the order of its properties`(
    conditions: [QueryCondition], names: [String], isUsed: Bool, mostEntries: Int
  ) throws {
    let (_, session) = try session()
    for isAscending in [true, false] {
      let keys = names.map { QuerySortKey(QueryPath($0), isAscending: isAscending) }
      for limit in [5, 1_000] {
        let stages = conditions.map(QueryStage.filter) + [.sort(keys), .limit(limit)]
        let query = try BoundQuery(QueryRequest("City", stages), in: session)
        let plain = try BoundQuery(QueryRequest("Plain", stages), in: session)
        #expect(try query.objectIDs() == plain.objectIDs())
        let explanation = try query.explanation()
        guard isUsed else { continue }
        guard case .index(_, isAscending != true) = explanation.order else {
          Issue.record("\(explanation)")
          continue
        }
        #expect(!explanation.isScan)
        // What ties is read together; texts that a key does not have all of tie, too.
        if limit == 5, isAscending { #expect(explanation.indexEntriesRead <= mostEntries + 3) }
      }
    }
  }

  @Test(arguments: 0..<TestRun.count(6, long: 40) as Range<UInt64>)
  func `random conditions and orders give the same with such indexes and without`(
    seed: UInt64
  ) throws {
    let (_, session) = try session()
    var generator = SeededGenerator(seed: seed)
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &generator)]
    }
    let texts = ["0", "3", "5", ""].map { String(repeating: "x", count: 300) + $0 } + ["", "y"]
    func value(_ name: String) -> PropertyValue {
      switch name {
      case "country": pick([.null, "c0", "c1", "c9"])
      case "name": pick([.null] + texts.map(PropertyValue.string))
      case "twin": pick([.null, .link(ObjectID(rawValue: 1)), .link(ObjectID(rawValue: 2))])
      default: .int(pick([0, 1, 5, 11, 100]))
      }
    }
    for round in 0..<200 {
      let parts = (0..<pick([0, 1, 2, 3])).map { _ -> QueryCondition in
        let name = pick(["country", "name", "twin", "size", "code"])
        if pick([true, false]) {
          return .test(name, isIn: (0..<pick([1, 2])).map { _ in value(name) })
        }
        if name == "twin" { return .test(name, pick([.equal, .notEqual]), value(name)) }
        return .test(
          name, pick([.equal, .less, .greaterOrEqual, .greater, .lessOrEqual]), value(name))
      }
      let isAscending = pick([true, false])
      let keys = (0..<pick([1, 2, 3])).map { _ -> QuerySortKey in
        let name = pick(["country", "name", "size", "code"])
        return QuerySortKey(QueryPath(name), isAscending: isAscending)
      }
      let stages: [QueryStage] = [
        .filter(.and(parts)), .sort(keys), .offset(pick([0, 2])), .limit(pick([1, 4, 500])),
      ]
      let query = try BoundQuery(QueryRequest("City", stages), in: session)
      let plain = try BoundQuery(QueryRequest("Plain", stages), in: session)
      #expect(try query.objectIDs() == plain.objectIDs(), "seed \(seed), round \(round): \(stages)")
      #expect(try query.count() == plain.count(), "seed \(seed), round \(round): \(stages)")
      let path = QueryPath(pick(["country", "name", "size", "code"]))
      for aggregate in [QueryAggregate.minimum, .maximum] {
        let first = try BoundQuery(QueryRequest("City", [stages[0]]), in: session)
        let second = try BoundQuery(QueryRequest("Plain", [stages[0]]), in: session)
        #expect(try first.aggregate(aggregate, path) == second.aggregate(aggregate, path))
      }
    }
  }
}
