import Foundation
import Testing
import WhimbrelEngine

/// Each use of an index: what it finds, and that no more is read than it has to be.
struct IndexUseTests {
  /// A hundred products with prices 0, 0.5, 1 … of which every tenth has none, names
  /// "n0" … "n9" ten times each, and makers by turns.
  private func shop() throws -> QueryShop {
    try QueryShop(100) { number in
      [
        "name": .string("n\(number % 10)"), "count": .int(Int64(number / 4)),
        "price": number % 10 == 9 ? .null : .double(Double(number) / 2),
        "maker": number % 5 == 4 ? .null : .link(ObjectID(rawValue: UInt64(number % 4 + 1))),
        "others": .list([.link(ObjectID(rawValue: UInt64(number % 5 + 1)))]),
        "isNew": .bool(number % 3 == 0), "weight": .decimal(Decimal(number) / 2),
      ]
    }
  }

  @Test(
    arguments: [
      (.test("name", .equal, "n3"), 10, "name == 'n3'"),
      (.test("name", isIn: ["n3", "n5", "n3"]), 20, "name in 3 values"),
      (.test("name", .beginsWith, "n7"), 10, "name begins with 'n7'"),
      (.test("name", .like, "n7*"), 10, "name begins with 'n7'"),
      (.test("name", .like, "n7"), 10, "name == 'n7'"),
      (.test("weight", .equal, .decimal(2)), 1, "weight == 2"),
      (.test("weight", .less, .decimal(2)), 4, "weight < 2"),
      (.test("weight", .lessOrEqual, 2), 5, "weight <= 2"),
      (.test("weight", .greater, .double(47.5)), 4, "weight > 47.5"),
      (.test("weight", .greaterOrEqual, .decimal(47.5)), 5, "weight >= 47.5"),
      (.test("weight", isIn: [.decimal(1), .double(1.5), 100]), 2, "weight in 3 values"),
      (
        .isBetween(
          .property(QueryPath("weight")), lower: .decimal(3), upper: .decimal(4),
          includesUpper: false), 2, "weight from 3 to 4"
      ),
      (.test("price", .less, 2), 4, "price < 2"),
      (.test("price", .lessOrEqual, .double(2)), 5, "price <= 2.0"),
      (.test("price", .greater, .double(47)), 4, "price > 47.0"),
      (.test("price", .greaterOrEqual, .double(47)), 5, "price >= 47.0"),
      (.test("price", .equal, .null), 10, "price == nil"),
      (.test("count", .less, .double(2.5)), 12, "count < 2.5"),
      (.test("count", .greater, .double(23.5)), 4, "count > 23.5"),
      (.test("count", .equal, .double(3)), 4, "count == 3.0"),
      (.test("number", .less, 3), 3, "number < 3"),
      (.test("isNew", .less, true), 66, "isNew < true"),
      (.test("number", isIn: [7, 5, 1000]), 2, "number in 3 values"),
      (.compare(.constant(2), .greater, .property(QueryPath("price")), []), 4, "price < 2"),
      (
        .isBetween(.property(QueryPath("count")), lower: 3, upper: 4, includesUpper: false), 4,
        "count from 3 to 4"
      ),
      (
        .and([.test("price", .greater, 3), .test("price", .less, 5)]), 2,
        "price > 3 and price < 5"
      ),
      (.test("maker", .equal, .link(ObjectID(rawValue: 2))), 20, "maker == object 2"),
      (.test("others", .equal, .link(ObjectID(rawValue: 2))), 20, "others == object 2"),
    ] as [(QueryCondition, Int, String)])
  func `an index alone finds what one property says`(
    condition: QueryCondition, count: Int, text: String
  ) throws {
    let shop = try shop()
    let query = try shop.query(.filter(condition))
    let explanation = try query.explanation()
    #expect(explanation.indexes.map(\.condition) == [text])
    #expect(explanation.resultCount == count)
    #expect(explanation.indexEntriesRead == count)
    #expect(explanation.recordsRead == 0)
    #expect(!explanation.isScan)
    #expect(try query.count() == count)
    #expect(
      try shop.numbers(.filter(condition)) == shop.numbers(.filter(condition), of: "Plain"))
  }

  @Test(
    arguments: [
      .test("price", .equal, .double(.nan)), .test("price", .less, .double(.nan)),
      .test("weight", .equal, .decimal(.nan)), .test("weight", .greater, .double(.nan)),
      .test("count", .equal, .double(2.5)), .test("count", .greater, .double(1e300)),
      .test("count", .less, .double(-.infinity)), .test("number", isIn: []),
      .and([.test("price", .less, 1), .test("price", .greater, 2)]), .or([]), .always(false),
    ] as [QueryCondition])
  func `what no value passes reads nothing`(condition: QueryCondition) throws {
    let shop = try shop()
    let query = try shop.query(.filter(condition))
    let explanation = try query.explanation()
    #expect(explanation.resultCount == 0)
    #expect(explanation.indexEntriesRead == 0 && explanation.recordsRead == 0)
    #expect(try query.count() == 0)
  }

  @Test(
    arguments: [
      .test("maker", .equal, .null), .test("name", .equal, "n3"), .test("name", .contains, "3"),
      .test("price", .notEqual, 3), .not(.test("count", .equal, 3)),
      .compare(.property(QueryPath("name")), .equal, .constant("N3"), .caseInsensitive),
      .or([.test("name", .equal, "n3"), .test("name", .endsWith, "5")]),
      .compare(
        .property(QueryPath([.property("others")], .none)), .equal,
        .constant(.link(ObjectID(rawValue: 2))), []),
    ] as [QueryCondition])
  func `what an index does not say goes through all objects`(condition: QueryCondition) throws {
    let shop = try shop()
    let isPlain = condition == .test("name", .equal, "n3")
    let query = try shop.query([.filter(condition)], of: isPlain ? "Plain" : "Product")
    let explanation = try query.explanation()
    #expect(explanation.isScan && explanation.indexes.isEmpty)
    #expect(explanation.recordsRead == 100)
    #expect(try shop.numbers(.filter(condition), of: "Plain").count == explanation.resultCount)
    #expect(explanation.resultCount > 0)
  }

  @Test func `an index finds the beginning of a pattern, and records decide on the rest`() throws {
    let shop = try QueryShop(100) { ["name": .string("n\($0)*")] }
    for (pattern, entries, numbers) in [
      ("n1?*", 11, [1] + Array(10...19)), ("n1?\\*", 11, Array(10...19)), ("n7\\*?", 1, []),
      ("n7\\*", 1, [7]), ("n5*5*", 11, [55]),
    ] {
      let condition = QueryCondition.test("name", .like, .string(pattern))
      let explanation = try shop.query(.filter(condition)).explanation()
      #expect(explanation.indexEntriesRead == entries && !explanation.isScan)
      #expect(explanation.recordsRead == (pattern == "n7\\*" ? 0 : entries))
      #expect(try shop.numbers(.filter(condition)) == numbers)
      #expect(try shop.numbers(.filter(condition), of: "Plain") == numbers)
    }
    let open = try shop.query(.filter(.test("name", .like, "*5*"))).explanation()
    #expect(open.isScan)
  }

  @Test func `the condition is checked where an index answers a part of it`() throws {
    let shop = try shop()
    let condition = QueryCondition.and([
      .test("name", .equal, "n3"), .test("name", .endsWith, "3"), .not(.test("count", .less, 20)),
    ])
    let explanation = try shop.query(.filter(condition)).explanation()
    #expect(explanation.indexEntriesRead == 10)
    #expect(explanation.recordsRead == 10)
    #expect(try shop.numbers(.filter(condition)) == [83, 93])
  }

  @Test func `two indexes are intersected, and the one with fewer entries comes first`() throws {
    let shop = try shop()
    let condition = QueryCondition.and([
      .test("count", .less, 5), .test("name", .equal, "n3"), .test("number", .less, 15),
    ])
    let explanation = try shop.query(.filter(condition)).explanation()
    #expect(
      explanation.indexes.map(\.condition) == ["name == 'n3'", "number < 15", "count < 5"])
    #expect(explanation.recordsRead == 0)
    #expect(try shop.numbers(.filter(condition)) == [3, 13])
    #expect(try shop.query(.filter(condition)).count() == 2)
  }

  @Test func `alternatives are looked up one after the other`() throws {
    let shop = try shop()
    let condition = QueryCondition.or([
      .test("name", .equal, "n3"), .and([.test("number", .less, 20), .test("name", .equal, "n3")]),
      .test("number", .equal, 2),
    ])
    let explanation = try shop.query(.filter(condition)).explanation()
    #expect(!explanation.isScan && explanation.recordsRead == 0)
    #expect(
      try shop.numbers(.filter(condition)) == [2, 3, 13, 23, 33, 43, 53, 63, 73, 83, 93])
  }

  @Test func `an index is left alone where most objects pass`() throws {
    let shop = try QueryShop(1_000) { ["count": .int(Int64($0))] }
    let isNew = QueryCondition.test("isNew", .equal, false)
    let explanation = try shop.query(
      .filter(.and([isNew, .not(.test("count", .equal, 3))]))
    ).explanation()
    #expect(explanation.isScan && explanation.resultCount == 999)
    // Counting reads no records all the same.
    let few = try shop.query(.filter(isNew), .limit(3)).explanation()
    #expect(few.indexEntriesRead == 3 && few.recordsRead == 0)
    #expect(try shop.query(.filter(isNew)).count() == 1_000)
  }

  @Test func `objects of one element and another are not mixed up`() throws {
    let (first, second) = (ObjectID(rawValue: 1), ObjectID(rawValue: 2))
    let shop = try QueryShop(10) { number in
      ["others": .list(number < 5 ? [.link(first), .link(second), .link(first)] : [.link(first)])]
    }
    let both = QueryCondition.and([
      .test("others", .equal, .link(first)), .test("others", .equal, .link(second)),
    ])
    #expect(try shop.numbers(.filter(both)) == [0, 1, 2, 3, 4])
    let either = QueryCondition.test("others", isIn: [.link(first), .link(second)])
    #expect(try shop.numbers(.filter(either)) == Array(0..<10))
    #expect(try shop.query(.filter(either)).count() == 10)
  }

  @Test func `objects are the keys where the class is clustered`() throws {
    let shop = try shop()
    let isClustered = try shop.session.table("Product").resolved.isClustered
    let last = try shop.query(.sort("number", ascending: false), .limit(2)).explanation()
    #expect(isClustered)
    #expect(last.indexEntriesRead == 2)
    #expect(try shop.numbers(.sort("number", ascending: false), .limit(2)) == [99, 98])
  }

  @Test func `a link is found by a reference too`() throws {
    let shop = try shop()
    let object = ObjectReference(
      classID: try shop.session.table("Maker").resolved.id, id: ObjectID(rawValue: 2))
    let query = try shop.query(.filter(.test("maker", .equal, .object(object))))
    #expect(try query.explanation().indexEntriesRead == 20)
    #expect(try query.count() == 20)
  }
}
