import Foundation
import Testing
import WhimbrelEngine

/// Stages one after the other, in whatever order, and what can be asked of their answer.
struct QueryStageTests {
  private func shop() throws -> QueryShop {
    try QueryShop(60) { number in
      [
        "name": .string("n\(number * 7 % 10)"), "count": .int(Int64(number % 4)),
        "price": number % 6 == 5 ? .null : .double(Double(number % 6)),
        "maker": number % 7 == 6 ? .null : .link(ObjectID(rawValue: UInt64(number % 7 % 5 + 1))),
      ]
    }
  }

  @Test(arguments: ["Product", "Plain"])
  func `stages apply one after the other`(name: String) throws {
    let shop = try shop()
    func numbers(_ stages: QueryStage...) throws -> [Int] {
      let ids = try shop.query(stages, of: name).objectIDs()
      let all = try shop.session.table(name).objectIDs()
      return try ids.map { id in try #require(all.firstIndex(of: id)) }
    }
    let even = QueryStage.filter(.test("count", .equal, 2))
    #expect(try numbers(even, .limit(3)) == [2, 6, 10])
    #expect(try numbers(.limit(3), even) == [2])
    #expect(try numbers(even, .offset(2), .limit(2)) == [10, 14])
    #expect(try numbers(.offset(57)) == [57, 58, 59])
    #expect(try numbers(.offset(100)) == [])
    #expect(try numbers(.limit(0)) == [])
    #expect(try numbers(.limit(-1)) == [])
    #expect(try numbers(.offset(-5), .limit(1)) == [0])
    #expect(try numbers(.limit(10), .offset(8)) == [8, 9])
    #expect(try numbers(.offset(8), .limit(10), .limit(2)) == [8, 9])
    #expect(try numbers(.offset(.max), .offset(.max), .limit(.max)) == [])
    #expect(try numbers(.sort("number", ascending: false), .limit(2)) == [59, 58])
    #expect(try numbers(.limit(2), .sort("number", ascending: false)) == [1, 0])
    #expect(try numbers(.sort("count"), .offset(1), .limit(2)) == [4, 8])
    #expect(try numbers(.sort("count", ascending: false), .limit(2), .sort("number")) == [3, 7])
    #expect(try numbers(.distinct([QueryPath("count")])) == [0, 1, 2, 3])
    #expect(
      try numbers(.sort("number", ascending: false), .distinct([QueryPath("count")]))
        == [59, 58, 57, 56])
    #expect(try numbers(.distinct([QueryPath("count")]), .offset(1), .limit(2)) == [1, 2])
    let both = [QueryPath("count"), QueryPath("price")]
    #expect(try numbers(.limit(30), .distinct(both)).count == 12)
    #expect(try numbers(.sort("count"), even, .limit(1)) == [2])
  }

  @Test func `an order keeps what was in order before`() throws {
    let shop = try shop()
    for name in ["Product", "Plain"] {
      let one = try shop.numbers(.sort("number", ascending: false), .sort("count"), of: name)
      let both = try shop.numbers(
        .sort([
          QuerySortKey(QueryPath("count")),
          QuerySortKey(QueryPath("number"), isAscending: false),
        ]), of: name)
      #expect(one == both)
      #expect(one.prefix(3) == [56, 52, 48])
    }
  }

  @Test func `orders lead through links, and nil comes first`() throws {
    let shop = try shop()
    let path = QueryPath("maker", "founded")
    func key(_ number: Int) -> Int {
      let maker = number % 7 % 5
      return number % 7 == 6 || maker == 4 ? .min : 1900 - maker
    }
    let up = (0..<60).sorted { (key($0), $0) < (key($1), $1) }
    let down = (0..<60).sorted { (-(key($0) + 1), $0) < (-(key($1) + 1), $1) }
    #expect(try shop.numbers(.sort([QuerySortKey(path)])) == up)
    #expect(try shop.numbers(.sort([QuerySortKey(path, isAscending: false)])) == down)
    #expect(try shop.numbers(.sort([QuerySortKey(path)]), .limit(9)) == Array(up.prefix(9)))
    let names = QueryPath("maker", "name")
    #expect(try shop.numbers(.distinct([names])) == [0, 1, 2, 3, 4, 6])
    #expect(try shop.numbers(.distinct([QueryPath("maker")])) == [0, 1, 2, 3, 4, 6])
  }

