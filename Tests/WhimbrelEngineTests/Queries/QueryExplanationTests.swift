import Foundation
import Testing
import WhimbrelEngine

/// What is said of how a request was answered.
struct QueryExplanationTests {
  private func shop() throws -> QueryShop {
    try QueryShop(40) { ["name": .string("n\($0)"), "count": .int(Int64($0 % 4))] }
  }

  @Test func `an explanation names indexes, orders and what was read`() throws {
    let shop = try shop()
    let name = QueryCondition.test("name", .beginsWith, "n1")
    func text(_ stages: QueryStage...) throws -> String {
      try shop.query(stages).explanation().description
    }
    #expect(
      try text(.filter(name)) == """
        Product: 11 of 40 objects
        - index Product.name: name begins with 'n1'
        - read: 11 index entries, no records
        """)
    #expect(
      try text(.filter(.and([name, .test("count", .notEqual, 1)])), .sort("price"), .limit(2))
        == """
        Product: 2 of 40 objects
        - index Product.name: name begins with 'n1'
        - sorted in memory, the first 2
        - read: 11 index entries, 11 records
        """)
    #expect(
      try text(.sort("name", ascending: false), .limit(1)) == """
        Product: 1 of 40 objects
        - ordered by index Product.name, backwards
        - read: 1 index entry, no records
        """)
    #expect(
      try text(.filter(.test("count", .notEqual, 7))) == """
        Product: 40 of 40 objects
        - all objects
        - read: no index entries, 40 records
        """)
  }

  @Test func `an explanation is the same when it was coded`() throws {
    let shop = try shop()
    let explanation = try shop.query(
      .filter(.test("name", .greater, "n3")), .sort("price")
    ).explanation()
    let data = try JSONEncoder().encode(explanation)
    #expect(try JSONDecoder().decode(QueryExplanation.self, from: data) == explanation)
  }

  @Test func `words are found by the full-text index, with other indexes`() throws {
    let text = PropertySchema.required("text", .string)
    let note = ClassSchema(
      name: "Note", properties: [text, .indexed("size", .int)],
      indexes: [IndexSchema(["text"], .fullText)])
    let store = try TestStore([note]) { session in
      for number in 0..<40 {
        let words = number % 4 == 0 ? "Swan lake \(number)" : "Duck pond"
        try session.create("Note", ["text": .string(words), "size": .int(Int64(number))])
      }
    }
    let session = try store.session()
    let words = QueryCondition.hasWords(QueryPath("text"), search: "swan")
    let query = try BoundQuery(
      QueryRequest("Note", [.filter(.and([words, .test("size", .less, 10)]))]), in: session)
    #expect(try query.objectIDs().map(\.rawValue) == [1, 5, 9])
    #expect(
      try query.explanation().description == """
        Note: 3 of 40 objects
        - index Note.text: text matches the words 'swan'
        - index Note.size: size < 10
        - read: 20 index entries, no records
        """)
    let none = QueryRequest("Note", [.filter(.hasWords(QueryPath("text"), search: "-swan"))])
    #expect(try BoundQuery(none, in: session).explanation().isScan)
    #expect(try BoundQuery(none, in: session).count() == 30)
  }

  @Test func `the cores that go through a large class are told`() throws {
    let store = try TestStore([ClassSchema("Item", .required("size", .int))]) { session in
      for number in 0..<17_000 { try session.create("Item", ["size": .int(Int64(number))]) }
    }
    let session = try store.session()
    let stages = [QueryStage.filter(.test("size", .less, 10))]
    let query = try BoundQuery(QueryRequest("Item", stages), in: session)
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, 8)
    #expect(try query.explanation().coreCount == cores)
    let inWrite = try session.write { try query.explanation().coreCount }
    #expect(inWrite == 1)
  }

  @Test(
    arguments: [
      (
        QueryStage.sort("others"),
        "Could not sort objects by 'Product.others': values of type '[<Maker>]' have no order. "
          + "Choose a property with a single value, or end the path at one."
      ),
      (
        .distinct([QueryPath("others", "name")]),
        "Could not find distinct objects by 'Product.others': values of type '[<Maker>]' cannot be "
          + "compared. Choose a property with a single value, or end the path at one."
      ),
      (
        .sort([QuerySortKey(QueryPath([QueryPath.Step]()))]),
        "Could not sort objects of 'Product': the path does not end at a property with a single "
          + "value. Follow only links to single objects, and end the path at such a property."
      ),
    ])
  func `what has no order is refused`(stage: QueryStage, text: String) throws {
    let shop = try shop()
    let error = #expect(throws: StoreError.self) { try shop.query(stage) }
    #expect(error?.code == .queryMismatch)
    #expect(error?.description == text)
    let unknown = #expect(throws: StoreError.self) { try shop.query(.sort("nam")) }
    #expect(unknown?.code == .unknownProperty)
  }
}
