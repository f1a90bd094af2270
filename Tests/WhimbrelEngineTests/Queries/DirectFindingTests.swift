import Testing

@testable import WhimbrelEngine

/// Requests for one value of an indexed property.
struct DirectFindingTests {
  private static let long = String(repeating: "å", count: 600)
  private static let texts = ["", "a", "aa", "å", long, long + "1", "a", "b\0c", "b", long]

  /// Each text twice, with its length.
  private func makeStore() throws -> TestStore {
    let schema = ClassSchema(
      "Note", .indexed("text", .string), .indexed("number", .int), .indexed("real", .double),
      .required("other", .string))
    return try TestStore([schema]) { session in
      for text in Self.texts + Self.texts {
        try session.create(
          "Note",
          [
            "text": .string(text), "number": .int(Int64(text.utf8.count) - 1),
            "real": .double(0), "other": .string(text),
          ])
      }
    }
  }

  private func request(
    _ name: String, _ comparison: QueryComparison, _ value: PropertyValue,
    _ options: TextOptions = []
  ) -> QueryRequest {
    let condition = QueryCondition.compare(
      .property(QueryPath(name)), comparison, .constant(value), options)
    return QueryRequest("Note", [.filter(condition)])
  }

  @Test func `a text or number is found directly as by a bound query`() throws {
    let store = try makeStore()
    let session = try store.session()
    let table = try session.table("Note")
    var requests = Self.texts.map { request("text", .equal, .string($0)) }
    requests += [-2, -1, 0, 1, 1_199, 1_200].map { request("number", .equal, .int($0)) }
    requests.append(request("text", .equal, .string("ab")))
    for request in requests {
      let expected = try BoundQuery(request, in: session).objectIDs()
      let lookup = try #require(table.directLookup(request))
      #expect(try lookup.objectIDs() == expected)
      #expect(try lookup.first() == expected.first)
    }
  }

  @Test func `other requests are left to be prepared`() throws {
    let store = try makeStore()
    let session = try store.session()
    let table = try session.table("Note")
    var twoStages = request("text", .equal, "a")
    twoStages.stages.append(.limit(1))
    var ofElements = request("text", .equal, "a")
    ofElements.source = .linking(to: ObjectID(rawValue: 1), class: "Note", property: "text")
    let others = [
      request("text", .less, "a"), request("text", .equal, "a", .caseInsensitive),
      request("text", .equal, .null), request("number", .equal, .double(0)),
      request("real", .equal, .double(0)), request("other", .equal, "a"),
      request("unknown", .equal, "a"), twoStages, ofElements, QueryRequest("Note"),
    ]
    for request in others { #expect(table.directLookup(request) == nil) }
  }
}
