import Foundation
import Testing
import Whimbrel

@Suite struct TextResultsTests {
  @Test func `a query in text has conditions, an order and limits`() throws {
    let test = try HarborStore()
    let results = try test.harbors.where("size == 4 AND coast.code != 'N' SORT(id DESC) LIMIT(2)")
    #expect(results.map(\.id) == [19, 14])
    #expect(try results.where("id < 19").map(\.id) == [14])
    #expect(try test.north.harbors.where("id >= 15").map(\.id) == [15, 18])
    #expect(try test.harbors.where("DISTINCT(size) OFFSET(3)").map(\.id) == [3, 4])
    try test.store.write {
      try test.harbor(19).size = 1
      #expect(results.map(\.id) == [14, 4])
    }
  }

  @Test func `arguments are values, nil, objects and arrays`() throws {
    let test = try HarborStore()
    #expect(try test.harbors.where("share > $0 AND share < $1", 8, 9.0).map(\.id) == [17])
    #expect(try test.harbors.where("coast == $0 AND id < 4", test.north).map(\.id) == [0, 3])
    #expect(try test.harbors.where("coast == %@ AND id < %@", nil, 6).map(\.id) == [2, 5])
    #expect(try test.harbors.where("id IN $0", [3, 4, 40]).map(\.id) == [3, 4])
    #expect(try test.harbors.where("coast IN $0", [test.south]).count == 7)
    #expect(try test.harbors.where("rank == $0", Int8(-10)).map(\.id) == [0])
    let date = Date(timeIntervalSinceReferenceDate: 15)
    #expect(try test.harbors.where("founded >= $0", date).map(\.id) == [15, 16, 17, 18, 19])
    #expect(try test.harbors.where("price == $0", Decimal(3) / 10).map(\.id) == [3])
    let prices: Set<Decimal> = [Decimal(3) / 10]
    #expect(try test.harbors.where("price IN $0", prices).map(\.id) == [3])
    let dynamic = try #require(
      try test.store.dynamicObject(ofType: "Coast", forPrimaryKey: .string("S")))
    #expect(try test.harbors.where("coast == $0", dynamic).first?.id == 1)
    #expect(try test.harbors.where("name == $0", PropertyValue.string("harbor 0")).count == 1)
    #expect(try test.harbors.where("share == $0", Optional<Double>.none as Any).count == 5)
    #expect(try test.harbors.where("coast == $0", AnyValue.object(test.south)).count == 7)
  }

  // On Linux, `JSONSerialization` gives numbers as `NSNumber`, which a query refused as a type that
  // properties cannot have.
  @Test func `values from JSON are arguments of queries in text`() throws {
    let test = try HarborStore()
    let json = Data(#"{"id": 4, "ids": [3, 4], "price": 0.3, "flag": true}"#.utf8)
    let values = try #require(
      try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(try test.harbors.where("id == $0", values["id"]).map(\.id) == [4])
    #expect(try test.harbors.where("id IN $0", values["ids"]).map(\.id) == [3, 4])
    #expect(try test.harbors.where("price == $0", values["price"]).map(\.id) == [3])
    try expectError(.queryMismatch) { try test.harbors.where("id == $0", values["flag"]) }
  }

  // Such errors named the operations by words of the implementation: 'add', 'minimum' and
  // 'contains[c]'.
  @Test(arguments: [
    ("name + 1 == 2", "'+' does not work"), ("2 / name == 2", "'/' does not work"),
    ("coast.lights.name.@avg > 2", "'avg' does not work"),
    ("size CONTAINS[c] 2", "with 'CONTAINS[c]'"),
    ("coast < nil", "with '<'"), ("size ==[cd] 2", "with '==[cd]'"),
  ])
  func `an operation that does not fit is named as in the query`(
    text: String, part: String
  ) throws {
    let test = try HarborStore()
    let error = try expectError(.queryMismatch) { try test.harbors.where(text) }
    #expect("\(error)".contains(part), "\(error)")
  }

  @Test func `a text that is no query is an error with its place`() throws {
    let test = try HarborStore()
    let error = try expectError(.invalidQuery) { try test.harbors.where("size > AND id = 1") }
    #expect(error.underlying is QueryTextError)
    #expect("\(error)".contains("^"))
    let name = try expectError(.invalidQuery) { try test.harbors.where("sice > 1") }
    #expect("\(name)".contains("'size'"))
    try expectError(.queryMismatch) { try test.harbors.where("size == 'four'") }
    try expectError(.invalidQuery) { try test.harbors.where("size == $0") }
    try expectError(.invalidQuery) { try test.harbors.where("size ==") }
    try expectError(.queryMismatch) { try test.harbors.where("size > 1 SORT(coast ASC)") }
  }

  @Test func `arguments that no query can have are errors`() throws {
    let test = try HarborStore()
    let error = try expectError(.invalidQuery) {
      try test.harbors.where("size == $0 AND id == $1", 1, RollBack())
    }
    #expect(
      "\(error)".hasPrefix(
        """
        Could not query 'Harbor': argument $1 is of the type 'RollBack', which properties cannot \
        have. Use values that properties may have, objects of the store, nil, or arrays of them.
        """))
    let part = try expectError(.invalidQuery) {
      try test.harbors.where("name == $0", "harbor 0".dropFirst(2))
    }
    #expect("\(part)".contains("argument $0 is of the type 'Substring'"))
    try expectError(.invalidQuery) { try test.harbors.where("coast == $0", Coast(code: "X")) }
    let other = try HarborStore()
    try expectError(.invalidQuery) { try test.harbors.where("coast == $0", other.north) }
    let coast = try #require(try other.store.dynamicObjects("Coast").first)
    try expectError(.invalidQuery) { try test.harbors.where("coast == $0", coast) }
    try expectError(.invalidQuery) { try test.harbors.where("id IN $0", [RollBack()]) }
  }

  @Test func `a dynamic object of another store of the same file can be asked for`() throws {
    let test = try HarborStore()
    let other = try HarborStore(opening: test.place)
    let coast = try #require(
      try other.store.dynamicObject(ofType: "Coast", forPrimaryKey: .string("S")))
    #expect(try test.harbors.where("coast == $0", coast).count == 7)
  }

  @Test func `dynamic results take queries in text`() throws {
    let test = try HarborStore()
    let harbors = try test.store.dynamicObjects("Harbor")
    let results = try harbors.where("coast.code == $0 SORT(id DESC)", "S").limit(2)
    #expect(results.map { $0["id"] } == [19, 16])
    try expectError(.invalidQuery) { try harbors.where("nme == 1") }
  }

  @Test func `results find the position of the first object that meets a condition`() throws {
    let test = try HarborStore()
    let sorted = test.harbors.sorted(by: \.id, ascending: false)
    #expect(sorted.index(matching: { $0.size == 1 }) == 3)
    #expect(sorted.index(matching: { $0.coast.name == "North" }) == 1)
    #expect(sorted.index(matching: { $0.size == 10 }) == nil)
    #expect(test.harbors.where { $0.size == 1 }.index(matching: { $0.id > 10 }) == 2)
  }

  @Test func `lists take conditions, predicates and text`() throws {
    let test = try HarborStore()
    try test.store.write { test.north.tour.append(objectsIn: try [9, 3].map(test.harbor)) }
    #expect(try test.north.tour.where("id > 4").map(\.id) == [9])
    #expect(try test.north.tour.where(#Predicate<Harbor> { $0.id > 4 }).map(\.id) == [9])
    #expect(test.north.tour.where { $0.id > 4 }.map(\.id) == [9])
  }
}