  @Test func `NaN comes last, and the two zeros tie`() throws {
    let prices: [Double?] = [
      .nan, 1, nil, -0.0, 0, -.nan, -.infinity, .infinity, nil, -1, -0.0,
    ]
    let shop = try QueryShop(prices.count) { number in
      ["price": prices[number].map { .double($0) } ?? .null]
    }
    for name in ["Product", "Plain"] {
      #expect(try shop.numbers(.sort("price"), of: name) == [2, 8, 6, 9, 3, 4, 10, 1, 7, 0, 5])
      #expect(
        try shop.numbers(.sort("price", ascending: false), of: name)
          == [0, 5, 7, 1, 3, 4, 10, 9, 6, 2, 8])
      #expect(
        try shop.numbers(.distinct([QueryPath("price")]), of: name) == [0, 1, 2, 3, 6, 7, 9])
      let query = try shop.query([], of: name)
      #expect(try query.aggregate(.minimum, QueryPath("price")) == .double(-.infinity))
      #expect(try query.aggregate(.maximum, QueryPath("price")) == .double(.infinity))
    }
  }

  @Test func `first, count, contains and index agree with the whole answer`() throws {
    let shop = try shop()
    let stages: [[QueryStage]] = [
      [], [.filter(.test("count", .equal, 1))], [.filter(.test("name", .contains, "3"))],
      [.sort("price", ascending: false)], [.sort("name"), .limit(7)],
      [.filter(.test("price", .less, 3)), .sort("name"), .offset(3)],
      [.sort("name"), .distinct([QueryPath("name")])], [.distinct([QueryPath("price")])],
      [.filter(.always(false))], [.limit(5), .filter(.test("count", .equal, 1))],
      [.filter(.test("count", .less, 2)), .offset(4), .limit(9)],
    ]
    for name in ["Product", "Plain"] {
      for stages in stages {
        let query = try shop.query(stages, of: name)
        let ids = try query.objectIDs()
        #expect(try query.count() == ids.count)
        #expect(try query.first() == ids.first)
        for id in try shop.session.table(name).objectIDs() {
          if let contains = try query.contains(id) { #expect(contains == ids.contains(id)) }
        }
        #expect(try query.contains(ObjectID(rawValue: 7_777)) != true)
      }
    }
  }

  @Test func `the least and the greatest value stand at the ends of an index`() throws {
    let shop = try shop()
    let all = try shop.query([])
    #expect(try all.aggregate(.minimum, QueryPath("price")) == .double(0))
    #expect(try all.aggregate(.maximum, QueryPath("price")) == .double(4))
    #expect(try all.aggregate(.maximum, QueryPath("name")) == "n9")
    #expect(try all.aggregate(.maximum, QueryPath("number")) == 59)
    #expect(try all.aggregate(.sum, QueryPath("count")) == 90)
    let some = try shop.query([.filter(.test("price", .less, 3)), .sort("name")])
    #expect(try some.aggregate(.maximum, QueryPath("price")) == .double(2))
    #expect(try some.aggregate(.maximum, QueryPath("number")) == 56)
    #expect(try some.aggregate(.average, QueryPath("price")) == .double(1))
    let none = try shop.query([.filter(.test("price", .greater, 30))])
    #expect(try none.aggregate(.minimum, QueryPath("price")) == .null)
    #expect(try none.aggregate(.sum, QueryPath("price")) == .double(0))
    let last = try shop.query([.sort("number"), .offset(58)])
    #expect(try last.aggregate(.sum, QueryPath("number")) == 117)
  }

  @Test func `a request sees what its write has done so far`() throws {
    let shop = try shop()
    let session = shop.session
    try session.write {
      let query = try shop.query(.filter(.test("name", .equal, "n3")), .sort("count"))
      let before = try query.objectIDs().count
      let id = try session.create(
        "Product", ["number": 100, "name": "n3", "count": -1, "isNew": true])
      #expect(try query.objectIDs().count == before + 1)
      #expect(try query.first() == id)
      #expect(try shop.query(.sort("number", ascending: false)).first() == id)
      try session.table("Product").remove(id)
      #expect(try query.count() == before)
      #expect(try shop.query(.filter(.test("name", .equal, "n3"))).contains(id) == false)
    }
  }

  @Test func `stages go on from the elements of a collection`() throws {
    let shop = try shop()
    let makers = try shop.session.table("Maker").objectIDs()
    try shop.session.write {
      let table = try shop.session.table("Product")
      try table.update(ObjectID(clusteredKey: 3)) { encoder in
        let position = try table.resolved.requiredPosition(of: "others")
        let links = [makers[2], makers[0], makers[2], makers[4]].map { PropertyValue.link($0) }
        try encoder.set(position, .list(links))
      }
    }
    let source = QueryRequest.Source.collection(
      of: ObjectID(clusteredKey: 3), class: "Product", property: "others")
    func found(_ stages: QueryStage...) throws -> [ObjectID] {
      try BoundQuery(QueryRequest("Maker", stages, from: source), in: shop.session).objectIDs()
    }
    #expect(try found() == [makers[2], makers[0], makers[2], makers[4]])
    #expect(try found(.filter(.test("name", .equal, "m2"))) == [makers[2], makers[2]])
    #expect(try found(.sort("name"), .limit(1)) == [makers[0]])
    #expect(try found(.sort("founded")) == [makers[4], makers[2], makers[2], makers[0]])
    #expect(try found(.distinct([QueryPath("name")])) == [makers[2], makers[0], makers[4]])
    #expect(try found(.offset(3)) == [makers[4]])
  }
}
