import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

/// The position of an object is that in the list of all answers.
struct QueryPositionTests {
  private static let long = String(repeating: "x", count: 420)

  private func shop(_ seed: UInt64, _ count: Int) throws -> QueryShop {
    var random = SeededGenerator(seed: seed)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let names = ["", "a", "ab", "é", Self.long, Self.long + "a", Self.long + "b"]
    return try QueryShop(count) { _ in
      [
        "name": number(5) == 0 ? .null : .string(names[number(names.count)]),
        "price": number(5) == 0 ? .null : .double([0, -0.0, 1, 2, .nan, -1][number(6)]),
        "count": .int(Int64(number(4))), "weight": .decimal(Decimal(number(3))),
        "maker": number(4) == 0 ? .null : .link(ObjectID(rawValue: UInt64(number(5) + 1))),
      ]
    }
  }

  private static let filters: [[QueryStage]] = [
    [], [.filter(.test("count", .equal, 2))], [.filter(.test("price", .greaterOrEqual, 1))],
    [.filter(.test("name", .endsWith, "a"))],
    [.filter(.and([.test("count", .less, 3), .test("name", .notEqual, "a")]))],
    [.filter(.test("maker", .equal, .link(ObjectID(rawValue: 2))))], [.filter(.always(false))],
    [.filter(.test("count", .less, 3)), .filter(.test("weight", isIn: [1, 2]))],
  ]
  private static let orders: [[QueryStage]] = [
    [], [.sort("name")], [.sort("name", ascending: false)], [.sort("price", ascending: false)],
    [.sort("price")], [.sort("count", "name")], [.sort("number", ascending: false)],
    [.sort([QuerySortKey(QueryPath("maker", "founded")), QuerySortKey(QueryPath("count"))])],
    [.sort("weight", ascending: false)],
    [
      .sort([
        QuerySortKey(QueryPath("count"), isAscending: false), QuerySortKey(QueryPath("name")),
      ])
    ],
  ]
  private static let windows: [[QueryStage]] = [
    [], [.limit(7)], [.offset(3), .limit(40)], [.offset(1_000)], [.limit(30), .offset(25)],
  ]

  @Test(.takesLong, arguments: ["Product", "Plain"])
  func `it is the index in the list of all answers`(className: String) throws {
    for (seed, count) in [(1, 0), (2, 3), (3, 90), (4, 400)] as [(UInt64, Int)] {
      let shop = try shop(seed, count)
      let all = try shop.session.table(className).objectIDs()
      var random = SeededGenerator(seed: seed)
      for (filter, order, window) in Self.combinations {
        let stages = filter + order + window
        let query = try shop.query(stages, of: className)
        let expected = try query.objectIDs()
        for id in all where count < 10 || random.once(in: 40) {
          let place = expected.firstIndex(of: id)
          let position = try query.position(of: id)
          #expect(
            position == (place.map(ObjectPosition.at) ?? .absent),
            "\(className), \(count): \(stages), \(id)")
        }
        #expect(try query.position(of: ObjectID(rawValue: 1 << 40)) == .absent)
      }
    }
  }

  private static var combinations: [([QueryStage], [QueryStage], [QueryStage])] {
    filters.flatMap { filter in
      orders.flatMap { order in windows.map { (filter, order, $0) } }
    }
  }

  @Test func `what later stages say is left to finding all answers`() throws {
    let shop = try shop(5, 20)
    let id = try #require(try shop.session.table("Product").objectIDs().first)
    let stages: [[QueryStage]] = [
      [.limit(3), .filter(.test("count", .less, 2))], [.distinct([QueryPath("count")])],
      [.limit(5), .sort("name")],
    ]
    for stages in stages { #expect(try shop.query(stages).position(of: id) == .unknown) }
  }
}
