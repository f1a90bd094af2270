import Testing
import WhimbrelEngine

/// Paths of many steps. A class with a link to itself has paths of any length, and a text with ten
/// thousand steps exhausted the stack when it was bound.
struct LongPathTests {
  private static let person = ClassSchema(
    "Person", .indexed("name", .string), .link("p", to: "Person"))

  /// Returns a store of 100 people, each of whom links to the one before.
  private func makeStore() throws -> TestStore {
    try TestStore([Self.person]) { session in
      var last = try session.create("Person", ["name": "first"])
      for _ in 1..<100 {
        last = try session.create("Person", ["name": "other", "p": .link(last)])
      }
    }
  }

  private func request(_ text: String) throws -> QueryRequest {
    try QueryRequest("Person", parsing: text, in: StoreSchema(classes: [Self.person]))
  }

  /// Returns a text of links.
  private func linkText(_ count: Int) -> String { String(repeating: "p.", count: count) }

  @Test(arguments: [2, 15, 16, 50, 99])
  func `a path of up to a hundred steps is followed`(count: Int) throws {
    let store = try makeStore()
    let session = try store.session()
    for text in [
      "\(linkText(count))name == 'first'",
      "SUBQUERY(\(linkText(count - 1))p, $x, $x.name == 'first').@count == 1",
    ] {
      let found = try BoundQuery(request(text), in: session).objectIDs()
      #expect(found == [ObjectID(rawValue: UInt64(count + 1))])
    }
  }

  @Test(arguments: [100, 101, 10_000])
  func `a longer path is an error`(count: Int) throws {
    let store = try makeStore()
    let session = try store.session()
    let reason = "this path has more than 100 steps"
    let text = "\(linkText(count))name == 'first'"
    let read = storeError { _ = try request(text) }
    #expect(read?.code == .invalidQuery)
    #expect((read?.underlying as? QueryTextError)?.reason == reason)
    let links = Array(repeating: QueryPath.Step.property("p"), count: count)
    let path = QueryPath(links + [.property("name")])
    for condition in [
      QueryCondition.compare(.property(path), .equal, .constant("first"), []),
      .isIn(.property(path), ["first", "second"], []),
    ] {
      let bound = storeError {
        _ = try BoundQuery(QueryRequest("Person", [.filter(condition)]), in: session)
      }
      #expect(bound?.code == .invalidQuery)
      #expect((bound?.underlying as? QueryTextError)?.reason == reason)
    }
  }

  @Test func `the steps of a path count on in its sub-query`() throws {
    let short = "SUBQUERY(\(linkText(49))p, $x, $x.\(linkText(49))name == 'first').@count == 1"
    let store = try makeStore()
    let session = try store.session()
    #expect(
      try BoundQuery(request(short), in: session).objectIDs() == [ObjectID(rawValue: 100)])
    let long = "SUBQUERY(\(linkText(50))p, $x, $x.\(linkText(49))name == 'first').@count == 1"
    let error = storeError { _ = try request(long) }
    #expect(
      (error?.underlying as? QueryTextError)?.reason == "this is nested more than 100 levels deep")
  }
}
